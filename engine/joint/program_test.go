package joint

import (
	"math/rand/v2"
	"testing"

	"leveret/engine/bytecode"
	"leveret/engine/input"
	"leveret/engine/shadow"

	"github.com/holiman/uint256"
)

// edges are words at which instructions turn over.
var edges = []uint256.Int{
	{}, {1}, {2}, {3}, {7}, {8}, {31}, {32}, {64}, {0xff}, {0x100}, {255}, {256}, {^uint64(0)}, {0, 1}, {0, 0, 0, 1 << 63},
	{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0) >> 1}, {^uint64(0) - 1, ^uint64(0), ^uint64(0), ^uint64(0)},
	{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)},
}

// any draws a word.
func (m *maker) any() uint256.Int {
	if m.IntN(2) == 0 {
		return edges[m.IntN(len(edges))]
	}
	return m.word(1 + m.IntN(256))
}

// graph makes a random graph. The compiler's checks are among its instructions.
func (m *maker) graph() {
	words := []input.WordType{word256, word64, word32, signed, left, {Bits: 8}, {Bits: 1}, {Bits: 160}}
	nodes := []shadow.Expr{}
	for range 1 + m.IntN(3) {
		nodes = append(nodes, m.variable(words[m.IntN(len(words))], 256))
	}
	draw := func() shadow.Expr { return nodes[m.IntN(len(nodes))] }
	ops := []bytecode.Op{}
	for op, info := range bytecode.Ops {
		if info.Pure && info.Name != "" && info.Pops <= 2 {
			ops = append(ops, bytecode.Op(op))
		}
	}
	for range 4 + m.IntN(20) {
		switch m.IntN(8) {
		case 0, 1:
			nodes = append(nodes, m.number(m.any()))
		case 2:
			x, y := draw(), draw()
			quotient := m.op(bytecode.EQ, y, m.op(bytecode.DIV, m.op(bytecode.MUL, x, y), x))
			nodes = append(nodes, m.op(bytecode.OR, m.op(bytecode.ISZERO, x), quotient))
		case 3:
			x, y := draw(), draw()
			nodes = append(nodes, m.op(bytecode.GT, x, m.op(bytecode.ADD, x, y)))
		default:
			op := ops[m.IntN(len(ops))]
			if bytecode.Ops[op].Pops == 1 {
				nodes = append(nodes, m.op(op, draw()))
			} else {
				nodes = append(nodes, m.op(op, draw(), draw()))
			}
		}
	}
	m.Requirements = []Requirement{{nodes[len(nodes)-1], m.IntN(2) == 0}}
}

// TestPrograms compares programs of random graphs with their slow evaluation, and
// demands that values are within the bounds of nodes, and that deductions and
// elimination lose no model.
func TestPrograms(t *testing.T) {
	held, failed := 0, 0
	for seed := range uint64(4000) {
		m := newMaker(seed)
		m.graph()
		domains := newDomains(m.Variables)
		p := build(&m.Problem, domains, &scratch{})
		x := newSearch(&solver{Problem: &m.Problem, random: rand.New(rand.NewPCG(1, seed))}, p, nil, domains)
		fixed := newDomains(m.Variables)
		_, possible := p.deduce(fixed)
		l := linearSystem{program: p, domains: newDomains(m.Variables)}
		solvable := l.eliminate(nil)
		for range 8 {
			values := make([]uint256.Int, len(m.Variables))
			for i, v := range m.Variables {
				w := m.any()
				values[i] = v.Word.Wrap(&w)
				x.values[i] = values[i]
			}
			x.evaluate()
			want := m.check(values) == nil
			if have := !p.false && x.done(); have != want {
				t.Fatalf("graph %d: the requirement holds: %v, by the program %v", seed, want, have)
			}
			x.within(t, seed)
			if failed++; !want {
				continue
			}
			held++
			if !possible || !solvable {
				t.Fatalf("graph %d: there is a model, and deductions and elimination say %v, %v", seed, possible, solvable)
			}
			for i := range fixed {
				if !fixed[i].contains(&values[i]) {
					t.Fatalf("graph %d: variable %d is %s in a model, which deductions leave out", seed, i, values[i].Hex())
				}
			}
		}
	}
	if held < 1000 || failed < 1000 {
		t.Errorf("requirements held %d times of %d", held, failed)
	}
}

// within demands that all values are within the bounds of their nodes.
func (x *search) within(t *testing.T, seed uint64) {
	t.Helper()
	for n := range x.nodes {
		m, v := &x.nodes[n], &x.values[n]
		if n < len(x.domains) && m.op != shadow.OpInput {
			continue
		}
		var beyond uint256.Int
		if beyond.Not(&m.could); !beyond.And(&beyond, v).IsZero() || v.Lt(&m.least) || v.Gt(&m.most) {
			t.Fatalf("graph %d: node %d, %s, is %s", seed, n, bytecode.Ops[m.op].Name, v.Hex())
		}
	}
}
