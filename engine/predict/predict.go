// Package predict proposes the next input from the costs of a few executions so
// that a goal is reached: HARVEY's input prediction (ESEC/FSE 2020, sections
// 4.1 and 4.2; Wüstholz and Christakis 2018, section 3.2).
//
// A LineSearch takes two executions whose inputs differ in one Parameter, picks
// a cost that both have and that differs, and follows it to zero. Its first
// proposal is the paper's: the root of the line through the two points, in
// exact arithmetic, adjusted so that it flips no condition before the goal,
// according to the lines of those. If that fails, the table Rows has more: the
// other sign of two absolute distances (the root is between the points),
// solutions modulo a power of two, quadratics, bracketing, and bit by bit.
//
// Extensions use a single execution: the operands of its comparisons, its
// hashes and its signature checks determine Parameters directly.
//
// The package executes nothing and does not know what a cost measures: the
// caller runs the proposals and feeds the costs back.
//
//	p := predict.New(random)
//	if s := p.Start(&trial, parent); s != nil {
//		for moves, ok := s.Next(); ok; moves, ok = s.Next() {
//			s.Feed(run(predict.Apply(parent.Sequence, moves)).Costs, false)
//		}
//	}
//	for proposal := range p.Extend(&observation) {
//		run(predict.Apply(parent.Sequence, proposal.Moves))
//	}
//
// Measured on the synthetic conditions of TestSessionsReachTheirGoals, from
// random starting points (2026-11): the secant and its mirror image reach
// linear goals in 1 to 1.6 inputs; the modular rows improve wrapping roots from
// never to 3.5 inputs, fit and quadratic parabolas from about 20 or never to
// 3-10, wide staircases from 16 to 2, and the bits XOR and byte order from
// never to about 100.
package predict

import (
	"math/rand/v2"

	"github.com/holiman/uint256"

	"leveret/engine/cover"
	"leveret/engine/input"
)

// Stats count predictions. Tried are searches whose two costs lie on a line
// that predicts the goal, which requires
//
//   - costs that differ by a whole multiple of the difference of the Parameter,
//     or by its quotient with a whole number;
//   - a root in the Parameter's range, an integer if the goal is an equality
//     (for a division: no farther than half of the difference of the costs);
//   - the same path up to the goal in parent and child;
//   - no condition before the goal that changed nonlinearly, or that the root
//     flips according to its own line;
//   - costs with known operands in both.
//
// OneShot are those of them whose first proposal, that root, reached the goal;
// Succeeded those that reached it at all. All others are Searches, and Found
// counts those that reached their goal. Runs are the inputs of all.
type Stats struct {
	Tried, OneShot, Succeeded, Searches, Found, Runs int
}

// A Predictor starts searches and records which goals fail. It belongs to one
// goroutine.
type Predictor struct {
	Seen        func(goal cover.Metric) bool // whether the outcome was ever covered; nil: none was
	Admit       func(goal cover.Metric) bool // whether a goal is worth a search now; nil: always
	NoIteration bool                         // stop after the first line [HARVEY, configuration C]
	Off         map[string]bool              // names of disabled Rows and Extensions
	Stats       Stats

	random  *rand.Rand
	records map[cover.Metric]*record
}

// A record is the history of searches for one goal.
type record struct {
	failures int // searches since the last success
}

// New returns a Predictor that breaks ties by random.
func New(random *rand.Rand) *Predictor {
	return &Predictor{random: random, records: map[cover.Metric]*record{}}
}

// An Execution is an execution of a Sequence: the costs of its last Tx and the
// outcomes in order of first occurrence.
type Execution struct {
	Costs    []cover.Cost
	Branches []cover.Branch
}

// Start compares a parent with a trial, which changed one Parameter, and starts
// a search for one of the costs. The parent's costs are sorted by Metric, the
// trial's in order of execution. It returns nil if no cost is worth it.
func (p *Predictor) Start(t *Trial, parent Execution) *LineSearch {
	if t.Before == t.After || t.Param.Kind == input.ParamActor { // actors are identities, not numbers
		return nil
	}
	a := parameterAxis(t.Tx, t.Param)
	w := way{x0: t.Param.Word.Ordinal(&t.Before), x1: t.Param.Word.Ordinal(&t.After)}
	goal, ok := p.choose(&w, &a.max, parent, &t.Execution)
	if !ok || p.Admit != nil && !p.Admit(goal.metric) {
		return nil
	}
	s := p.start(goal.metric, a, newSample(&w.x0, goal.c0), newSample(&w.x1, goal.c1))
	s.guards = w.guards[:goal.guards]
	if s.uncertain = !goal.sure; goal.hopeless {
		s.limit = min(s.limit, triedRuns)
	}
	return s
}

func (p *Predictor) start(goal cover.Metric, a axis, points ...sample) *LineSearch {
	r := p.records[goal]
	if r == nil {
		r = &record{}
		p.records[goal] = r
	}
	s := &LineSearch{Goal: goal, predictor: p, record: r, axis: a, fresh: p.fresh(goal)}
	s.points = append(s.points, points...)
	s.limit = s.runs()
	r.failures++
	return s
}

func (p *Predictor) fresh(goal cover.Metric) bool { return p.Seen == nil || !p.Seen(goal) }

// choose picks a cost that both have and that differs: preferably one whose
// goal was never covered, with the fewest failures. It skips goals that are not
// worth a search now. Reservoir sampling needs a single pass.
func (p *Predictor) choose(w *way, most *uint256.Int, parent Execution, child *Execution) (goal choice, ok bool) {
	best, seen := 0, 0
	shared := newShared(parent.Branches, child.Branches)
	var run uint256.Int
	absDiff(&run, &w.x0, &w.x1)
	for i := range child.Costs {
		c1 := &child.Costs[i]
		b, isBranch := c1.Metric.Branch()
		w.apart = w.apart || isBranch && !shared.has(b.Other())
		c0 := find(parent.Costs, c1.Metric)
		if c0 == nil || c0.Value == c1.Value {
			continue
		}
		option := w.weigh(c0, c1, most)
		if isBranch {
			w.pass(c0, c1)
		}
		score := p.score(option, steep(&run, &c0.Value, &c1.Value))
		if score < best || score == 0 {
			continue
		}
		if score > best {
			best, seen = score, 0
		}
		if seen++; seen == 1 || p.random.IntN(seen) == 0 {
			goal, ok = option, true
		}
	}
	return goal, ok
}

// A choice is a cost to follow.
type choice struct {
	metric   cover.Metric
	c0, c1   *cover.Cost
	guards   int  // number of guards before it
	sure     bool // the line leads to the goal
	hopeless bool // the line leads elsewhere first, or the costs are of different things
}

// weigh classifies the line through two costs.
func (w *way) weigh(c0, c1 *cover.Cost, most *uint256.Int) choice {
	near, far := newSample(&w.x0, c0), newSample(&w.x1, c1)
	if far.c.Lt(&near.c) {
		near, far = far, near
	}
	_, ok := aim(&near, &far, most, w.guards)
	_, open := aim(&near, &far, most, nil)
	doubtful := doubtful(&c0.Value, &c1.Value)
	return choice{
		metric: c0.Metric, c0: c0, c1: c1, guards: len(w.guards),
		sure: ok && !doubtful && !w.apart && !w.wild, hopeless: doubtful || open && !ok,
	}
}

// maxSlopeBits bounds the slopes of programs; steeper ones are hashes or
// numbers that wrapped.
const maxSlopeBits = 128

// steep reports whether a cost changes too much for a step of run.
func steep(run, c0, c1 *uint256.Int) bool {
	var rise uint256.Int
	absDiff(&rise, c0, c1)
	return rise.BitLen() > run.BitLen()+maxSlopeBits
}

// doubtful reports whether one cost is minimal and the other is not near it:
// the minimal one may stand for a condition with unknown operands, which costs
// one.
func doubtful(c0, c1 *uint256.Int) bool {
	return (c0.IsUint64() && c0.Uint64() == 1) != (c1.IsUint64() && c1.Uint64() == 1)
}

// score ranks a goal: fresh ones above others, with fewer failures higher, in
// powers of two; 0 means skip. A goal rests longer after each failure. Steep
// costs are worth a try for fresh goals, by the modular rows.
func (p *Predictor) score(goal choice, steep bool) int {
	vain := 0
	if r := p.records[goal.metric]; r != nil {
		vain = r.failures
	}
	_, branch := goal.metric.Branch()
	fresh := p.fresh(goal.metric)
	switch {
	case steep && (!fresh || !branch || vain > 1), !goal.sure && !fresh:
		return 0
	case vain >= restAfter && p.random.IntN(vain*vain) > 0:
		return 0
	case !fresh:
		return 1
	case goal.hopeless:
		return 2
	}
	score := 16
	for n := vain; n > 0 && score > 3; n >>= 1 {
		score--
	}
	return score
}

// restAfter is the number of failed searches after which a goal rests.
const restAfter = 3

// find searches sorted costs for a metric.
func find(costs []cover.Cost, m cover.Metric) *cover.Cost {
	low, high := 0, len(costs)
	for low < high {
		mid := (low + high) / 2
		switch {
		case costs[mid].Metric == m:
			return &costs[mid]
		case costs[mid].Metric < m:
			low = mid + 1
		default:
			high = mid
		}
	}
	return nil
}

// Reached reports whether an execution with these costs took the outcome that
// goal measures: then the jump has a cost of the other outcome instead.
func Reached(goal cover.Metric, costs []cover.Cost) bool {
	b, ok := goal.Branch()
	if !ok {
		return false
	}
	other := cover.BranchMetric(b.Other(), uint32(goal&0xff))
	for i := range costs {
		if costs[i].Metric == other {
			return true
		}
	}
	return false
}
