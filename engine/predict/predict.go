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

// Stats count Sessions: how many began, reached their goal with the first
// proposal, reached it at all, and how many inputs they ran.
type Stats struct {
	Tried, OneShot, Succeeded, Runs int
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
type record struct{ tried, succeeded int }

// New returns a Predictor that breaks ties by random.
func New(random *rand.Rand) *Predictor {
	return &Predictor{random: random, records: map[cover.Metric]*record{}}
}

// Start compares a parent with a child that differs in one Parameter of one
// Tx, which has the word before in the parent and after in the child, and
// starts a Session for one of the costs. The parent's costs are sorted by
// Metric, the child's need not be. Nil: there is nothing to learn.
func (p *Predictor) Start(tx int, param input.Parameter, before, after uint256.Int, parent, child []cover.Cost) *Session {
	if before == after {
		return nil
	}
	goal, c0, c1, ok := p.choose(parent, child)
	if !ok || p.Admit != nil && !p.Admit(goal) {
		return nil
	}
	a := parameterAxis(tx, param)
	x0, x1 := param.Word.Ordinal(&before), param.Word.Ordinal(&after)
	return p.start(goal, a, sample{x: x0, c: *c0}, sample{x: x1, c: *c1})
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
	r.tried++
	p.Stats.Tried++
	return s
}

func (p *Predictor) fresh(goal cover.Metric) bool { return p.Seen == nil || !p.Seen(goal) }

// choose picks among the costs that both have and that differ: one whose goal
// was never seen if there is one, those that were tried least first; else any.
// Reservoir sampling keeps it to one pass.
func (p *Predictor) choose(parent, child []cover.Cost) (goal cover.Metric, c0, c1 *uint256.Int, ok bool) {
	best, seen := -1, 0
	for i := range child {
		c := find(parent, child[i].Metric)
		if c == nil || *c == child[i].Value {
			continue
		}
		score := p.score(child[i].Metric)
		if score > best {
			best, seen = score, 0
		}
		if score < best {
			continue
		}
		if seen++; seen == 1 || p.random.IntN(seen) == 0 {
			goal, c0, c1, ok = child[i].Metric, c, &child[i].Value, true
		}
	}
	return goal, c0, c1, ok
}

// score ranks a goal: fresh ones above others, and the less they were tried
// the higher, in powers of two.
func (p *Predictor) score(goal cover.Metric) int {
	if !p.fresh(goal) {
		return 0
	}
	score := 16
	if r := p.records[goal]; r != nil {
		for n := r.tried - r.succeeded; n > 0 && score > 1; n >>= 1 {
			score--
		}
	}
	return score
}

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
