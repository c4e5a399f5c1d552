package predict

import (
	"math/big"

	"github.com/holiman/uint256"

	"leveret/engine/cover"
	"leveret/engine/input"
)

// A Trial is an execution after the change of one Parameter of a parent.
type Trial struct {
	Tx            int
	Param         input.Parameter
	Before, After uint256.Int
	Execution
}

// StartPair starts searches for goals that no single Parameter reaches, because
// changing it flips a guard. Two trials that flipped the same guard tell how
// far each Parameter moves it, and hence the direction in which both can change
// without flipping the guard. Costs are absolute, so there are two such
// directions. The parent's costs are sorted by Metric.
func (p *Predictor) StartPair(goal cover.Metric, parent []cover.Cost, a, b Trial) []*LineSearch {
	c0 := find(parent, goal)
	if p.Off["pair"] || c0 == nil || a.Tx == b.Tx && a.Param.Index == b.Param.Index {
		return nil
	}
	for i := range a.Costs {
		guard := a.Costs[i].Metric
		if guard == goal || find(parent, guard) != nil {
			continue
		}
		for k := range b.Costs {
			if b.Costs[k].Metric == guard {
				return p.pair(goal, c0.Value, a, b, &a.Costs[i].Value, &b.Costs[k].Value)
			}
		}
	}
	return nil
}

// pair starts a LineSearch for each sign. With a cost of ca for a step da of
// one Parameter and cb for db of the other, the steps cb·da and -ca·db
// together, or cb·da and ca·db, keep the guard.
func (p *Predictor) pair(goal cover.Metric, c0 uint256.Int, a, b Trial, ca, cb *uint256.Int) []*LineSearch {
	da, db := a.distance(), b.distance()
	ra, rb := absWord(ca), absWord(cb) // a difference that wrapped is small
	u, v := mul(rb.ToBig(), da), mul(ra.ToBig(), db)
	divisor := new(big.Int).GCD(nil, nil, new(big.Int).Abs(u), new(big.Int).Abs(v))
	if divisor.Sign() == 0 {
		return nil
	}
	u.Quo(u, divisor)
	v.Quo(v, divisor)
	var list []*LineSearch
	for _, sign := range [...]int64{-1, 1} {
		x, origin := pairAxis(a, b, u, mul(v, big.NewInt(sign)))
		if x.max.LtUint64(2) {
			continue
		}
		s := p.start(goal, x, sample{x: origin, c: c0})
		s.limit = min(s.limit, freshRuns)
		s.queue = s.around(&origin)
		s.alone = true
		list = append(list, s)
	}
	return list
}

// distance is how far the trial changed its Parameter.
func (t *Trial) distance() *big.Int {
	from, to := t.Param.Word.Ordinal(&t.Before), t.Param.Word.Ordinal(&t.After)
	return new(big.Int).Sub(to.ToBig(), from.ToBig())
}

// pairAxis is the line through the parent in direction (u, v), within the
// ranges of both Parameters; origin is the parent's position.
func pairAxis(a, b Trial, u, v *big.Int) (x axis, origin uint256.Int) {
	low, high := new(big.Int), new(big.Int)
	low.Neg(low.Lsh(big.NewInt(1), 254))
	high.Lsh(big.NewInt(1), 254)
	narrow(low, high, &a, u)
	narrow(low, high, &b, v)
	x.bits = 256
	x.max.SetFromBig(new(big.Int).Sub(high, low))
	origin.SetFromBig(new(big.Int).Neg(low))
	x.bias = origin
	x.moves = func(at *uint256.Int) []Move {
		t := new(big.Int).Add(at.ToBig(), low)
		return []Move{a.moved(mul(t, u)), b.moved(mul(t, v))}
	}
	return x, origin
}

// narrow restricts an interval of steps to those that keep t's Parameter in its
// range.
func narrow(low, high *big.Int, t *Trial, by *big.Int) {
	if by.Sign() == 0 {
		return
	}
	from, top := t.Param.Word.Ordinal(&t.Before), t.Param.Word.MaxOrdinal()
	down, up := from.ToBig(), new(big.Int).Sub(top.ToBig(), from.ToBig())
	if by.Sign() < 0 {
		down, up = up, down
	}
	size := new(big.Int).Abs(by)
	if up.Quo(up, size); up.Cmp(high) < 0 {
		high.Set(up)
	}
	if down.Neg(down.Quo(down, size)); down.Cmp(low) > 0 {
		low.Set(down)
	}
}

// moved is the move of t's Parameter by a distance from its original value.
func (t *Trial) moved(by *big.Int) Move {
	o := t.Param.Word.Ordinal(&t.Before)
	var to uint256.Int
	to.SetFromBig(by.Add(by, o.ToBig()))
	return Move{Tx: t.Tx, Param: t.Param, Word: t.Param.Word.Word(&to)}
}

// around lists the first positions of a LineSearch with a single sample.
func (s *LineSearch) around(x *uint256.Int) []uint256.Int {
	var list []uint256.Int
	for _, up := range [...]bool{true, false} {
		if to, inside := s.move(x, uint256.NewInt(1), up); inside {
			list = append(list, to)
		}
	}
	return list
}
