package solve

import (
	"testing"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/input"
	"leveret/engine/search"
	"leveret/engine/search/searchtest"
	"leveret/engine/shadow"
)

// solvedFrom makes taint runs of entries, from the first one on, and executes what
// the solver makes of them. It returns how many inputs that takes until an
// assertion fails; 0 if none does within the limit.
func (s *solving) solvedFrom(first *search.Result, limit int) int {
	sources := []func() *search.Candidate{s.Queue.TakeUnmet, s.Jointly.Next, s.Solver.Next}
	inputs := 0
	for queue := []*corpus.Entry{first.Entry}; len(queue) > 0; queue = queue[1:] {
		s.Solver.solve(queue[0])
		for _, source := range sources {
			for next := source(); next != nil && inputs < limit; next = source() {
				r := s.Execute(next)
				inputs++
				if ret := r.Outcome.Return; r.Shows(cover.Panicked) && ret[len(ret)-1] == 1 {
					return inputs
				}
				if r.Entry != nil {
					queue = append(queue, r.Entry)
				}
			}
		}
	}
	return 0
}

// coupled lists functions of testdata/Coupled.sol, and how many inputs each may
// take from a call with zeros on.
var coupled = []struct {
	function string
	limit    int
	alone    bool // the solver meets the conditions one by one, too
}{
	{"equations", 40, false}, {"mixed", 40, false}, {"increasing", 80, false}, {"hashed", 80, true},
}

// zeros calls a function with zeros after what a result executed, if any.
func (s *solving) zeros(t *testing.T, after *search.Result, name string) *search.Result {
	t.Helper()
	c := s.Callee(t, name)
	tx := input.Tx{From: input.User1, To: c.Address, Function: c.Function, Args: c.Function.Zero()}
	if after == nil {
		return s.Execute(s.Generator.Single(tx, nil))
	}
	return s.Execute(s.Generator.FromStart(input.Sequence{Txs: append(after.Sequence.Txs[:1:1], tx)}))
}

// Conditions over the same words are met together; without joint solving they are
// not.
func TestJointConditions(t *testing.T) {
	b := searchtest.Compile(t, "testdata/Coupled.sol")
	for _, row := range coupled {
		s := newSolving(t, b, "Coupled")
		n := s.solvedFrom(s.zeros(t, nil, row.function), row.limit)
		if n == 0 {
			t.Errorf("%s: no assertion failed", row.function)
		}
		t.Logf("%s: %d inputs", row.function, n)
		without := newSolving(t, b, "Coupled")
		without.Jointly.budget.Spent = 1 << 62
		if n := without.solvedFrom(without.zeros(t, nil, row.function), row.limit); n != 0 && !row.alone {
			t.Errorf("%s: an assertion fails after %d inputs without joint solving", row.function, n)
		}
		if n := without.Jointly.queue.Len(); n > 0 {
			t.Errorf("%s: %d inputs without a budget", row.function, n)
		}
	}
}

// What an earlier transaction stored is solved for with the words that it was
// computed from, and inputs have the origin of a stage.
func TestJointConditionsOnStorage(t *testing.T) {
	s := newSolving(t, searchtest.Compile(t, "testdata/Coupled.sol"), "Coupled")
	n := s.solvedFrom(s.zeros(t, s.calls(t, 0, "store", 1000), "compare"), 80)
	if n == 0 {
		t.Error("no assertion failed")
	}
	tried := 0
	for _, origin := range s.Jointly.Origins() {
		tried += origin.Stat.Tried
	}
	if tried == 0 {
		t.Errorf("none of %d inputs counts for a stage", n)
	}
}

// A problem that takes more instructions than it may is tried again with more of
// them, unless what it is for was covered meanwhile.
func TestJointProblemsArePostponed(t *testing.T) {
	for _, covered := range []bool{false, true} {
		s := newSolving(t, searchtest.Compile(t, "testdata/Coupled.sol"), "Coupled")
		r := s.zeros(t, nil, "searched")
		p := s.Solver.proposalsFor(r.Entry)
		postponed := 0
		for i := range s.Solver.taint.observer.Branches {
			d := &s.Solver.taint.observer.Branches[i]
			b, ok := s.Solver.openBranch(d, r.Entry)
			if !ok {
				continue
			}
			goal := shadow.PathCondition{Word: s.Solver.taint.observer.Expression(d.Cond), Taken: !d.Taken}
			x := newSystem(p, goal)
			problem, ok := x.problem(nil, goal)
			if !ok {
				continue
			}
			p.aimAt(cover.BranchMetric(b, 0))
			s.Jointly.try(&jointProblem{x, problem, p.aim, 60})
			postponed = len(s.Jointly.later)
			if covered {
				s.Corpus.Cover([]cover.Branch{b})
			}
		}
		if postponed != 1 || s.Jointly.queue.Len() > 0 {
			t.Fatalf("%d problems are postponed, %d solved", postponed, s.Jointly.queue.Len())
		}
		var next *search.Candidate
		for range 20 {
			if next = s.Jointly.Next(); next != nil {
				break
			}
		}
		if (next == nil) != covered || len(s.Jointly.later) > 0 {
			t.Errorf("covered %v: the input is %v, %d problems are left", covered, next, len(s.Jointly.later))
		}
	}
}
