package engine

import (
	"leveret/engine/deploy"
	"leveret/engine/input"
	"leveret/engine/search"
)

// walk makes sequences of random calls, one call longer each time, as the fuzzers
// do that invariants and properties are written for: where handlers keep the
// inputs valid, what matters is which states the calls lead to, and no branch
// tells. A call that fails is tried once and left out.
type walk struct {
	search  *search.Search
	origin  *search.Origin
	turn    int
	handler []deploy.Callee
	longest int
	taken   []input.Tx // so far; all succeeded
	next    *search.Candidate
	failed  int // calls in a row
}

// After how many failing calls a walk ends, and which share of the inputs walks
// get. Predictions alone would fill the start of a campaign.
const (
	walkEvery = 3
	maxFailed = 12
)

// walks are the lengths of walks, drawn at random. Most are short: others build
// on the first sequence that reaches a state.
var walks = [...]int{8, 8, 24, 100}

// observedOfWalks is how many transactions taint runs observe where there are
// walks: to observe all of a long sequence costs as much as thousands of inputs.
const observedOfWalks = 6

func newWalk(s *search.Search) *walk {
	w := &walk{search: s, origin: named("walk"), longest: walks[0]}
	for _, callee := range s.Subject.Callees {
		if !callee.Function.Property {
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
	if len(w.taken) >= w.longest || w.failed >= maxFailed {
		w.taken, w.failed, w.longest = nil, 0, 1+g.Random.IntN(walks[g.Random.IntN(len(walks))])
	}
	callee := w.handler[g.Random.IntN(len(w.handler))]
	var tx input.Tx
	if g.Random.IntN(3) == 0 {
		tx = g.Example(callee.Callee)
		tx.From = input.RandomSender(g.Random, callee.Function)
	} else {
		tx = g.NewTx(callee.Callee)
	}
	txs := append(w.taken[:len(w.taken):len(w.taken)], tx)
	w.next = g.FromStart(input.Sequence{Deployment: w.search.Subject.Deployment.Record, Txs: txs})
	w.next.Origin = w.origin
	return w.next
}

// Learn goes on from a call that succeeded.
func (w *walk) Learn(r *search.Result) {
	if r.Candidate != w.next {
		return
	}
	switch {
	case r.PrefixFailed:
		w.failed = maxFailed
	case r.Succeeded() && !r.Outcome.Slow:
		w.search.Corpus.Keep(r)
		w.advance()
	default:
		w.failed++
	}
}

// Repeat goes on from a call that was made before: whether it succeeded, the next
// one tells.
func (w *walk) Repeat(r *search.Repeat) {
	if r.Candidate == w.next {
		w.advance()
	}
}

func (w *walk) advance() { w.taken, w.failed = w.next.Sequence.Txs, 0 }
