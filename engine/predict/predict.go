// Package predict takes the costs of a few executions and says which input to
// try next so that a goal is reached: HARVEY's input prediction (ESEC/FSE 2020,
// sections 4.1 and 4.2; Wüstholz and Christakis 2018, section 3.2).
//
// A Session looks at two executions whose inputs differ in one Parameter,
// picks a cost that both have and that differs, and follows it to zero. Its
// first proposal is the paper's: the root of the line through the two points,
// in exact arithmetic. What follows if that fails is a table, Rows: the other
// reading of two absolute distances (the root lies between the points),
// solutions modulo a power of two, quadratics, bracketing, and bit by bit.
//
// Extensions look at one execution instead: the operands of its comparisons,
// its hashes and its signature checks say directly what a Parameter should be.
//
// The package runs nothing and knows nothing of what a cost measures: the
// caller executes what is proposed and feeds the costs back.
//
//	p := predict.New(random)
//	if s := p.Start(change.Tx, change.Param, before, after, parent.Costs, child.Costs); s != nil {
//		for moves, ok := s.Next(); ok; moves, ok = s.Next() {
//			s.Feed(run(predict.Apply(parent.Sequence, moves)).Costs, false)
//		}
//	}
//	for _, proposal := range p.Extend(&observation) {
//		run(predict.Apply(parent.Sequence, proposal.Moves))
//	}
//
// Measured on the synthetic conditions of TestSessionsReachTheirGoals, from
// random starting points (2026-11): the secant and its mirror image reach
// linear goals in 1 to 1.6 inputs; the modular rows bring roots that wrap
// from never to 3.5 inputs, fit and quadratic bring parabolas from about 20
// or never to 3-10, wide brings staircases from 16 to 2, and the bits bring
// XOR and byte order from never to about 100.
package predict

import (
	"math/rand/v2"

	"github.com/holiman/uint256"

	"leveret/engine/cover"
	"leveret/engine/input"
)

// Stats count predictions: Sessions whose two points look like those of a
// linear function with its root in the Parameter's range (Tried), those among
// them that reached their goal with that root (OneShot), and those that reached
// it at all (Succeeded). Sessions without such a root are Searches, and Found
// counts those that reached their goal. Runs are the inputs of all.
type Stats struct {
	Tried, OneShot, Succeeded, Searches, Found, Runs int
}

// A Predictor starts Sessions and remembers which goals resist. It belongs to
// one goroutine.
type Predictor struct {
	Seen        func(goal cover.Metric) bool // whether the outcome was ever seen; nil: none was
	Admit       func(goal cover.Metric) bool // whether a goal is worth a Session now; nil: always
	NoIteration bool                         // stop behind the first line [HARVEY, configuration C]
	Off         map[string]bool              // Rows and Extensions that are switched off, by name
	Stats       Stats

	random  *rand.Rand
	records map[cover.Metric]*record
}

// A record is what is known of the attempts at one goal.
type record struct {
	vain int // Sessions since the last that succeeded
}

// New returns a Predictor that breaks ties by random.
func New(random *rand.Rand) *Predictor {
	return &Predictor{random: random, records: map[cover.Metric]*record{}}
}

// Start compares a parent with a child that differs in one Parameter of one
// Tx, which has the word before in the parent and after in the child, and
// starts a Session for one of the costs. The parent's costs are sorted by
// Metric, the child's in the order of execution. Nil: there is nothing to learn.
func (p *Predictor) Start(tx int, param input.Parameter, before, after uint256.Int, parent, child []cover.Cost) *Session {
	if before == after || param.Kind == input.ParamActor { // actors are names, not numbers
		return nil
	}
	x0, x1 := param.Word.Ordinal(&before), param.Word.Ordinal(&after)
	goal, ok := p.choose(&x0, &x1, parent, child)
	if !ok || p.Admit != nil && !p.Admit(goal.metric) {
		return nil
	}
	a := parameterAxis(tx, param)
	s := p.start(goal.metric, a, sample{x: x0, c: *goal.c0}, sample{x: x1, c: *goal.c1})
	if s.uncertain = goal.blocked || doubtful(goal.c0, goal.c1); s.uncertain {
		s.limit = min(s.limit, triedRuns)
	}
	if near, far, ok := s.two(); !s.fresh && (!ok || !s.isLinear(near, far)) {
		return nil // no more than a guess, at what was seen already
	}
	return s
}

func (p *Predictor) start(goal cover.Metric, a axis, points ...sample) *Session {
	r := p.records[goal]
	if r == nil {
		r = &record{}
		p.records[goal] = r
	}
	s := &Session{Goal: goal, predictor: p, record: r, axis: a, fresh: p.fresh(goal)}
	s.points = append(s.points, points...)
	s.limit = s.runs()
	r.vain++
	return s
}

func (p *Predictor) fresh(goal cover.Metric) bool { return p.Seen == nil || !p.Seen(goal) }

// choose picks among the costs that both have and that differ: one whose goal
// was never seen if there is one, those that resisted least first; else any.
// Goals that are not worth it now are left out. Reservoir sampling keeps it to
// one pass.
func (p *Predictor) choose(x0, x1 *uint256.Int, parent, child []cover.Cost) (goal choice, ok bool) {
	best, seen := 0, 0
	g := newGuards(x0, x1)
	var run uint256.Int
	absDiff(&run, x0, x1)
	for i := range child {
		c := find(parent, child[i].Metric)
		if c == nil || *c == child[i].Value {
			continue
		}
		blocked := g.blocked(c, &child[i].Value)
		if passed(child[i].Metric) {
			g.add(c, &child[i].Value)
		}
		score := p.score(child[i].Metric, steep(&run, c, &child[i].Value), blocked || doubtful(c, &child[i].Value))
		if score < best || score == 0 {
			continue
		}
		if score > best {
			best, seen = score, 0
		}
		if seen++; seen == 1 || p.random.IntN(seen) == 0 {
			goal, ok = choice{child[i].Metric, c, &child[i].Value, blocked}, true
		}
	}
	return goal, ok
}

// A choice is a cost to follow.
type choice struct {
	metric  cover.Metric
	c0, c1  *uint256.Int
	blocked bool // a guard is nearer
}

// maxSlopeBits is what a program may multiply its inputs with before the
// relation of two points counts as one of hashes or of numbers that wrapped.
const maxSlopeBits = 128

// steep tells whether a cost changes too much for a step of run.
func steep(run, c0, c1 *uint256.Int) bool {
	var rise uint256.Int
	absDiff(&rise, c0, c1)
	return rise.BitLen() > run.BitLen()+maxSlopeBits
}

// doubtful tells whether one cost is the least there is and the other is not
// near: then it may stand for a condition whose operands are not known, which
// costs one until they are.
func doubtful(c0, c1 *uint256.Int) bool {
	return (c0.IsUint64() && c0.Uint64() == 1) != (c1.IsUint64() && c1.Uint64() == 1)
}

// score ranks a goal: fresh ones above others, and the less they resisted the
// higher, in powers of two; 0 is not worth it. A goal that resists rests
// longer and longer. Steep costs are worth a try if the goal is fresh, for the
// rows that know of numbers that wrap.
func (p *Predictor) score(goal cover.Metric, steep, doubtful bool) int {
	vain := 0
	if r := p.records[goal]; r != nil {
		vain = r.vain
	}
	_, branch := goal.Branch()
	fresh := p.fresh(goal)
	switch {
	case steep && (!fresh || !branch || vain > 1), doubtful && !fresh:
		return 0
	case vain >= restAfter && p.random.IntN(vain*vain) > 0:
		return 0
	case !fresh:
		return 1
	case doubtful:
		return 2
	}
	score := 16
	for n := vain; n > 0 && score > 3; n >>= 1 {
		score--
	}
	return score
}

// restAfter is how many Sessions in vain a goal gets before it rests.
const restAfter = 3

// find looks a metric up in costs sorted by metric.
func find(costs []cover.Cost, m cover.Metric) *uint256.Int {
	low, high := 0, len(costs)
	for low < high {
		mid := (low + high) / 2
		switch {
		case costs[mid].Metric == m:
			return &costs[mid].Value
		case costs[mid].Metric < m:
			low = mid + 1
		default:
			high = mid
		}
	}
	return nil
}

// Reached tells from an execution's costs whether it took the outcome that
// goal measures the distance from: then the run through that jump has a cost
// of the other outcome in its place.
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
