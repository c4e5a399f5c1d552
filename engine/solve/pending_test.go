package solve

import (
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/input"
	"leveret/engine/search"
)

// goal returns a goal that is no branch.
func goal(n uint64) cover.Metric { return cover.Metric(1<<62 | n) }

// near returns an entry that came near some goals.
func near(number int, goals ...cover.Metric) *corpus.Entry {
	tx := input.Tx{To: common.Address{1}, Function: &input.Function{Name: "f"}}
	e := &corpus.Entry{Number: number, Sequence: input.Sequence{Txs: []input.Tx{tx}}}
	for _, g := range goals {
		e.Costs = append(e.Costs, cover.Cost{Metric: g})
	}
	return e
}

func emptyQueue() taintQueue {
	return newTaintQueue(&search.Search{Progress: &search.Progress{}}, nil, nil)
}

// The entry to run next is the one with the goal that had the fewest runs, and
// of these the newest. Entries that can reach no target come after all others,
// and those without a goal are dropped.
func TestTaintQueueOrder(t *testing.T) {
	often, seldom, never := goal(1), goal(2), goal(3)
	q := emptyQueue()
	q.runs[often], q.runs[seldom] = 9, 2
	q.entries = []queued{
		{Entry: near(0, often)},
		{Entry: near(1, never, seldom)},
		{Entry: near(2, never), last: true},
		{Entry: near(3)},
		{Entry: near(4, often, seldom)},
		{Entry: near(5, often)},
	}
	var order []int
	for q.waits() {
		if e := q.take(); e != nil {
			order = append(order, e.Number)
		}
	}
	if want := []int{1, 4, 5, 0, 2}; !slices.Equal(order, want) {
		t.Errorf("the order is %v, want %v", order, want)
	}
	q.entries = []queued{{Entry: near(6)}}
	if e := q.take(); e != nil || q.waits() {
		t.Error("an entry without a goal is taken, or kept")
	}
}

// The queue drops entries when too many wait: those with the goals that had the
// most runs.
func TestTaintQueueIsBounded(t *testing.T) {
	often, never := goal(1), goal(2)
	q := emptyQueue()
	q.runs[often] = 1
	for n := range 3*maxQueued + 1 {
		g := often
		if n%8 == 0 {
			g = never
		}
		q.add(near(n, g))
		if len(q.entries) >= 2*maxQueued {
			t.Fatalf("%d entries wait", len(q.entries))
		}
	}
	kept := 0
	for _, e := range q.entries {
		if e.Costs[0].Metric == never {
			kept++
		}
	}
	if want := (3*maxQueued + 8) / 8; kept != want {
		t.Errorf("%d entries with a goal without runs wait, want %d", kept, want)
	}
}

// A goal has a limited number of runs, and more as the campaign goes on.
func TestTaintQueueLimitsRuns(t *testing.T) {
	q := emptyQueue()
	a, both := near(0, goal(1)), near(1, goal(1), goal(2))
	for n := range runsPerGoal {
		if !q.open(a) {
			t.Fatalf("no run after %d of %d", n, runsPerGoal)
		}
	}
	if q.open(a) || q.open(near(2)) {
		t.Error("a goal has too many runs, or no goal has one")
	}
	if !q.open(both) || q.runs[goal(2)] != 1 || q.runs[goal(1)] != runsPerGoal {
		t.Errorf("the runs are %v", q.runs)
	}
	q.search.Progress.Inputs = 2 * extraRunEvery
	more := 0
	for q.open(a) {
		more++
	}
	if more != 2 {
		t.Errorf("%d more runs after %d inputs, want 2", more, q.search.Progress.Inputs)
	}
}
