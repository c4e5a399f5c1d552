package engine

import (
	"slices"

	"leveret/engine/demand"
	"leveret/engine/deploy"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/program"
	"leveret/engine/search"
)

// walk makes sequences of random calls, one call longer each time, as the fuzzers
// do that invariants and properties are written for: where handlers keep the
// inputs valid, what matters is which states the calls lead to, and no branch
// tells. A call that fails is tried once and left out.
type walk struct {
	search   *search.Search
	executor *exec.Executor
	budget   exec.Budget // of shorten
	origin   *search.Origin
	turn     int
	handler  []deploy.Callee
	longest  int
	taken    []input.Tx // so far; all succeeded
	next     *search.Candidate
	short    *search.Candidate // next without the calls that its path does not need
	failed   int               // calls in a row
	run      wholeRun
	created  []demand.Callee // functions of contracts that the walk created
}

// A wholeRun is a walk to the end, as some properties are checked only there.
type wholeRun struct {
	depth int        // its calls; 0: walks end anywhere
	calls []input.Tx // so far, with those that failed
	whole bool       // this walk is one
}

// ended reports whether all calls are made.
func (r *wholeRun) ended() bool { return r.whole && len(r.calls) >= r.depth }

// ends reports whether a result has the last call.
func (r *wholeRun) ends(last *search.Result) bool {
	return r.whole && len(last.Sequence.Txs) >= r.depth
}

// After how many failing calls a walk ends, and which share of the inputs walks
// get. Predictions alone would fill the start of a campaign.
const (
	walkEvery = 3
	maxFailed = 12
)

// waitOneIn is how rarely a call that fails stays for the time that passed before it.
const waitOneIn = 4

// walks are the lengths of walks, drawn at random. Most are short: others build
// on the first sequence that reaches a state.
var walks = [...]int{8, 8, 24, 100}

// observedOfWalks is how many transactions taint runs observe where there are
// walks: to observe all of a long sequence costs as much as thousands of inputs.
const observedOfWalks = 6

func newWalk(s *search.Search, x *exec.Executor) *walk {
	w := &walk{
		search: s, executor: x, budget: exec.Budget{Share: shortenShare, Initial: shortenInitial}, origin: named("walk"), longest: walks[0],
	}
	if suite := s.Subject.Suite; suite != nil && (len(suite.Run.AtEnd) > 0 || suite.Run.Interval == 0) {
		w.run.depth = suite.Run.Depth
	}
	for _, callee := range s.Subject.Callees {
		if !callee.Function.Property && !callee.Function.Constant() {
			w.handler = append(w.handler, callee)
		}
	}
	return w
}

// Turn adds a call to the walk when it is its turn.
func (w *walk) Turn() *search.Candidate {
	if w.turn++; w.turn%walkEvery != 0 {
		return nil
	}
	return w.extend()
}

// extend adds a call: mostly a random one, else one that succeeded before.
func (w *walk) extend() *search.Candidate {
	if len(w.handler) == 0 {
		return nil
	}
	g := w.search.Generator
	if w.run.ended() && len(w.run.calls) > len(w.taken) {
		return w.end()
	}
	if w.run.ended() || len(w.taken) >= w.longest || w.failed >= w.mostFailed() {
		w.begin()
	}
	callee := w.callee()
	tx := g.NewTx(callee)
	if g.Random.IntN(2) == 0 {
		tx = g.Varied(g.Example(callee))
	}
	tx = w.addressed(tx)
	txs := append(w.taken[:len(w.taken):len(w.taken)], tx)
	w.next, w.short = w.from(input.Sequence{Deployment: w.search.Subject.Deployment.Record, Txs: txs}), nil
	return w.next
}

// callee draws the function of the next call.
func (w *walk) callee() demand.Callee {
	n := w.search.Generator.Random.IntN(len(w.handler) + len(w.created))
	if n < len(w.handler) {
		return w.handler[n].Callee
	}
	return w.created[n-len(w.handler)]
}

// maxCreated bounds the contracts that a walk creates and calls.
const maxCreated = 16

// callsCreated reports whether contracts that transactions create are called.
func (w *walk) callsCreated() bool {
	suite := w.search.Subject.Suite
	return suite != nil && suite.Created != nil
}

// findCreated finds the contracts that the walk created, after its latest call. They
// are values of arguments, and where contracts that transactions create are called,
// the next call may be one of theirs.
func (w *walk) findCreated(latest *search.Result) {
	if !latest.Real() || !latest.Succeeded() || !w.callsCreated() && w.search.Corpus.Knows(latest.Run.Path) {
		return
	}
	w.created = nil
	s, now, found := w.search.Subject, latest.After, 0
	for _, d := range now.Diff(s.Start.World) {
		of := s.Program.ContractAt(now, d.Address)
		if of == nil || s.Start.World.Code(d.Address) != nil {
			continue
		}
		if found++; found > maxCreated {
			break
		}
		w.search.Generator.Mutation.Addresses.See(d.Address)
		if !w.callsCreated() {
			continue
		}
		for _, f := range s.Suite.Created.Functions(of) {
			w.created = append(w.created, demand.Callee{Address: d.Address, Function: f})
		}
	}
}

// begin begins a walk. Where properties are checked at the end of runs, most are
// whole runs, half of which go on from an entry of the corpus.
func (w *walk) begin() {
	g := w.search.Generator
	w.taken, w.failed, w.longest = nil, 0, 1+g.Random.IntN(walks[g.Random.IntN(len(walks))])
	w.run.calls, w.created = nil, nil
	if w.run.whole = w.run.depth > 0 && g.Random.IntN(4) > 0; !w.run.whole {
		return
	}
	w.longest = w.run.depth
	if all := w.search.Corpus.Entries; len(all) > 0 && g.Random.IntN(2) == 0 {
		if e := all[g.Random.IntN(len(all))]; e.Success && !program.IsProperty(e.Sequence.Last().Function) {
			w.taken = e.Sequence.Txs[:min(len(e.Sequence.Txs), w.run.depth-1)]
		}
	}
	w.run.calls = slices.Clone(w.taken)
}

// mostFailed is how many calls in a row may fail. In a whole run they count, and
// those that are rejected end it.
func (w *walk) mostFailed() int {
	if w.run.whole {
		return w.run.depth + maxFailed
	}
	return maxFailed
}

// end makes the whole run with the calls that failed: only what is of its length
// shows in it.
func (w *walk) end() *search.Candidate {
	w.next, w.short = w.from(input.Sequence{Deployment: w.search.Subject.Deployment.Record, Txs: w.run.calls}), nil
	w.next.KeepFailing = true
	w.taken = w.run.calls // that was it
	return w.next
}

// addressed names the sender in place of some addresses: owners call for
// themselves, and who pays to itself is what contracts forget.
func (w *walk) addressed(tx input.Tx) input.Tx {
	for i := range tx.Args {
		if tx.Args[i].Type.Kind == input.KindAddress && w.search.Generator.Random.IntN(4) == 0 {
			tx = tx.WithArg([]int{i}, input.NewAddress(tx.From.Address()))
		}
	}
	return tx
}

// The share of the work that shortening may take, and what it may take at first.
const (
	shortenShare   = 0.15
	shortenInitial = 50e6
)

// maxShortenings bounds the runs to shorten one sequence.
const maxShortenings = 48

// shorten returns a result of the walk with a new path, without the calls that the
// path does not need: other inputs build on the first sequence that reaches a
// state, and each of its calls would be in all of them. It returns other results
// as they are.
func (w *walk) shorten(r *search.Result) *search.Result {
	if r.Candidate == w.next {
		w.findCreated(r)
	}
	if r.Candidate != w.next || w.run.ends(r) || !r.Fast() || len(r.Sequence.Txs) < 3 || w.search.Corpus.Knows(r.Run.Path) || !w.budget.Allows(w.search.Progress.Work) {
		return r
	}
	r.Run.Keep()
	path, tries := r.Run.Path, 0
	for size := (len(r.Sequence.Txs) - 1) / 2; size > 0; size /= 2 {
		for at := len(r.Sequence.Txs) - 1 - size; at >= 0 && tries < maxShortenings; at -= size {
			tries++
			shorter := input.Sequence{Deployment: r.Sequence.Deployment, Txs: slices.Delete(slices.Clone(r.Sequence.Txs), at, at+size)}
			next := search.Execute(w.executor, w.from(shorter))
			w.budget.Spent += uint64(next.Ran) * exec.Cost(w.executor.Machine, exec.RecordedStep)
			if next.Fast() && next.Run.Path == path {
				r, w.short = next, next.Candidate
				r.Run.Keep()
			}
		}
	}
	return r
}

// from makes a candidate of the walk.
func (w *walk) from(s input.Sequence) *search.Candidate {
	next := w.search.Generator.FromStart(s)
	next.Origin = w.origin
	return next
}

// Learn goes on from a call that succeeded.
func (w *walk) Learn(r *search.Result) {
	if r.Candidate != w.next && (r.Candidate != w.short || w.short == nil) {
		return
	}
	switch {
	case r.PrefixFailed:
		w.failed = w.mostFailed()
	case r.Succeeded() && !r.Outcome.Slow:
		w.search.Corpus.Keep(r)
		w.advance()
	default:
		w.failed++
		if !w.search.Subject.Suite.Rejects(&r.Outcome) {
			w.count()
		}
		if w.executor.Waits(r.Sequence.Last(), &r.Outcome) && w.search.Generator.Random.IntN(waitOneIn) == 0 {
			w.taken = r.Sequence.Txs
		}
	}
}

// Repeat goes on from a call that was made before: whether it succeeded, the next
// one tells. Whole runs, and walks that call what they create, have to know at
// once.
func (w *walk) Repeat(r *search.Repeat) {
	switch {
	case r.Candidate != w.next:
	case w.run.whole || w.callsCreated():
		result := search.Execute(w.executor, r.Candidate)
		w.findCreated(result)
		w.Learn(result)
	default:
		w.advance()
	}
}

func (w *walk) advance() {
	w.taken, w.failed = w.next.Sequence.Txs, 0
	w.count()
}

// count counts the last call in a whole run.
func (w *walk) count() {
	if w.run.whole && !w.next.KeepFailing {
		w.run.calls = append(w.run.calls, *w.next.Sequence.Last())
	}
}
