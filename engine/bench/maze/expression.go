package maze

import "fmt"

type operator uint8

const (
	constant  operator = iota // value
	parameter                 // number value of the function
	variable                  // number value of the contract
	add
	sub
	mul
	and
	xor
	mod // by a constant that is not 0
)

var symbols = map[operator]string{add: "+", sub: "-", mul: "*", and: "&", xor: "^", mod: "%"}

// An expression is a constant, a parameter, a variable, or an operation on two
// expressions, on 64 bits that wrap.
type expression struct {
	op          operator
	value       uint64
	left, right *expression
}

func (e *expression) eval(arguments, variables []uint64) uint64 {
	switch e.op {
	case constant:
		return e.value
	case parameter:
		return arguments[e.value]
	case variable:
		return variables[e.value]
	}
	l, r := e.left.eval(arguments, variables), e.right.eval(arguments, variables)
	switch e.op {
	case add:
		return l + r
	case sub:
		return l - r
	case mul:
		return l * r
	case and:
		return l & r
	case xor:
		return l ^ r
	default:
		return l % r
	}
}

// String returns the expression in Solidity.
func (e *expression) String() string {
	switch e.op {
	case constant:
		return fmt.Sprint(e.value)
	case parameter:
		return fmt.Sprintf("a%d", e.value)
	case variable:
		return fmt.Sprintf("v%d", e.value)
	}
	return fmt.Sprintf("(%s %s %s)", e.left, symbols[e.op], e.right)
}

type relation string

const (
	equal       relation = "=="
	different   relation = "!="
	less        relation = "<"
	lessOrEqual relation = "<="
)

// A condition compares two expressions.
type condition struct {
	relation    relation
	left, right *expression
}

func (c *condition) holds(arguments, variables []uint64) bool {
	l, r := c.left.eval(arguments, variables), c.right.eval(arguments, variables)
	switch c.relation {
	case equal:
		return l == r
	case different:
		return l != r
	case less:
		return l < r
	default:
		return l <= r
	}
}

// String returns the condition in Solidity.
func (c *condition) String() string {
	return fmt.Sprintf("%s %s %s", c.left, c.relation, c.right)
}
