package joint

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"leveret/engine/bytecode"
	"leveret/engine/input"
	"leveret/engine/shadow"

	"github.com/holiman/uint256"
)

// A maker makes problems with a hidden model.
type maker struct {
	*rand.Rand
	Problem
	hidden []uint256.Int
}

func newMaker(seed uint64) *maker {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 1))}
	m.Graph = &shadow.Expressions{}
	return m
}

func (m *maker) add(e shadow.Expression) shadow.Expr {
	m.Graph.Nodes = append(m.Graph.Nodes, e)
	return shadow.Expr(len(m.Graph.Nodes) - 1)
}

// variable adds a variable with a hidden value of so many bits.
func (m *maker) variable(word input.WordType, bits int) shadow.Expr {
	e := m.add(shadow.Expression{Op: shadow.OpInput, Source: shadow.TaintSource{Kind: shadow.FromCalldata, Offset: uint64(len(m.Variables))}})
	m.Variables = append(m.Variables, Variable{At: e, Word: word})
	w := m.word(bits)
	m.hidden = append(m.hidden, word.Wrap(&w))
	return e
}

func (m *maker) word(bits int) uint256.Int {
	w := uint256.Int{m.Uint64(), m.Uint64(), m.Uint64(), m.Uint64()}
	w.Rsh(&w, uint(256-bits))
	return w
}

func (m *maker) number(v uint256.Int) shadow.Expr {
	return m.add(shadow.Expression{Op: shadow.OpConst, Value: v})
}

func (m *maker) small(v uint64) shadow.Expr { return m.number(*uint256.NewInt(v)) }

func (m *maker) op(op bytecode.Op, args ...shadow.Expr) shadow.Expr {
	e := shadow.Expression{Op: op, A: args[0]}
	if len(args) > 1 {
		e.B = args[1]
	}
	return m.add(e)
}

// equals requires that a word has its hidden value.
func (m *maker) equals(e shadow.Expr) {
	v := m.value(e, m.hidden)
	m.require(m.op(bytecode.EQ, m.number(v), e))
}

// require requires what is so in the hidden model.
func (m *maker) require(e shadow.Expr) {
	v := m.value(e, m.hidden)
	m.Requirements = append(m.Requirements, Requirement{e, !v.IsZero()})
}

// value evaluates an Expression, slowly.
func (m *maker) value(e shadow.Expr, values []uint256.Int) uint256.Int {
	n := &m.Graph.Nodes[e]
	switch n.Op {
	case shadow.OpConst:
		return n.Value
	case shadow.OpInput:
		return values[slices.IndexFunc(m.Variables, func(v Variable) bool { return v.At == e })]
	case shadow.OpFrozen:
		return m.value(n.A, values)
	}
	a, b := m.value(n.A, values), m.value(n.B, values)
	var z uint256.Int
	shadow.Compute(&z, n.Op, &a, &b, nil)
	return z
}

// check reports what is wrong with a model.
func (m *maker) check(values []uint256.Int) error {
	for i, v := range m.Variables {
		if v.Word.Wrap(&values[i]) != values[i] {
			return fmt.Errorf("variable %d: %s is no value of its type", i, values[i].Hex())
		}
	}
	for i, r := range m.Requirements {
		if v := m.value(r.Word, values); v.IsZero() == r.Nonzero {
			return fmt.Errorf("requirement %d does not hold", i)
		}
	}
	return nil
}

var (
	word256 = input.WordType{Bits: 256}
	word64  = input.WordType{Bits: 64}
	word32  = input.WordType{Bits: 32}
	signed  = input.WordType{Bits: 128, Signed: true}
	left    = input.WordType{Bits: 64, Left: true}
)

// families make problems of the kinds that stages are for.
var families = []struct {
	name string
	make func(m *maker)
	by   Stage // no later stage is needed
	most int   // instructions
	runs int   // seeds
	good int   // of them, how many must be solved
}{
	{"linear", func(m *maker) { linear(m, word256, 256, 3) }, ByElimination, 1e5, 40, 40},
	{"signed", func(m *maker) { linear(m, signed, 100, 2) }, ByElimination, 1e5, 40, 40},
	{"masked", masked, ByElimination, 1e5, 40, 40},
	{"rounds", rounds, ByInverse, 1e5, 40, 40},
	{"packed", packed, ByInverse, 1e5, 40, 40},
	{"products", products, ByDivisors, 3e6, 40, 40},
	{"sums", sums, BySearch, 4e6, 20, 18},
	{"ordered", ordered, BySearch, 4e6, 20, 18},
	{"divided", divided, BySearch, 4e6, 20, 20},
	{"squares", squares, BySearch, 4e6, 20, 16},
}

// linear makes as many equations as variables.
func linear(m *maker, word input.WordType, bits, n int) {
	var x []shadow.Expr
	for range n {
		x = append(x, m.variable(word, bits))
	}
	for range n {
		sum := m.small(m.Uint64N(9))
		for i := range x {
			sum = m.op(bytecode.ADD, sum, m.op(bytecode.MUL, m.small(2+m.Uint64N(97)), x[i]))
		}
		m.equals(sum)
	}
}

// masked makes equations modulo 2^64 and a relation of the rest.
func masked(m *maker) {
	x, y := m.variable(word64, 64), m.variable(word64, 64)
	mask := m.number(lowBits(64))
	sum := m.op(bytecode.AND, mask, m.op(bytecode.ADD, m.op(bytecode.MUL, x, m.small(m.Uint64()|1)), y))
	m.equals(sum)
	m.equals(m.op(bytecode.AND, m.op(bytecode.SUB, m.op(bytecode.SHL, m.small(3), sum), x), mask))
}

// rounds makes rounds of invertible operations on 64 bits.
func rounds(m *maker) {
	mask := m.number(lowBits(64))
	h := m.variable(word64, 64)
	for range 4 {
		r := 1 + m.Uint64N(62)
		h = m.op(bytecode.XOR, h, m.small(m.Uint64()))
		h = m.op(bytecode.OR, m.op(bytecode.AND, mask, m.op(bytecode.SHL, m.small(r), h)), m.op(bytecode.SHR, m.small(64-r), h))
		h = m.op(bytecode.AND, m.op(bytecode.MUL, h, m.small(m.Uint64()|1)), mask)
		h = m.op(bytecode.AND, m.op(bytecode.ADD, m.op(bytecode.NOT, h), m.small(m.Uint64())), mask)
	}
	m.equals(h)
}

// packed makes a word of parts of others, and fixes it.
func packed(m *maker) {
	x, y := m.variable(left, 256), m.variable(word64, 64)
	m.equals(m.op(bytecode.OR, m.op(bytecode.SHR, m.small(64), x), y))
}

// products makes products of sums, and their total.
func products(m *maker) {
	var x []shadow.Expr
	for range 5 {
		x = append(x, m.variable(word64, 14))
	}
	m.equals(m.op(bytecode.MUL, m.op(bytecode.ADD, x[0], x[1]), m.op(bytecode.ADD, x[1], x[2])))
	m.equals(m.op(bytecode.MUL, x[3], x[2]))
	m.equals(m.op(bytecode.MUL, x[4], x[3]))
	m.equals(m.op(bytecode.ADD, m.op(bytecode.ADD, m.op(bytecode.ADD, x[0], x[1]), m.op(bytecode.ADD, x[2], x[3])), x[4]))
}

// sums makes a sum and a weighted sum of small words.
func sums(m *maker) {
	sum, weighted := m.small(0), m.small(0)
	for i := range 6 {
		x := m.variable(word32, 30)
		sum = m.op(bytecode.ADD, sum, x)
		weighted = m.op(bytecode.ADD, weighted, m.op(bytecode.MUL, x, m.small(uint64(i+1))))
	}
	m.equals(sum)
	m.equals(weighted)
}

// ordered makes words in order with a sum and a difference.
func ordered(m *maker) {
	var x []shadow.Expr
	at := uint256.NewInt(1 + m.Uint64N(1e6))
	for range 5 {
		x = append(x, m.variable(word256, 1))
		m.hidden[len(x)-1] = *at
		at = new(uint256.Int).AddUint64(at, 1+m.Uint64N(1e6))
	}
	sum := x[0]
	for i := range 4 {
		m.require(m.op(bytecode.GT, x[i+1], x[i]))
		next := m.op(bytecode.ADD, sum, x[i+1])
		m.require(m.op(bytecode.GT, sum, next)) // no overflow
		sum = next
	}
	m.equals(sum)
	m.equals(m.op(bytecode.SUB, x[4], x[0]))
}

// divided makes equations whose solutions are integers for one value in some.
func divided(m *maker) {
	x, y, z := m.variable(word64, 40), m.variable(word64, 40), m.variable(word32, 30)
	m.equals(m.op(bytecode.ADD, m.op(bytecode.MUL, x, m.small(10)), m.op(bytecode.MUL, y, m.small(7))))
	m.equals(m.op(bytecode.ADD, m.op(bytecode.MUL, z, m.small(11)), m.op(bytecode.MUL, x, m.small(3))))
}

// squares makes squares and a remainder.
func squares(m *maker) {
	x, y := m.variable(word64, 12), m.variable(word64, 12)
	m.equals(m.op(bytecode.MUL, x, x))
	m.require(m.op(bytecode.LT, m.op(bytecode.MUL, y, y), m.op(bytecode.MUL, x, m.small(50))))
	m.require(m.op(bytecode.ISZERO, m.op(bytecode.MOD, y, m.small(7))))
}

// TestFamilies demands that generated problems are solved by the stage for them,
// and that models hold.
func TestFamilies(t *testing.T) {
	for _, f := range families {
		good, late, total := 0, 0, 0
		for seed := range f.runs {
			m := newMaker(uint64(seed))
			f.make(m)
			if err := m.check(m.hidden); err != nil {
				t.Fatalf("%s %d: the hidden model: %v", f.name, seed, err)
			}
			model, spent, ok := m.Solve(rand.New(rand.NewPCG(2, uint64(seed))), f.most)
			total += spent
			if !ok {
				continue
			}
			if err := m.check(model.Values); err != nil {
				t.Fatalf("%s %d: %v in %v", f.name, seed, err, model)
			}
			if good++; model.By > f.by {
				late++
			}
		}
		t.Logf("%s: %d of %d, %d instructions each", f.name, good, f.runs, total/f.runs)
		if good < f.good || late > 0 {
			t.Errorf("%s: %d of %d problems were solved, %d by a later stage", f.name, good, f.runs, late)
		}
	}
}

// Requirements that contradict one another have no model, and that takes no search.
func TestContradictions(t *testing.T) {
	for name, make := range map[string]func(m *maker){
		"linear": func(m *maker) {
			x, y := m.variable(word256, 200), m.variable(word256, 200)
			sum := m.op(bytecode.ADD, x, y)
			m.equals(sum)
			m.equals(m.op(bytecode.MUL, sum, m.small(3)))
			m.Requirements = append(m.Requirements, Requirement{m.op(bytecode.EQ, m.op(bytecode.MUL, sum, m.small(2)), m.small(5)), true})
		},
		"bits": func(m *maker) {
			x := m.op(bytecode.SHL, m.small(8), m.variable(word64, 64))
			m.Requirements = append(m.Requirements, Requirement{m.op(bytecode.EQ, x, m.small(0x1234)), true})
		},
		"overflow": func(m *maker) {
			x, y := m.variable(word64, 64), m.variable(word64, 64)
			m.Requirements = append(m.Requirements, Requirement{m.op(bytecode.LT, m.op(bytecode.ADD, x, y), y), true})
		},
		"product": func(m *maker) {
			x, y := m.variable(word64, 64), m.variable(word64, 64)
			quotient := m.op(bytecode.EQ, m.op(bytecode.DIV, m.op(bytecode.MUL, x, y), x), y)
			m.Requirements = append(m.Requirements, Requirement{m.op(bytecode.OR, m.op(bytecode.ISZERO, x), quotient), false})
		},
	} {
		m := newMaker(1)
		make(m)
		if model, spent, ok := m.Solve(rand.New(rand.NewPCG(1, 1)), 1e6); ok || spent > 200 {
			t.Errorf("%s: %v, %v after %d instructions", name, ok, model, spent)
		}
	}
}

// Equal problems and random numbers give equal models.
func TestDeterminism(t *testing.T) {
	solve := func() string {
		m := newMaker(4)
		ordered(m)
		model, spent, ok := m.Solve(rand.New(rand.NewPCG(9, 9)), 4e6)
		return fmt.Sprint(model, spent, ok)
	}
	if a, b := solve(), solve(); a != b {
		t.Errorf("%s, then %s", a, b)
	}
}

// TestDivisors compares divisors with trial division, and demands the prime
// factors of large numbers.
func TestDivisors(t *testing.T) {
	for n := uint64(1); n < 3000; n += 7 {
		var want []uint64
		for d := uint64(1); d <= n; d++ {
			if n%d == 0 {
				want = append(want, d)
			}
		}
		if have := divisors(n); !slices.Equal(have, want) {
			t.Fatalf("the divisors of %d are %v, not %v", n, have, want)
		}
	}
	r := rand.New(rand.NewPCG(8, 8))
	for range 20 {
		n := uint64(1)
		for n < 1<<34 {
			n *= 1 + r.Uint64N(1<<20)
		}
		product := uint64(1)
		for _, p := range primes(n) {
			if product *= p; n < 1<<56 && p > 1<<20 && !isPrime(p) {
				t.Errorf("%d of %d is no prime", p, n)
			}
		}
		if product != n {
			t.Errorf("the factors of %d have the product %d", n, product)
		}
	}
}
