package joint

import (
	"math/bits"
	"slices"

	"leveret/engine/shadow"

	"github.com/holiman/uint256"
)

// A search looks for values of the free variables by small changes of one or two
// of them. Its goals are the roots, and that solved variables are in their
// domains.
type search struct {
	*program
	solver  *solver
	solved  []solved
	domains []domain
	values  []uint256.Int // by node
	code    []shape       // by node: the instruction, apart from what only building needs
	free    []int         // variables to search in
	numbers []uint256.Int // constants of the program, to try
	on      []uint64      // by goal: variables that it depends on, as bits; roots first
	after   [][]int32     // by variable: instructions to evaluate again
	costs   []float64     // by goal
	total   float64
	moves   [2]change // see step
	undo    undo
}

// An undo is what the last changes overwrote.
type undo struct {
	values []uint256.Int // of solved variables, then of instructions
	costs  []float64
	total  float64
	spent  int // before the changes
}

// newSearch returns a search that starts at the variables' values.
func newSearch(s *solver, p *program, eliminated []solved, domains []domain) *search {
	x := &search{program: p, solver: s, solved: eliminated, domains: domains, values: make([]uint256.Int, len(p.nodes))}
	solvedBy := x.dependences()
	x.after = make([][]int32, len(domains))
	x.code = make([]shape, len(p.nodes))
	for n := range p.nodes {
		m := &p.nodes[n]
		x.code[n] = m.shape()
		switch {
		case m.op == shadow.OpConst:
			x.values[n] = m.could
			x.numbers = append(x.numbers, m.could)
		case n >= len(domains):
			for on := through(m.on, solvedBy); on != 0; on &= on - 1 {
				v := bits.TrailingZeros64(on)
				x.after[v] = append(x.after[v], int32(n))
			}
		}
	}
	var on uint64
	for _, r := range p.roots {
		x.on = append(x.on, through(p.nodes[r.node].on, solvedBy))
		on |= x.on[len(x.on)-1]
	}
	for i := range eliminated {
		x.on = append(x.on, solvedBy[eliminated[i].variable])
		on |= x.on[len(x.on)-1]
	}
	for i := range domains {
		if !domains[i].known() {
			x.values[i] = domains[i].wrap(&s.Variables[i].Value)
		}
		if on>>i&1 != 0 {
			x.free = append(x.free, i)
		}
	}
	x.costs = make([]float64, len(x.on))
	x.evaluate()
	return x
}

// dependences returns, by solved variable, the free ones that it depends on.
func (x *search) dependences() map[int]uint64 {
	by := map[int]uint64{}
	for _, e := range slices.Backward(x.solved) {
		on := uint64(0)
		for j := range e.of {
			if !e.of[j].IsZero() {
				on |= 1 << j
			}
		}
		by[e.variable] = through(on, by)
	}
	return by
}

// through replaces solved variables by those that they depend on.
func through(on uint64, solvedBy map[int]uint64) uint64 {
	for v, by := range solvedBy {
		if on>>v&1 != 0 {
			on = on&^(1<<v) | by
		}
	}
	return on
}

// done reports whether all goals are reached.
func (x *search) done() bool { return x.total == 0 }

// model returns the values of all variables.
func (x *search) model(by Stage) Model {
	m := Model{By: by}
	for i := range x.domains {
		m.Values = append(m.Values, x.values[i])
	}
	return m
}

// evaluate evaluates everything.
func (x *search) evaluate() {
	all := ^uint64(0)
	x.eliminated(all)
	for n := len(x.domains); n < len(x.nodes); n++ {
		x.compute(int32(n))
	}
	x.measure(all)
}

func (x *search) compute(n int32) {
	m := &x.code[n]
	if m.op != shadow.OpConst {
		shadow.Compute(&x.values[n], m.op, &x.values[m.a], &x.values[m.b], &x.values[m.c])
		x.solver.spent++
	}
}

// eliminated computes the solved variables that depend on some of changed.
func (x *search) eliminated(changed uint64) {
	for i := len(x.solved) - 1; i >= 0; i-- {
		if e := &x.solved[i]; x.on[len(x.roots)+i]&changed != 0 || changed == ^uint64(0) {
			e.value(&x.values[e.variable], x.values, x.domains[e.variable].word.Signed)
			x.solver.spent++
		}
	}
}

// measure updates the costs of goals that depend on some of changed.
func (x *search) measure(changed uint64) {
	x.total = 0
	for g := range x.costs {
		if x.on[g]&changed != 0 || changed == ^uint64(0) {
			x.costs[g] = x.cost(g)
		}
		x.total += x.costs[g]
	}
	x.solver.spent += len(x.costs)
}

func (x *search) cost(g int) float64 {
	if g < len(x.roots) {
		return x.distance(x.values, x.roots[g].node, x.roots[g].nonzero)
	}
	if gap, ok := x.beyond(&x.solved[g-len(x.roots)]); !ok {
		return max(magnitude(&gap), 1)
	}
	return 0
}

// gapOf returns the difference that a goal wants to be zero.
func (x *search) gapOf(g int) (gap uint256.Int, ok bool) {
	if g < len(x.roots) {
		n, nonzero := x.leaf(x.values, x.roots[g].node, x.roots[g].nonzero)
		return x.gap(x.values, n, nonzero)
	}
	return x.beyond(&x.solved[g-len(x.roots)])
}

// beyond returns how far a solved variable is out of its domain, as a number
// with a sign.
func (x *search) beyond(e *solved) (gap uint256.Int, ok bool) {
	d, v := &x.domains[e.variable], &x.values[e.variable]
	nearest := d.wrap(v)
	if nearest == *v {
		return gap, true
	}
	if d.word.Left {
		return *gap.Xor(v, &nearest), false
	}
	most, least := d.word.MaxOrdinal(), uint256.Int{}
	if d.word.Signed {
		most.Rsh(&most, 1)
		least.Not(&most)
	}
	near := *v
	near.SRsh(near.Lsh(&near, uint(256-e.bits)), uint(256-e.bits))
	switch {
	case near.Slt(&least):
		gap.Sub(&near, &least)
	case near.Sgt(&most):
		gap.Sub(&near, &most)
	default:
		gap.Sub(&near, &nearest)
	}
	return gap, false
}

// A change gives a variable another value.
type change struct {
	variable int
	value    uint256.Int
}

// apply applies changes, which takeBack undoes.
func (x *search) apply(list []change) {
	x.keep(list)
	var changed uint64
	for _, c := range list {
		x.values[c.variable] = c.value
		changed |= 1 << c.variable
	}
	x.eliminated(changed)
	if len(list) == 1 {
		for _, n := range x.after[list[0].variable] {
			x.compute(n)
		}
	} else {
		x.both(x.after[list[0].variable], x.after[list[1].variable])
	}
	x.measure(changed)
}

// keep notes what changes will overwrite.
func (x *search) keep(list []change) {
	u := &x.undo
	u.values, u.costs = u.values[:0], append(u.costs[:0], x.costs...)
	u.total, u.spent = x.total, x.solver.spent
	for i := range x.solved {
		u.values = append(u.values, x.values[x.solved[i].variable])
	}
	for i := range list {
		for _, n := range x.after[list[i].variable] {
			u.values = append(u.values, x.values[n])
		}
	}
}

// takeBack undoes the changes that were applied last, whose variables had the
// values of was. It counts as much as they did: so budgets do not depend on how
// it is done.
func (x *search) takeBack(was []change) {
	u := &x.undo
	old := u.values
	for i := range x.solved {
		x.values[x.solved[i].variable], old = old[0], old[1:]
	}
	for i := range was {
		for _, n := range x.after[was[i].variable] {
			x.values[n], old = old[0], old[1:]
		}
	}
	for i := range was {
		x.values[was[i].variable] = was[i].value
	}
	copy(x.costs, u.costs)
	x.total = u.total
	x.solver.spent += x.solver.spent - u.spent
}

// both evaluates the instructions of two ascending lists.
func (x *search) both(a, b []int32) {
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			x.compute(a[0])
			a = a[1:]
		case len(a) == 0 || b[0] < a[0]:
			x.compute(b[0])
			b = b[1:]
		default:
			a = a[1:]
		}
	}
}

// try applies changes and takes them back if they make the total larger, or
// leave it and no side step is wanted. It reports whether it is less.
func (x *search) try(list []change, sideways bool) bool {
	before, same := x.total, true
	was := make([]change, len(list), 2)
	for i := range list {
		c := &list[i]
		c.value = x.domains[c.variable].wrap(&c.value)
		was[i] = change{c.variable, x.values[c.variable]}
		same = same && c.value == was[i].value
	}
	if same {
		return false
	}
	if x.apply(list); x.total < before || sideways && x.total == before {
		return x.total < before
	}
	x.takeBack(was)
	return false
}

// Bounds of a climb: how many moves may fail before a new start.
const maxFailures = 400

// run searches until all goals are reached, or there is no budget left.
func (x *search) run() (Model, bool) {
	for len(x.free) > 0 && x.solver.spent < x.solver.most {
		for failures := 0; failures < maxFailures && !x.done() && x.solver.spent < x.solver.most; failures++ {
			if x.improve() {
				failures = 0
			}
		}
		if x.done() {
			return x.model(BySearch), true
		}
		x.restart()
	}
	return Model{}, false
}

// restart gives some variables new values.
func (x *search) restart() {
	for _, v := range x.free {
		switch x.solver.random.IntN(5) {
		case 0, 1:
			start := x.domains[v].wrap(&x.solver.Variables[v].Value)
			x.values[v] = start
		case 2, 3:
			any := x.draw(v)
			x.values[v] = x.domains[v].wrap(&any)
		}
	}
	x.evaluate()
}

// draw draws a value for a variable: of any magnitude, a constant, or that of
// another variable, one more or less.
func (x *search) draw(v int) (w uint256.Int) {
	r := x.solver.random
	switch n := r.IntN(8); {
	case n < 4 || len(x.numbers) == 0:
		w = uint256.Int{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
		w.Rsh(&w, uint(256-1-r.IntN(x.domains[v].word.Bits)))
		if x.domains[v].word.Left {
			w.Lsh(&w, uint(256-x.domains[v].word.Bits))
		}
		return w
	case n < 6:
		w = x.numbers[r.IntN(len(x.numbers))]
	default:
		w = x.values[r.IntN(len(x.domains))]
	}
	w.AddUint64(&w, uint64(r.IntN(3)))
	return *w.SubUint64(&w, 1)
}

// improve makes a move towards a goal that is not reached: along one variable
// or two, by Secant steps, powers of two, bits, or to another value. It reports
// whether the total is less.
func (x *search) improve() bool {
	r := x.solver.random
	goal := x.unmet()
	v := x.variableOf(x.on[goal])
	if v < 0 {
		return false
	}
	var along [2]direction
	line := append(along[:0], direction{variable: v})
	if len(x.free) > 1 && r.IntN(3) == 0 {
		if w := x.free[r.IntN(len(x.free))]; w != v {
			line = append(line, direction{w, r.IntN(3) > 0})
		}
	}
	unit := x.unit()
	switch r.IntN(6) {
	case 0, 1:
		return x.secant(goal, line, unit)
	case 2, 3:
		if by := uint256.NewInt(r.Uint64N(2 * unit)); unit > 1 && r.IntN(2) == 0 {
			return x.try(x.step(line, by), false)
		}
		return x.double(line, unit)
	case 4:
		bit := uint256.NewInt(1)
		value := x.values[v]
		return x.try([]change{{v, *value.Xor(&value, bit.Lsh(bit, uint(r.IntN(256))))}}, false)
	}
	return x.try([]change{{v, x.draw(v)}}, r.IntN(4) == 0)
}

// unit returns the length of steps: 1, or the divisor of a solved variable.
func (x *search) unit() uint64 {
	if len(x.solved) == 0 || x.solver.random.IntN(2) == 0 {
		return 1
	}
	return x.solved[x.solver.random.IntN(len(x.solved))].divisor
}

// unmet draws a goal that is not reached.
func (x *search) unmet() int {
	n := 0
	for _, c := range x.costs {
		if c > 0 {
			n++
		}
	}
	n = x.solver.random.IntN(n)
	for g, c := range x.costs {
		if c > 0 {
			if n == 0 {
				return g
			}
			n--
		}
	}
	return 0
}

// variableOf draws one of some variables; -1 if there is none.
func (x *search) variableOf(on uint64) int {
	if on == 0 {
		return -1
	}
	for range x.solver.random.IntN(bits.OnesCount64(on)) {
		on &= on - 1
	}
	return bits.TrailingZeros64(on)
}

// A direction says how a step changes a variable.
type direction struct {
	variable int
	down     bool
}

// step returns the changes of a step along a line. They are valid until the next
// step.
func (x *search) step(line []direction, by *uint256.Int) []change {
	list := x.moves[:len(line)]
	for i, d := range line {
		list[i] = change{d.variable, x.values[d.variable]}
		if d.down {
			list[i].value.Sub(&list[i].value, by)
		} else {
			list[i].value.Add(&list[i].value, by)
		}
	}
	return list
}

// secant measures how the gap of a goal changes along a line, and steps to where
// it would be zero: modulo 2^256, and rounded as an integer.
func (x *search) secant(goal int, line []direction, unit uint64) bool {
	gap, ok := x.gapOf(goal)
	if ok {
		return false
	}
	total, one := x.total, uint256.NewInt(unit)
	var start [2]change
	was := append(start[:0], x.step(line, new(uint256.Int))...)
	x.apply(x.wrapped(x.step(line, one)))
	after, _ := x.gapOf(goal)
	if x.total < total {
		return true
	}
	x.takeBack(was)
	var slope uint256.Int
	if slope.Sub(&after, &gap).IsZero() {
		return false
	}
	if even := trailingZeros(&slope); trailingZeros(&gap) >= even {
		odd := inverse(&slope)
		var t uint256.Int
		t.SRsh(&gap, uint(even))
		t.Mul(t.Neg(&t), &odd)
		t.Mul(&t, one)
		if x.try(x.step(line, &t), false) {
			return true
		}
	}
	var t uint256.Int
	t.SDiv(t.Neg(&gap), &slope)
	for _, more := range [...]int64{0, 1, -1} {
		by := t
		if more < 0 {
			by.SubUint64(&by, 1)
		} else {
			by.AddUint64(&by, uint64(more))
		}
		by.Mul(&by, one)
		if x.try(x.step(line, &by), false) {
			return true
		}
	}
	return false
}

// wrapped brings changes into the domains.
func (x *search) wrapped(list []change) []change {
	for i := range list {
		list[i].value = x.domains[list[i].variable].wrap(&list[i].value)
	}
	return list
}

// double steps along a line by a power of two units, and twice as far while that
// is nearer.
func (x *search) double(line []direction, unit uint64) bool {
	r := x.solver.random
	most := 256
	for _, d := range line {
		most = min(most, x.domains[d.variable].word.Bits)
	}
	by := new(uint256.Int).Lsh(uint256.NewInt(unit), uint(r.IntN(most)))
	if r.IntN(2) == 0 {
		by.Neg(by)
	}
	better := false
	for x.try(x.step(line, by), false) {
		better = true
		by.Lsh(by, 1)
	}
	return better
}
