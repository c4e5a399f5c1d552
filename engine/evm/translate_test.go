package evm

import (
	"math/rand/v2"
	"slices"
	"testing"

	"leveret/engine/bytecode"
)

// Arithmetic with known operands takes few operations, and its price is that of all
// instructions.
func TestSimplified(t *testing.T) {
	const p1, load = bytecode.PUSH0 + 1, bytecode.CALLDATALOAD
	for _, c := range []struct {
		name string
		code []byte // ends with a STOP
		want []opKind
		gas  uint32
	}{
		{"element of an array in memory", []byte{
			bytecode.PUSH0, load, p1, 32, bytecode.MUL, p1, 32, bytecode.ADD, p1, 32, load, bytecode.ADD, bytecode.MLOAD, bytecode.POP,
		}, []opKind{opCalldata, opCalldata, opLoadIndex}, 2 + 3 + 3 + 5 + 3 + 3 + 3 + 3 + 3 + 3 + 2},
		{"the same, shifted, and the constant last", []byte{
			p1, 4, load, bytecode.PUSH0, load, p1, 5, bytecode.SHL, bytecode.ADD, p1, 32, bytecode.ADD, bytecode.MLOAD, bytecode.POP,
		}, []opKind{opCalldata, opCalldata, opLoadIndex}, 3 + 3 + 2 + 3 + 3 + 3 + 3 + 3 + 3 + 3 + 2},
		{"a product that is used twice", []byte{
			bytecode.PUSH0, load, p1, 32, bytecode.MUL, bytecode.DUP1, p1, 32, bytecode.ADD, bytecode.SSTORE,
		}, []opKind{opCalldata, opMul, opAdd, opSstore}, 2 + 3 + 3 + 5 + 3 + 3 + 3},
		{"constants of a sum", []byte{
			bytecode.PUSH0, load, p1, 4, bytecode.ADD, p1, 32, bytecode.ADD, bytecode.POP,
		}, []opKind{opCalldata, opAdd}, 2 + 3 + 3 + 3 + 3 + 3 + 2},
		{"power of constants", []byte{p1, 8, p1, 2, bytecode.EXP, bytecode.PUSH0, bytecode.SSTORE}, []opKind{opSstore}, 3 + 3 + 10 + 50 + 2},
		{"power with a known exponent", []byte{
			p1 + 1, 1, 0, bytecode.PUSH0, load, bytecode.EXP, bytecode.POP,
		}, []opKind{opCalldata, opBinary}, 3 + 2 + 3 + 10 + 100 + 2},
		{"quotient and remainder of a power of two", []byte{
			p1, 16, bytecode.PUSH0, load, bytecode.DIV, p1, 16, bytecode.PUSH0, load, bytecode.MOD, bytecode.SSTORE,
		}, []opKind{opCalldata, opShr, opCalldata, opAnd, opSstore}, 2*(3+2+3+5) + 0},
	} {
		code := NewCodes().Runtime(append(c.code, bytecode.STOP))
		tr := &translation{code: code, fork: Cancun, roots: make([]*node, len(code.Bytes)+1)}
		n := tr.root(0)
		var kinds []opKind
		for i := range n.ops {
			kinds = append(kinds, n.ops[i].kind)
		}
		if !slices.Equal(kinds, c.want) || n.gas != c.gas {
			t.Errorf("%s: operations %v for %d gas, want %v for %d", c.name, kinds, n.gas, c.want, c.gas)
		}
	}
}

// A trail has the elements of its list, whatever it shares with an earlier one.
func TestTrail(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	var spare []int
	lists, trails := [][]int{nil}, []*trail[int]{{}}
	shared := 0
	for range 1000 {
		n := r.IntN(len(lists))
		list := slices.Clone(lists[n])
		if r.IntN(4) == 0 {
			list = list[:r.IntN(len(list)+1)]
		}
		for range r.IntN(4) {
			list = append(list, r.IntN(3))
		}
		made := trails[n].then(lists[n], list, &spare, 8)
		if made.shared > 0 {
			shared++
		}
		lists, trails = append(lists, list), append(trails, &made)
	}
	for i, list := range lists {
		if got := trails[i].list(nil); !slices.Equal(got, list) {
			t.Fatalf("list %d is %v, want %v", i, got, list)
		}
	}
	if shared < 500 {
		t.Errorf("%d of 1000 lists share their beginning", shared)
	}
}
