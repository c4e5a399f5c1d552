package triage

import (
	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/replay"
	"leveret/engine/search"
)

// A witness is the witness of a verdict while it is shrunk. It decides whether an
// attempt still shows the verdict, by the cheapest execution that can: one that
// records coverage, from the first transaction that differs. The oracle executes
// only attempts of a kind that it has not decided yet.
type witness struct {
	run        *runner
	checker    *Checker
	original   input.Sequence
	verdict    Verdict // of the original
	shrinking  *replay.Shrinking
	shortened  []input.Sequence // to try before it: without calls that lead nowhere
	shortcuts  *shortcuts       // to try after it; nil: it goes on, or there are none
	budget     int              // attempts at first
	oracles    []*oracle.Oracle
	properties []property

	states  []reachedState // before each transaction of the best sequence
	tried   []reachedState // of the latest attempt
	outcome evm.Outcome    // of its last transaction
	decided map[kindOfRun]bool
	exact   bool // the oracle decides each attempt
}

// A reachedState is a state and how far in a run it is.
type reachedState struct {
	exec.State
	run search.Reached
}

// A kindOfRun is what decides an oracle's answer about the last transaction: the
// check that failed, or the path with what happened on it.
type kindOfRun struct {
	failure   cover.Failure
	path      cover.PathID
	suspicion cover.Suspicion
	wraps     uint64
}

// newWitness starts to shrink a sequence that shows v in its last transaction,
// with at most budget attempts.
func newWitness(c *Checker, s input.Sequence, v Verdict, budget int) *witness {
	w := &witness{run: c.run, checker: c, original: s, verdict: v, budget: budget}
	w.oracles, w.properties = c.of(v.key)
	w.shrinking = w.newShrinking(s, budget)
	return w
}

// newShrinking starts to shrink a sequence. Whole runs keep their length.
func (w *witness) newShrinking(s input.Sequence, budget int) *replay.Shrinking {
	if w.whole() {
		return replay.NewRunShrinking(s, budget)
	}
	return replay.NewShrinking(s, budget)
}

// whole reports whether only whole runs show the verdict.
func (w *witness) whole() bool {
	return len(w.properties) > 0 && w.checker.properties.atEnd(w.properties[0])
}

// start executes the original sequence.
func (w *witness) start() {
	w.states, w.decided = []reachedState{{State: w.run.start}}, map[kindOfRun]bool{}
	run, seen := w.execute(replay.Attempt{Sequence: w.original})
	w.states = w.tried
	if kind, ok := w.kind(run); ok && w.hinted(&seen) {
		w.decided[kind] = true
	}
	if w.shortened = nil; !w.whole() {
		digests := worldDigests(w.states)
		for _, far := range []bool{true, false} {
			if s := withoutLoops(w.original, w.states, digests, far); len(s.Txs) < len(w.original.Txs) {
				w.shortened = append(w.shortened, s)
			}
		}
	}
}

// step executes the next attempt; false if there is none. A cancelled step has no
// effect.
func (w *witness) step() bool {
	attempt, ok := w.shrinking.Next()
	if !ok {
		return w.shortcut()
	}
	if w.states == nil {
		if w.start(); w.run.cancelled {
			w.states = nil
			return true
		}
	}
	if len(w.shortened) > 0 {
		w.shorten()
		return true
	}
	shown := w.shows(attempt)
	if w.run.cancelled {
		return true
	}
	if shown {
		w.states = w.tried
	}
	w.shrinking.Tell(shown)
	return true
}

// shorten tries the original sequence without calls that lead nowhere.
func (w *witness) shorten() {
	s := w.shortened[0]
	shown := w.shows(replay.Attempt{Sequence: s})
	if w.run.cancelled {
		return
	}
	if w.shortened = w.shortened[1:]; shown {
		w.states, w.shortened, w.shrinking = w.tried, nil, w.newShrinking(s, w.shrinking.Left())
	}
}

// shortcut looks for a shorter way to what the shrunk sequence shows; false if
// there is none. What it finds is shrunk.
func (w *witness) shortcut() bool {
	if w.shortcuts == nil {
		if w.shortcuts = newShortcuts(w, false); w.shortcuts == nil {
			return false
		}
	}
	txs, more := w.shortcuts.step()
	if txs != nil {
		s := input.Sequence{Deployment: w.original.Deployment, Txs: txs}
		w.states, w.shortcuts, w.shrinking = w.tried, nil, w.newShrinking(s, w.shrinking.Left())
	}
	if !more && !w.shortcuts.exact {
		w.shortcuts = newShortcuts(w, true)
		return true
	}
	return more
}

// shows reports whether an attempt shows the verdict in its last transaction.
func (w *witness) shows(a replay.Attempt) bool {
	run, seen := w.execute(a)
	if len(w.properties) > 0 {
		before := &w.tried[len(a.Sequence.Txs)-1]
		after := exec.State{World: seen.After, Block: before.Block.After(seen.Tx().Delay)}
		at := w.checker.properties.next(before.run, seen.Tx(), &w.outcome, seen.After)
		return w.checker.properties.breaks(w.properties[0], &call{seen.Tx(), &w.outcome, before.State, after, at})
	}
	if !w.hinted(&seen) {
		return false
	}
	if w.oracles[0].FailedCheck {
		if _, fails := w.failure(run); !fails {
			return false
		}
	}
	kind, ok := w.kind(run)
	if !ok {
		return w.confirm(a.Sequence)
	}
	shown, known := w.decided[kind]
	if !known {
		shown = w.confirm(a.Sequence)
		w.decided[kind] = shown
	}
	return shown
}

// hinted reports whether the oracle may have something to report.
func (w *witness) hinted(seen *oracle.Observation) bool {
	return len(w.oracles) > 0 && w.oracles[0].Hint(seen)
}

// execute runs an attempt and records its last transaction. As in check,
// transactions that fail have no effect.
func (w *witness) execute(a replay.Attempt) (*cover.Run, oracle.Observation) {
	txs := a.Sequence.Txs
	last := len(txs) - 1
	first := min(a.First, last)
	w.tried = append(w.states[:first:first], w.states[first])
	for i := first; i < last; i++ {
		at := w.tried[i]
		next, outcome := w.run.transact(at.State, &txs[i], nil)
		at.run = w.checker.properties.next(at.run, &txs[i], &outcome, next.World)
		if outcome.Status == evm.Success {
			at.State = next
		}
		w.tried = append(w.tried, at)
	}
	before := w.tried[last]
	next, outcome, run := w.run.watch(before.State, &txs[last])
	w.outcome = outcome
	return run, w.checker.hints.observation(txs, before.World, next.World, outcome.Status, run)
}

// failure returns the failure of a run at the instruction of the verdict.
func (w *witness) failure(run *cover.Run) (f cover.Failure, ok bool) {
	site := w.verdict.report.Trail[0]
	for _, f = range run.Failures {
		if f.Code == site.Code && f.PC == site.PC {
			return f, true
		}
	}
	return f, false
}

// kind returns what decides the oracle's answer about a run; false if values
// decide it, too.
func (w *witness) kind(run *cover.Run) (k kindOfRun, ok bool) {
	if w.exact || len(w.oracles) == 0 {
		return k, false
	}
	o := w.oracles[0]
	if o.FailedCheck {
		if k.failure, ok = w.failure(run); !ok {
			return k, false
		}
		if !w.checker.taints(o) || w.checker.severities.of(&w.verdict.report) <= finding.Information {
			return k, true
		}
	}
	if !o.ByPath {
		return k, false
	}
	k.path, k.suspicion = run.Path, run.Suspicion
	for _, site := range run.Wraps {
		x := uint64(site) * 0x9e3779b97f4a7c15
		k.wraps += x ^ x>>29
	}
	return k, true
}

// confirm has the oracle check a sequence.
func (w *witness) confirm(s input.Sequence) bool {
	_, ok := w.verdictOn(s)
	return ok
}

// verdictOn returns the verdict of the oracle on a sequence, if it is as severe
// and at the same place.
func (w *witness) verdictOn(s input.Sequence) (Verdict, bool) {
	v, ok := w.checker.shows(s, w.verdict.key, w.verdict.Place.Span, repeating)
	return v, ok && w.checker.severities.of(&v.report) >= w.checker.severities.of(&w.verdict.report)
}

// best returns the shortest witness and what it shows, once there is nothing left
// to try; false if the oracle disagrees with what was decided without it. Then it
// decides everything from the start, and there is more to try.
func (w *witness) best() (input.Sequence, Verdict, bool) {
	s := w.shrinking.Best()
	if v, ok := w.verdictOn(s); ok {
		s.Txs = s.Txs[:v.tx+1]
		return s, v, true
	}
	if w.run.cancelled {
		return s, w.verdict, false
	}
	if !w.exact {
		w.exact, w.states, w.shortcuts, w.shrinking = true, nil, nil, w.newShrinking(w.original, w.budget)
		return s, w.verdict, false
	}
	return w.original, w.verdict, true
}

// changed reports whether shrinking found another witness.
func (w *witness) changed() bool {
	return input.Digest(w.shrinking.Best()) != input.Digest(w.original)
}
