// Package maze generates contracts with many assertions that all can fail. A
// maze has functions with many parameters, in which conditions over parameters
// and storage nest, and each assertion is at the end of one way through them.
// Gates before the nested conditions and ends without an assertion write to
// storage, so many paths lead to one assertion, and some need several
// transactions. The idea is that of the benchmarks of the Daedaluzz project.
//
// The generator keeps concrete calls for every side of every condition that it
// writes, so each assertion has a witness by construction. The package knows
// Solidity only as text, and nothing of fuzzers.
package maze

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
)

// A Size says how large a maze is.
type Size struct {
	Assertions int // at least
	Parameters int // of each function
	Variables  int // in storage
	Gates      int // of each function
	Depth      int // of nested conditions, at most
}

// Sizes are the sizes by name. Compiled without the optimiser, all but huge and giant mazes
// are below the limit of 24,576 bytes of deployed code, which fuzzers can lift.
var Sizes = map[string]Size{
	"small":  {Assertions: 48, Parameters: 6, Variables: 4, Gates: 2, Depth: 4},
	"medium": {Assertions: 96, Parameters: 8, Variables: 6, Gates: 3, Depth: 5},
	"large":  {Assertions: 150, Parameters: 8, Variables: 8, Gates: 4, Depth: 5},
	"huge":   {Assertions: 450, Parameters: 8, Variables: 12, Gates: 4, Depth: 6},
	"giant":  {Assertions: 1200, Parameters: 8, Variables: 16, Gates: 4, Depth: 7},
}

// SizeNames lists the names of the sizes, the smallest first.
func SizeNames() []string {
	return slices.SortedFunc(maps.Keys(Sizes), func(a, b string) int { return Sizes[a].Assertions - Sizes[b].Assertions })
}

// A Maze is a generated contract. All its words are unsigned and of 64 bits, and
// its arithmetic wraps.
type Maze struct {
	Witnesses [][]Call // of each assertion, by its identifier
	initial   []uint64 // values of the variables
	functions []*function
}

// A Call is a transaction of a witness.
type Call struct {
	Function  int // see FunctionName
	Arguments []uint64
}

// FunctionName is the name of a function in the source.
func FunctionName(function int) string { return fmt.Sprintf("walk%d", function) }

// New generates a maze. The same seed and size give the same maze.
func New(seed uint64, size Size) *Maze {
	random := rand.New(rand.NewPCG(seed, 0x6d617a65))
	m := &Maze{}
	for range size.Variables {
		m.initial = append(m.initial, random.Uint64N(64))
	}
	g := &generator{maze: m, random: random, size: size, worlds: []*world{{variables: m.initial}}}
	for len(m.Witnesses) < size.Assertions {
		g.addFunction()
	}
	return m
}

// A function has gates, which all its calls pass, and then nested conditions.
type function struct {
	parameters int
	gates      []*gate
	body       *node
}

// A gate writes to storage on one side of a condition.
type gate struct {
	cond *condition
	write
}

// A write sets a variable.
type write struct {
	variable int
	value    *expression
}

// A node is a condition with two sides, or, without a condition, the end of a
// way.
type node struct {
	cond        *condition
	then, other *node
	end         end
}

// An end is what happens at the end of a way.
type end struct {
	kind      endKind
	assertion int // identifier of the assertion that fails
	write
}

type endKind uint8

const (
	endEmpty endKind = iota
	endAssertion
	endWrite
)

// None is what Execute returns if no assertion fails.
const None = -1

// Execute runs calls one after the other, from the initial storage, and returns
// the assertion that the last one fails; None if it fails none. A call that
// fails an assertion changes nothing.
func (m *Maze) Execute(calls []Call) (assertion int) {
	variables := m.initial
	assertion = None
	for _, c := range calls {
		after := slices.Clone(variables)
		e := m.functions[c.Function].walk(c.Arguments, after)
		if e.kind == endAssertion {
			assertion = e.assertion
			continue
		}
		assertion, variables = None, after
	}
	return assertion
}

// walk returns the end that a call comes to, and writes to the variables.
func (f *function) walk(arguments, variables []uint64) *end {
	for _, g := range f.gates {
		g.pass(arguments, variables)
	}
	n := f.body
	for n.cond != nil {
		if n.cond.holds(arguments, variables) {
			n = n.then
		} else {
			n = n.other
		}
	}
	if n.end.kind == endWrite {
		n.end.apply(arguments, variables)
	}
	return &n.end
}

// pass writes if the condition holds.
func (g *gate) pass(arguments, variables []uint64) {
	if g.cond.holds(arguments, variables) {
		g.apply(arguments, variables)
	}
}

func (w *write) apply(arguments, variables []uint64) {
	variables[w.variable] = w.value.eval(arguments, variables)
}
