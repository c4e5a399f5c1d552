package predict

import (
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/cover"
)

// A Row is one method to propose positions of cost zero.
type Row struct {
	Name    string
	Step    bool // the paper's single step, the only one with NoIteration
	Fresh   bool // only for goals that were never covered
	Steady  bool // runs all its positions even if one comes nearer
	Creeps  bool // often comes nearer by very little, which is no reason to restart
	Long    bool // has its own budget
	Rounds  int  // repetitions in sequence; 0 means once
	propose func(s *LineSearch) []uint256.Int
}

// Rows lists the methods in order. A LineSearch restarts with the first
// whenever a position comes nearer than all before. With two points the first
// row is the Secant method; the others follow if it fails.
var Rows = []Row{
	{Name: "quadratic", propose: quadratic},
	{Name: "secant", Step: true, propose: secant},
	{Name: "between", propose: between},
	{Name: "modular", Fresh: true, propose: modular},
	{Name: "parabola", Fresh: true, propose: muller},
	{Name: "probe", Fresh: true, Steady: true, propose: probe},
	{Name: "fit", Fresh: true, Steady: true, propose: fit},
	{Name: "wide", Fresh: true, propose: wide},
	{Name: "bracket", Fresh: true, Creeps: true, Rounds: 6, propose: bracket},
	{Name: "flip bits", Fresh: true, Steady: true, Long: true, propose: flipBits},
	{Name: "bitwise", Fresh: true, Long: true, propose: bitwise},
}

// secant proposes the root of the line through the two points and, if it is not
// an integer, its neighbours. If the sides of the points are unknown, the more
// likely case goes first.
func secant(s *LineSearch) []uint256.Int {
	near, far, ok := s.two()
	if !ok {
		return nil
	}
	var list []uint256.Int
	if aimed, ok := aim(near, far, &s.axis.max, s.guards); ok {
		s.aimed = true
		list = append(list, aimed)
	}
	inside, exactInside := s.veeRoot(near, far)
	if opposite(near, far) {
		return s.passing(append(list, inside...))
	}
	outside, exactOutside := s.lineRoot(near, far)
	if near.side == cover.AnySide && exactInside && !exactOutside {
		s.aimed = !turned(s.guards, &inside[0])
		return s.passing(append(inside, outside...))
	}
	return s.passing(append(list, outside...))
}

// passing removes the positions that flip a guard. If all do and the goal was
// never covered, it keeps them: the failure shows what blocks the goal.
func (s *LineSearch) passing(list []uint256.Int) []uint256.Int {
	free := slices.DeleteFunc(slices.Clone(list), func(x uint256.Int) bool { return turned(s.guards, &x) })
	if len(free) == 0 && s.fresh {
		return list
	}
	return free
}

// between proposes the root between the two points: costs are absolute, so the
// points may lie on both sides of it.
func between(s *LineSearch) []uint256.Int {
	near, far, ok := s.two()
	if !ok {
		return nil
	}
	roots, _ := s.veeRoot(near, far)
	return s.passing(roots)
}

// lineRoot solves for the root of the line through both costs, beyond near.
// Exact reports whether slope and root are those of a linear function with
// integer coefficients.
func (s *LineSearch) lineRoot(near, far *sample) (roots []uint256.Int, exact bool) {
	var run, rise, step, rest uint256.Int
	absDiff(&run, &near.x, &far.x)
	rise.Sub(&far.c, &near.c)
	if _, over := step.MulDivOverflow(&near.c, &run, &rise); over {
		step.SetAllOne()
	}
	rest.MulMod(&near.c, &run, &rise)
	up := far.x.Lt(&near.x)
	root, inside := s.move(&near.x, &step, up)
	exact = rest.IsZero() && inside && (divides(&run, &rise) || divides(&rise, &run))
	if rest.IsZero() || !inside {
		return []uint256.Int{root}, exact
	}
	step.AddUint64(&step, 1)
	beyond, _ := s.move(&near.x, &step, up)
	return []uint256.Int{beyond, root}, exact
}

// veeRoot solves for the root of a V of equal slopes with a point on each leg.
func (s *LineSearch) veeRoot(near, far *sample) (roots []uint256.Int, exact bool) {
	var run, sum, step, rest uint256.Int
	absDiff(&run, &near.x, &far.x)
	a := near.c
	if _, over := sum.AddOverflow(&near.c, &far.c); over {
		a.Rsh(&a, 1)
		sum.Rsh(&sum, 1)
		sum.Or(&sum, new(uint256.Int).Lsh(uint256.NewInt(1), 255))
	}
	step.MulDivOverflow(&a, &run, &sum) // less than run
	rest.MulMod(&a, &run, &sum)
	up := near.x.Lt(&far.x)
	root, _ := s.move(&near.x, &step, up)
	if rest.IsZero() {
		return []uint256.Int{root}, divides(&run, &sum) || divides(&sum, &run)
	}
	step.AddUint64(&step, 1)
	beyond, _ := s.move(&near.x, &step, up)
	return []uint256.Int{root, beyond}, false
}

// move goes a step up or down, at most to the end of the axis; inside reports
// whether it stayed within.
func (s *LineSearch) move(x, step *uint256.Int, up bool) (to uint256.Int, inside bool) {
	if up {
		if _, over := to.AddOverflow(x, step); over || to.Gt(&s.axis.max) {
			return s.axis.max, false
		}
		return to, true
	}
	if step.Gt(x) {
		return to, false
	}
	to.Sub(x, step)
	return to, true
}

func absDiff(z, x, y *uint256.Int) {
	if x.Lt(y) {
		z.Sub(y, x)
	} else {
		z.Sub(x, y)
	}
}

func divides(d, n *uint256.Int) bool {
	var rest uint256.Int
	return !d.IsZero() && rest.Mod(n, d).IsZero()
}

// bracket proposes positions on both sides of the nearest point: the root of a
// V through it and its neighbour, and the middle between them.
func bracket(s *LineSearch) []uint256.Int {
	near := s.best()
	var left, right *sample
	for i := range s.points {
		p := &s.points[i]
		switch {
		case p.lost || p.x == near.x:
		case p.x.Lt(&near.x) && (left == nil || p.x.Gt(&left.x)):
			left = p
		case p.x.Gt(&near.x) && (right == nil || p.x.Lt(&right.x)):
			right = p
		}
	}
	var list []uint256.Int
	for _, side := range [...]*sample{left, right} {
		if side == nil {
			continue
		}
		roots, _ := s.veeRoot(near, side)
		list = append(list, roots...)
		var half uint256.Int
		absDiff(&half, &near.x, &side.x)
		half.Rsh(&half, 1)
		mid, _ := s.move(&near.x, &half, near.x.Lt(&side.x))
		list = append(list, mid)
	}
	one := uint256.NewInt(1)
	for _, up := range [...]bool{true, false} {
		if x, inside := s.move(&near.x, one, up); inside {
			list = append(list, x)
		}
	}
	return list
}

// wide proposes positions far from the nearest point in both directions: close
// points of a staircase do not show its slope.
func wide(s *LineSearch) []uint256.Int {
	near := s.best()
	var list []uint256.Int
	for bit := 8; bit < s.axis.bits; bit *= 2 {
		step := new(uint256.Int).Lsh(uint256.NewInt(1), uint(bit))
		for _, up := range [...]bool{true, false} {
			if x, inside := s.move(&near.x, step, up); inside {
				list = append(list, x)
			}
		}
	}
	return list
}
