package solve

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/direct"
	"leveret/engine/input"
	"leveret/engine/search"
)

// A taintQueue ranks the entries that wait for a taint run: there are more than
// a campaign has budget for.
type taintQueue struct {
	search  *search.Search
	guide   *direct.Guide
	shared  *sharedChecks
	entries []queued
	runs    map[cover.Metric]int // taint runs by goal
	routes  map[route]int        // taint runs of known paths for a branch
}

type queued struct {
	*corpus.Entry
	last  bool           // comes after the others: it can reach no target
	runs  int            // of the goal in its sight that had the fewest
	costs []cover.Cost   // of the Entry when goals was set
	goals []cover.Metric // in its sight that were open then: goals are not opened again
}

// A route is a way to come near a branch: the functions called, in order; 0
// stands for all routes.
type route struct {
	branch cover.Branch
	calls  uint64
}

// Bounds of the taint runs for an uncovered branch, new paths apart: on one
// route, and on all.
const (
	runsPerRoute  = 4
	runsPerBranch = 48
)

// maxQueued bounds the entries that wait.
const maxQueued = 128

// runsPerGoal bounds the taint runs for one goal, on any path; runsPerReturn those to
// learn what decides a boolean that a function returns.
const (
	runsPerGoal   = 40
	runsPerReturn = 16
)

// extraRunEvery is after how many inputs a goal gets one more run: a campaign
// that goes on reaches states that were out of reach.
const extraRunEvery = 32

func newTaintQueue(s *search.Search, g *direct.Guide, shared *sharedChecks) taintQueue {
	return taintQueue{search: s, guide: g, shared: shared, runs: map[cover.Metric]int{}, routes: map[route]int{}}
}

// limit returns how many runs a goal may have by now that had n at first.
func (q *taintQueue) limit(n int) int { return n + q.search.Progress.Inputs/extraRunEvery }

// worth reports whether a result on a known path deserves a taint run: it came
// nearer to an uncovered branch, or transactions put before it changed the
// distance from one.
func (q *taintQueue) worth(r *search.Result) bool {
	nearer := r.Entry != nil
	this := route{calls: hashCalls(r.Sequence.Txs)}
	for i := range r.Run.Costs {
		cost := &r.Run.Costs[i]
		b, ok := cost.Metric.Branch()
		if !ok || q.search.Corpus.Covered(b) || !q.search.Branches.Wanted(b) {
			continue
		}
		if !nearer {
			if r.Parent == nil || !r.Change.Shape {
				return false
			}
			if was, ok := r.Parent.Cost(cost.Metric); ok && was.Eq(&cost.Value) {
				continue
			}
		}
		this.branch = b
		all := route{branch: b}
		if n := q.routes[this]; n == 0 || n < runsPerRoute && q.routes[all] < q.limit(runsPerBranch) {
			q.routes[this]++
			q.routes[all]++
			return true
		}
	}
	return false
}

// learns reports whether a taint run of a result may tell what decides a boolean that a
// function returns, though no uncovered code lies ahead.
func (q *taintQueue) learns(r *search.Result) bool {
	return slices.ContainsFunc(r.Run.Costs, func(c cover.Cost) bool { return c.Metric.Returned() && q.asks(c.Metric) })
}

// asks reports whether taint runs may still learn what decides a returned boolean.
func (q *taintQueue) asks(goal cover.Metric) bool { return q.runs[goal] < runsPerReturn }

// hashCalls hashes the functions that transactions call, in order; never 0.
func hashCalls(txs []input.Tx) uint64 {
	h := uint64(14695981039346656037)
	for i := range txs {
		for _, b := range txs[i].To[16:] {
			h = (h ^ uint64(b)) * 1099511628211
		}
		for _, b := range txs[i].Function.Selector {
			h = (h ^ uint64(b)) * 1099511628211
		}
	}
	return h | 1
}

// add queues an entry. It drops those with the most runs if too many wait.
func (q *taintQueue) add(e *corpus.Entry) {
	tx := e.Sequence.Last()
	if q.guide.Irrelevant(tx) {
		return
	}
	q.entries = append(q.entries, queued{Entry: e, last: q.guide.SkipsTx(tx)})
	if len(q.entries) >= 2*maxQueued {
		q.rank()
		q.entries = slices.Delete(q.entries, 0, max(0, len(q.entries)-maxQueued))
	}
}

func (q *taintQueue) waits() bool { return len(q.entries) > 0 }

// take removes the entry to run next; nil if none has an open goal any more.
func (q *taintQueue) take() *corpus.Entry {
	q.rank()
	if len(q.entries) == 0 {
		return nil
	}
	last := len(q.entries) - 1
	e := q.entries[last].Entry
	q.entries = q.entries[:last]
	return e
}

// rank sorts the queue and drops entries without an open goal. The entry whose
// goal had the fewest runs comes last, and of those the newest: what a campaign
// meets late is often what it looked for all the time.
func (q *taintQueue) rank() {
	for i := range q.entries {
		p := &q.entries[i]
		q.look(p)
		p.runs = math.MaxInt
		for _, goal := range p.goals {
			p.runs = min(p.runs, q.runs[goal])
		}
	}
	q.entries = slices.DeleteFunc(q.entries, func(p queued) bool { return p.runs == math.MaxInt })
	slices.SortStableFunc(q.entries, func(a, b queued) int {
		switch {
		case a.last == b.last:
			return cmp.Compare(b.runs, a.runs)
		case a.last:
			return -1
		}
		return 1
	})
}

// look brings the open goals of an entry up to date. Most are closed when it is looked at
// first, so that what is looked at again are few.
func (q *taintQueue) look(p *queued) {
	if len(p.costs) != len(p.Costs) || len(p.costs) > 0 && &p.costs[0] != &p.Costs[0] { // the first time, or they were measured again
		p.costs, p.goals = p.Costs, slices.Collect(q.openGoals(p.Entry))
		return
	}
	uncovered := q.search.Corpus.UncoveredBy(p.Sequence.Last())
	p.goals = slices.DeleteFunc(p.goals, func(goal cover.Metric) bool {
		b, ok := goal.Branch()
		return ok && !uncovered(b) && !q.shared.waits(b, p.Entry)
	})
}

// openGoals yields the goals that e came near, that are uncovered and that the
// search is after.
func (q *taintQueue) openGoals(e *corpus.Entry) iter.Seq[cover.Metric] {
	return func(yield func(cover.Metric) bool) {
		uncovered := q.search.Corpus.UncoveredBy(e.Sequence.Last())
		for i := range e.Costs {
			goal := e.Costs[i].Metric
			if b, ok := goal.Branch(); ok {
				if !uncovered(b) && !q.shared.waits(b, e) || !q.search.Branches.Wanted(b) {
					continue
				}
				goal = cover.BranchMetric(b, 0)
			}
			if goal.Returned() && !q.asks(goal) {
				continue
			}
			if !yield(goal) {
				return
			}
		}
	}
}

// open reports whether e came near a goal that may have another run, and counts
// it.
func (q *taintQueue) open(e *corpus.Entry) bool {
	open := false
	for goal := range q.openGoals(e) {
		b, ok := goal.Branch()
		if ok && q.guide.Skips(b, e.Sequence.Last()) {
			continue
		}
		shared := ok && q.shared.waits(b, e)
		if shared {
			q.shared.count(b, e)
		}
		if shared || q.runs[goal] < q.limit(runsPerGoal) {
			q.runs[goal]++
			open = true
		}
	}
	return open
}
