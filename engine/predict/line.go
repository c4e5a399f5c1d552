package predict

import (
	"github.com/holiman/uint256"

	"leveret/engine/cover"
)

// A sample is a position and its cost, if the execution reached the condition
// of the goal.
type sample struct {
	x, c uint256.Int
	side cover.Side
	lost bool
}

func newSample(x *uint256.Int, c *cover.Cost) sample {
	return sample{x: *x, c: c.Value, side: c.Side}
}

// opposite reports whether two samples lie on opposite sides of a goal that is
// a single point.
func opposite(a, b *sample) bool { return a.side.Point() && b.side.Point() && a.side != b.side }

// A root is the root of the line through two samples.
type root struct {
	at      uint256.Int
	exists  bool // on the axis
	rounded bool // to the next integer beyond
	up      bool // direction from the samples, or from the nearer one if the root lies between them
}

// rootWith returns the root of the line through the nearer sample and a
// farther one.
func (s *sample) rootWith(far *sample) (r root) {
	var run, rise, step, rest uint256.Int
	absDiff(&run, &s.x, &far.x)
	if opposite(s, far) {
		r.up = s.x.Lt(&far.x)
		if _, over := rise.AddOverflow(&s.c, &far.c); over {
			return r
		}
	} else {
		r.up = far.x.Lt(&s.x)
		rise.Sub(&far.c, &s.c)
	}
	if rise.IsZero() {
		return r
	}
	if _, over := step.MulDivOverflow(&s.c, &run, &rise); over {
		return r
	}
	rest.MulMod(&s.c, &run, &rise)
	if r.rounded = !rest.IsZero(); r.rounded {
		step.AddUint64(&step, 1)
	}
	if r.up {
		_, over := r.at.AddOverflow(&s.x, &step)
		r.exists = !over
		return r
	}
	r.exists = !step.Gt(&s.x)
	r.at.Sub(&s.x, &step)
	return r
}

// maxSlope bounds the factors of linear relations in programs, such as 10^18.
// Hashes have steeper slopes.
var maxSlope = new(uint256.Int).Lsh(uint256.NewInt(1), 64)

// minRise distinguishes a division from a step: a quotient changes in more than
// its last bits.
const minRise = 8

// isLine reports whether two samples look like a linear function: their costs
// differ by a whole multiple of the difference of their positions, or by its
// quotient with a whole number.
func isLine(a, b *sample) bool {
	var run, rise, factor, rest uint256.Int
	absDiff(&run, &a.x, &b.x)
	if opposite(a, b) {
		if _, over := rise.AddOverflow(&a.c, &b.c); over {
			return false
		}
	} else {
		absDiff(&rise, &a.c, &b.c)
	}
	if run.IsZero() || rise.IsZero() {
		return false
	}
	if factor.DivMod(&rise, &run, &rest); rest.IsZero() {
		return !factor.Gt(maxSlope)
	}
	factor.DivMod(&run, &rise, &rest)
	if factor.IsZero() || factor.Gt(maxSlope) || rise.LtUint64(minRise) {
		return false
	}
	rise.Sub(&rise, &rest)
	return rest.Lt(&factor) || !rise.Gt(&factor) // by it, or by one more
}

// aim returns the root of the line through two samples, if it flips no guard.
// It returns false if there is none, or if the samples are too close to tell.
func aim(near, far *sample, most *uint256.Int, guards []guard) (x uint256.Int, ok bool) {
	if !isLine(near, far) {
		return x, false
	}
	r := near.rootWith(far)
	if r.rounded {
		var run, rise uint256.Int
		absDiff(&run, &near.x, &far.x)
		absDiff(&rise, &near.c, &far.c)
		divided := rise.Lt(&run)
		if near.side.Point() && (!divided || near.c.Gt(rise.Rsh(&rise, 1))) {
			return x, false
		}
	}
	if !r.exists || r.at.Gt(most) {
		return x, false
	}
	x = r.at
	for i := 0; i < len(guards); i++ {
		switch g := &guards[i]; {
		case !g.turns(&x):
		case !g.point || near.side != cover.Bound:
			return x, false
		case r.up && x == *most || !r.up && x.IsZero():
			return x, false
		case r.up: // the next integer meets the goal as well
			x.AddUint64(&x, 1)
			i = -1
		default:
			x.SubUint64(&x, 1)
			i = -1
		}
	}
	return x, true
}
