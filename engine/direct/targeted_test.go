package direct

import (
	"reflect"
	"testing"

	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/engine/search"
	"leveret/engine/search/searchtest"
)

// For a branch in shared code, the nearest entry is one of a function that can
// reach the target, even if another function came nearer.
func TestNearestCanReachTarget(t *testing.T) {
	b := searchtest.Compile(t, "../testdata/Aimed.sol")
	d := beginGuided(t, b, "Aimed", lines(t, b, "done = 1;"))
	if got := names(d.guide.callees); got != "lone" {
		t.Fatalf("%s can reach the target", got)
	}
	d.run(1500)
	busy := d.Corpus.ByCallee(d.Callee(t, "busy").Callee)
	if len(busy) == 0 {
		t.Fatal("busy has no entry")
	}
	drawn := 0
	for _, branch := range d.Corpus.Missed() {
		if !d.guide.Relevant(branch) {
			continue
		}
		d.Corpus.Approach(branch, busy[0], new(uint256.Int))
		for range 50 {
			e := d.guide.nearest(branch)
			if e == nil {
				continue
			}
			if drawn++; !d.guide.reaches[demand.CalleeOf(e.Sequence.Last())] {
				t.Fatalf("%v is the nearest entry", e.Sequence)
			}
		}
	}
	if drawn == 0 {
		t.Error("no entry comes near a branch on the way to the target")
	}
}

// An influence is a single word whose change changed the distance from an
// uncovered branch on the way to a target.
func TestInfluences(t *testing.T) {
	for _, row := range []struct {
		name              string
		single, ahead     bool
		was, is, expected int
	}{
		{"nearer", true, true, 5, 4, 1},
		{"farther", true, true, 5, 6, 1},
		{"equal", true, true, 5, 5, 0},
		{"several words", false, true, 5, 4, 0},
		{"another branch", true, false, 5, 4, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			d, parent := beginAtRun(t)
			branch := uncovered(d, row.ahead)
			learnChange(d, parent, branch, row.single, row.was, row.is)
			list := d.guide.influences.of(branch, parent)
			if len(list) != row.expected {
				t.Fatalf("%d influences, want %d", len(list), row.expected)
			}
			if len(list) > 0 && (list[0].index != 1 || list[0].back != 0 || list[0].function != parent.Function()) {
				t.Errorf("the influence is %+v", list[0])
			}
		})
	}
}

// Most targeted inputs change a word that influences the branch to cover, and
// nothing else.
func TestTargetedInputsChangeInfluences(t *testing.T) {
	d, parent := beginAtRun(t)
	branch := uncovered(d, true)
	learnChange(d, parent, branch, true, 5, 4)
	d.Corpus.Approach(branch, parent, uint256.NewInt(5))
	was := parent.Sequence.Last()
	changed, values := 0, map[uint256.Int]bool{}
	const draws = 400
	for range draws {
		c := d.targeted.Next()
		if c == nil || c.Parent != parent || len(c.Sequence.Txs) != 1 {
			continue
		}
		is := c.Sequence.Last()
		if is.From == was.From && is.Delay == was.Delay && reflect.DeepEqual(is.Args[0], was.Args[0]) && reflect.DeepEqual(is.Args[2], was.Args[2]) {
			changed++
			values[is.Args[1].Word] = true
		}
	}
	if changed < draws*3/4 || len(values) < draws/8 {
		t.Errorf("%d of %d inputs change the word alone, to %d values", changed, draws, len(values))
	}
}

// beginAtRun begins a search with an entry that calls run of Aimed.
func beginAtRun(t *testing.T) (*directedSearch, *corpus.Entry) {
	t.Helper()
	b := searchtest.Compile(t, "../testdata/Aimed.sol")
	d := beginGuided(t, b, "Aimed", lines(t, b, "done += much;"))
	r := d.Execute(d.Generator.Single(d.Generator.NewTx(d.Callee(t, "run").Callee), nil))
	return d, r.Entry
}

// uncovered returns the uncovered branch that is nearest to a target, or one
// that is irrelevant.
func uncovered(d *directedSearch, ahead bool) cover.Branch {
	first, end := d.Subject.Cover.Branches(d.Subject.Code)
	var list []cover.Branch
	for b := first; b < end; b++ {
		if !d.Corpus.Covered(b) && d.guide.relevant(b) == ahead {
			list = append(list, b)
		}
	}
	if ahead {
		list = d.guide.ByDistance(list)
	}
	return list[0]
}

// learnChange has the targeted source learn from a change of the second
// argument that changed the distance from a branch.
func learnChange(d *directedSearch, parent *corpus.Entry, b cover.Branch, single bool, was, is int) {
	metric := cover.BranchMetric(b, 0)
	parent.Costs = []cover.Cost{{Metric: metric, Value: *uint256.NewInt(uint64(was))}}
	change := mutate.Diff{Single: single, Param: input.Parameters(parent.Sequence.Last())[1]}
	r := &search.Result{Candidate: &search.Candidate{Job: exec.Job{Sequence: parent.Sequence}, Parent: parent, Change: change}, Known: parent}
	r.Run.Costs = []cover.Cost{{Metric: metric, Value: *uint256.NewInt(uint64(is))}}
	d.targeted.Learn(r)
}
