package predict

import (
	"github.com/holiman/uint256"

	"leveret/engine/cover"
)

// A LineSearch follows one cost along one axis. It belongs to its Predictor's
// goroutine.
type LineSearch struct {
	Goal cover.Metric

	predictor *Predictor
	record    *record
	axis      axis
	fresh     bool     // the goal was never covered
	points    []sample // in order, starting with parent and child
	queue     []uint256.Int
	row       int // next of Rows
	rounds    int // repetitions of the last row
	ran       int // executed proposals of the last row
	steady    bool
	pending   bool
	counted   bool // counted in the Stats
	guards    []guard
	aimed     bool // the first proposal is the root of a line that flips no guard
	uncertain bool // the line may not hold up to its root
	predicted bool // the first proposal was such a root
	asked     uint256.Int
	alone     bool // has one sample; pointless if the next ones have no cost
	done      bool
	tried     int // executed proposals
	limit     int
	won       string
}

// Limits on the inputs of one search. Covered goals get little more than the
// paper's single step; others get more, and less after each failure.
const (
	seenRuns   = 4
	freshRuns  = 40
	triedRuns  = 12
	bitRuns    = 340 // a probe for every bit and its neighbours
	manyTries  = 6
	firstTries = 2
)

func (s *LineSearch) runs() int {
	switch failed := s.record.failures; {
	case !s.fresh:
		return seenRuns
	case failed < firstTries:
		return bitRuns
	case failed < manyTries || failed&(failed-1) == 0:
		return freshRuns
	}
	return triedRuns
}

// Next returns the next input as moves from the parent; false ends the search.
// The caller feeds back the costs of each before the next call.
func (s *LineSearch) Next() ([]Move, bool) {
	for !s.done && s.tried < s.limit {
		for len(s.queue) > 0 {
			x := s.queue[0]
			s.queue = s.queue[1:]
			if s.knows(&x) != nil || x.Gt(&s.axis.max) {
				continue
			}
			s.asked, s.pending = x, true
			s.ran++
			s.classify()
			return s.axis.moves(&x), true
		}
		if !s.turn() {
			break
		}
	}
	s.done = true
	return nil, false
}

// classify counts the search once its first proposal is known.
func (s *LineSearch) classify() {
	if s.tried > 0 || s.counted {
		return
	}
	s.counted = true
	if s.predicted = Rows[max(s.row, 1)-1].Step && s.aimed && !s.uncertain; s.predicted {
		s.predictor.Stats.Tried++
	} else {
		s.predictor.Stats.Searches++
	}
}

// turn takes the proposals of the next row, or of the last row again if it
// repeats and had any.
func (s *LineSearch) turn() bool {
	if _, _, ok := s.two(); s.alone && !ok {
		return false
	}
	if s.row > 0 && s.ran > 0 && s.rounds < s.current().Rounds {
		s.row--
	} else {
		s.rounds = 0
	}
	if s.row >= len(Rows) {
		return false
	}
	row := &Rows[s.row]
	s.row++
	s.rounds++
	s.ran = 0
	skip := s.predictor.Off[row.Name] || row.Fresh && !s.fresh ||
		!row.Long && s.tried >= freshRuns || s.predictor.NoIteration && !row.Step
	if !skip {
		s.queue, s.steady = row.propose(s), row.Steady
	}
	return true
}

// Feed takes the costs of the last input of Next. hit means that the goal was
// reached by other evidence than its branch, such as a write to the probe slot.
func (s *LineSearch) Feed(costs []cover.Cost, hit bool) {
	if !s.pending {
		return
	}
	s.pending = false
	s.tried++
	s.predictor.Stats.Runs++
	if hit || Reached(s.Goal, costs) {
		s.succeed()
		return
	}
	p := sample{x: s.asked, lost: true}
	for i := range costs {
		if costs[i].Metric == s.Goal {
			p.c, p.side, p.lost = costs[i].Value, costs[i].Side, false
		}
	}
	better := !p.lost && p.c.Lt(&s.best().c)
	if better && s.current().Creeps {
		better = muchLess(&p.c, &s.best().c)
	}
	s.points = append(s.points, p)
	if better && !s.steady && !s.predictor.NoIteration { // restart from there
		s.row, s.rounds, s.queue = 0, 0, nil
	}
}

// current is the row whose proposals are running.
func (s *LineSearch) current() *Row {
	if s.row == 0 {
		return &firstSteps
	}
	return &Rows[s.row-1]
}

// firstSteps is the row of the first positions of a search with a single
// sample.
var firstSteps = Row{Name: "pair"}

// muchLess reports whether c is less by a quarter.
func muchLess(c, than *uint256.Int) bool {
	var quarter, bound uint256.Int
	quarter.Rsh(than, 2)
	bound.Sub(than, &quarter)
	return c.Lt(&bound) || c.Lt(than) && quarter.IsZero()
}

func (s *LineSearch) succeed() {
	s.done = true
	s.won = s.current().Name
	s.record.failures = 0
	if !s.predicted {
		s.predictor.Stats.Found++
		return
	}
	s.predictor.Stats.Succeeded++
	if s.tried == 1 {
		s.predictor.Stats.OneShot++
	}
}

// best returns the nearest sample.
func (s *LineSearch) best() *sample { return &s.points[s.nearest(-1)] }

// nearest returns the index of the nearest sample except the one at skip.
func (s *LineSearch) nearest(skip int) int {
	best := -1
	for i := range s.points {
		if p := &s.points[i]; i != skip && !p.lost && (best < 0 || !p.c.Gt(&s.points[best].c)) {
			best = i
		}
	}
	return best
}

// two returns the nearest sample and its partner for a line: the latest other
// one with another cost.
func (s *LineSearch) two() (near, far *sample, ok bool) {
	near = s.best()
	for i := len(s.points) - 1; i >= 0; i-- {
		if p := &s.points[i]; !p.lost && p.x != near.x && p.c != near.c {
			return near, p, true
		}
	}
	return near, nil, false
}

// knows returns the sample at a position; nil if there is none.
func (s *LineSearch) knows(x *uint256.Int) *sample {
	for i := range s.points {
		if s.points[i].x == *x {
			return &s.points[i]
		}
	}
	return nil
}
