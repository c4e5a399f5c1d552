package maze

import "slices"

// condition returns a condition that one of the points meets at its border.
func (g *generator) condition(points []point) *condition {
	c := &condition{relation: equal, left: g.expression()}
	switch n := g.random.IntN(100); {
	case n < 30:
		c.relation = less
	case n < 55:
		c.relation = lessOrEqual
	case n < 60:
		c.relation = different
	}
	ordered := c.relation == less || c.relation == lessOrEqual
	if ordered && g.chance(20) {
		c.right = g.operand()
		return c
	}
	value := func(p point) uint64 { return c.left.eval(p.arguments, p.variables) }
	border := value(points[g.random.IntN(len(points))])
	if ordered && g.chance(60) { // few points are on one side
		var values []uint64
		for _, p := range points {
			values = append(values, value(p))
		}
		slices.Sort(values)
		border = values[g.random.IntN(1+len(values)/8)]
	}
	c.right = number(border)
	return c
}

func number(n uint64) *expression { return &expression{op: constant, value: n} }

func binary(op operator, left, right *expression) *expression {
	return &expression{op: op, left: left, right: right}
}

// operand returns a parameter, or now and then a variable.
func (g *generator) operand() *expression {
	if g.chance(30) {
		return &expression{op: variable, value: g.random.Uint64N(uint64(g.size.Variables))}
	}
	return &expression{op: parameter, value: g.random.Uint64N(uint64(g.size.Parameters))}
}

// operands returns two that differ.
func (g *generator) operands() (left, right *expression) {
	left, right = g.operand(), g.operand()
	for *right == *left {
		right = g.operand()
	}
	return left, right
}

// odd returns a small odd factor, so that what it multiplies can be solved for.
func (g *generator) odd() *expression { return number(3 + 2*g.random.Uint64N(50)) }

// expression returns an operand or operations on operands and constants.
func (g *generator) expression() *expression {
	left, right := g.operands()
	switch n := g.random.IntN(100); {
	case n < 15:
		return left
	case n < 30:
		return binary(add, left, number(g.word()))
	case n < 45:
		return binary(add, binary(mul, left, g.odd()), right)
	case n < 60:
		return binary(sub, binary(mul, left, g.odd()), binary(mul, right, g.odd()))
	case n < 68:
		return binary(xor, binary(add, left, number(g.word())), right)
	case n < 74:
		return binary(mul, binary(add, left, number(g.random.Uint64N(1000))), g.odd())
	case n < 86:
		return binary(mod, binary(add, left, right), number(100+g.random.Uint64N(20000)))
	case n < 93:
		return binary(and, binary(sub, left, right), number(1<<(6+g.random.IntN(16))-1))
	default:
		return binary(mul, left, right)
	}
}

// write returns a write of an operation: plain copies lead to few new worlds.
func (g *generator) write() write {
	w := write{variable: g.random.IntN(g.size.Variables), value: g.expression()}
	for w.value.op == variable {
		w.value = g.expression()
	}
	return w
}

// meet changes one argument such that an equality holds, where it can.
func (c *condition) meet(arguments, variables []uint64) {
	for at := range arguments {
		was := arguments[at]
		if solve(c.left, c.right.eval(arguments, variables), at, arguments, variables) && c.holds(arguments, variables) {
			return
		}
		arguments[at] = was
	}
}

// solve changes an argument such that e has a value. It follows the first
// operand that depends on the argument, and reports whether there is one.
func solve(e *expression, value uint64, at int, arguments, variables []uint64) bool {
	switch e.op {
	case constant, variable:
		return false
	case parameter:
		if e.value == uint64(at) {
			arguments[at] = value
		}
		return e.value == uint64(at)
	}
	l, r := e.left.eval(arguments, variables), e.right.eval(arguments, variables)
	switch e.op {
	case add:
		return solve(e.left, value-r, at, arguments, variables) || solve(e.right, value-l, at, arguments, variables)
	case sub:
		return solve(e.left, value+r, at, arguments, variables) || solve(e.right, l-value, at, arguments, variables)
	case xor:
		return solve(e.left, value^r, at, arguments, variables) || solve(e.right, value^l, at, arguments, variables)
	case mul:
		return r%2 == 1 && solve(e.left, value*inverse(r), at, arguments, variables)
	case and:
		return solve(e.left, l&^r|value, at, arguments, variables)
	default:
		return solve(e.left, l-l%r+value, at, arguments, variables)
	}
}

// inverse returns the inverse of an odd number modulo 2^64, by Newton's method:
// each step doubles the number of right bits, from 3.
func inverse(n uint64) uint64 {
	x := n
	for range 5 {
		x *= 2 - n*x
	}
	return x
}
