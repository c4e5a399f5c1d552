package engine

import (
	"context"
	"time"

	"leveret/engine/cover"
	"leveret/engine/coverage"
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/search"
	"leveret/engine/triage"
)

// A worker searches by itself, in one goroutine: it has a corpus, sources and a
// triage of its own, and learns from what it executes. Of other workers it gets
// the inputs that covered something, see exchange.
type worker struct {
	number   int
	options  *Options
	clock    *clock
	budget   *budget
	notifier *notifier
	executor *exec.Executor // of inputs
	replayer *exec.Executor // of everything else
	search   *search.Search
	sources  *sources
	strategy strategy
	repeats  repeats
	recorder recorder
	triage   *triage.Triage
	texts    texts
	attempts *attempts     // nil: nobody asks
	result   search.Result // of the running input
	reported time.Time     // when it reported its progress last
	tries    uint64        // of inputs
	turn     uint64        // effort when its turn ends; 0: it does not
	begun    int           // inputs before it
}

// fuzz tries inputs until the turn or the campaign is over.
func (w *worker) fuzz(ctx context.Context) {
	for !w.spent(ctx) && (w.turn == 0 || w.effort() < w.turn) && w.budget.take() {
		w.tries++
		if r := w.execute(); r != nil {
			w.learn(r)
		}
		w.triage.Release()
		w.confirm()
		w.report()
	}
}

// choice is what it takes to make and to learn from an input, beside its execution, in
// units of exec.Budget. Measured on fuzz tests of public projects, November 2026.
const choice = 15_000

// effort is what the worker did so far, in units of exec.Budget. Turns are measured in
// it, so that they do not depend on a clock.
func (w *worker) effort() uint64 { return w.search.Progress.Work + choice*w.tries }

// spent reports whether the turn or the campaign is over.
func (w *worker) spent(ctx context.Context) bool {
	return ctx.Err() != nil || w.budget.spent() || w.clock.rests()
}

// execute executes the next input; nil if there is none. The result is valid until the
// next call.
func (w *worker) execute() *search.Result {
	next, ready := w.repeats.next(w.strategy.next)
	if next == nil {
		return nil
	}
	w.result = search.Result{Candidate: next, Result: w.executor.Run(&ready)}
	return w.sources.walk.shorten(&w.result)
}

// learn records a result and lets the sources and the triage learn from it.
func (w *worker) learn(r *search.Result) {
	if r.Outcome.Unfinished() {
		return // the campaign is over
	}
	w.repeats.remember(r)
	if w.options.Executed != nil {
		w.notifier.executed(w.options.Executed, r.Sequence)
	}
	w.budget.count(w.search.Subject.Rejects(r))
	w.recorder.record(r)
	w.attempts.count(r, w.search.Progress)
	w.strategy.learn(r, false)
	w.triage.Learn(r)
	w.strategy.learn(r, true)
}

// repeat counts an input that is not executed, as it was before.
func (w *worker) repeat(r *search.Repeat) {
	w.recorder.Repeat(r)
	w.strategy.repeat(r)
}

// found reports a finding.
func (w *worker) found(f *finding.Finding, from *search.Origin) {
	from.Stat.Findings++
	w.notifier.found(f, w.tally(false))
}

// shrunk reports the shrunk form of a finding.
func (w *worker) shrunk(f *finding.Finding) { w.notifier.shrunk(f, w.tally(false)) }

// report reports the progress when it is due.
func (w *worker) report() {
	if now := w.clock.now(); due(&w.reported, now, progressInterval) {
		w.notifier.report(w.tally(due(&w.texts.at, now, saveInterval)))
	}
}

// A tally is what a worker has done so far. It does not change.
type tally struct {
	worker   int
	stats    finding.Stats
	coverage coverage.Tally
	paths    []cover.PathID // that are new since the tally before
	inputs   []text         // its corpus; nil: as in the tally before
}

// tally sums up what the worker did, and what its corpus is saved as if that is
// wanted.
func (w *worker) tally(saved bool) *tally {
	t := &tally{worker: w.number, coverage: w.recorder.coverage.Tally()}
	if saved && w.options.Corpus != "" {
		t.inputs = w.texts.list(w.search.Corpus, w.sources.seeds.waiting())
	}
	t.paths = w.search.Corpus.TakePaths()
	t.stats = finding.Stats{
		Inputs:       w.search.Progress.Inputs,
		Transactions: w.recorder.transactions,
		Work:         w.search.Progress.Work,
		Predicted:    w.sources.solving.Predictions.Stats(),
		Lookahead:    w.recorder.lookahead.Stats(),
		Shadow:       w.sources.solving.Solver.Effort(),
		Triage:       w.triage.Effort(),
		Scripted:     w.executor.Scripted,
		Reuse:        w.executor.Prefixes.Reuse,
		Sources:      map[string]finding.SourceStat{},
		Unconfirmed:  w.triage.Unconfirmed(),
		Rejected:     w.recorder.rejected,
		Reverts:      w.recorder.reverts,
	}
	for _, r := range w.strategy.rows {
		t.stats.Sources[r.Name] = r.Stat
		t.stats.Reuse.Repeats += r.Stat.Repeats
	}
	return t
}
