package lookahead

import (
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/core/vm/runtime"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// edges are the operands on which implementations of the EVM differ.
func edges() []uint256.Int {
	var all []uint256.Int
	add := func(z *uint256.Int) { all = append(all, *z) }
	for _, x := range []uint64{0, 1, 2, 3, 7, 8, 31, 32, 33, 127, 128, 255, 256, 257, 1 << 32, 1<<64 - 1} {
		add(uint256.NewInt(x))
		add(new(uint256.Int).Neg(uint256.NewInt(x)))
	}
	for _, bit := range []uint{64, 127, 128, 160, 192, 254, 255} {
		z := new(uint256.Int).Lsh(uint256.NewInt(1), bit)
		add(z)
		add(new(uint256.Int).SubUint64(z, 1))
	}
	return all
}

// evmResult runs op in a program of its own.
func evmResult(t *testing.T, op bytecode.Op, args []uint256.Int) uint256.Int {
	t.Helper()
	var code []byte
	for i := len(args) - 1; i >= 0; i-- {
		b := args[i].Bytes32()
		code = append(append(code, bytecode.PUSH32), b[:]...)
	}
	code = append(code, op, bytecode.PUSH0, bytecode.MSTORE, bytecode.PUSH1, 32, bytecode.PUSH0, bytecode.RETURN)
	w := newWorld()
	out, _, err := runtime.Execute(code, nil, &runtime.Config{ChainConfig: osaka, State: w.state, GasLimit: 1_000_000})
	if err != nil {
		t.Fatalf("%s: %v", bytecode.Ops[op].Name, err)
	}
	return *new(uint256.Int).SetBytes(out)
}

// TestExecAgreesWithGoEthereum compares every pure opcode, and the laws that
// hold with an unknown operand, with one-opcode programs.
func TestExecAgreesWithGoEthereum(t *testing.T) {
	values := edges()
	r := rand.New(rand.NewPCG(1, 2))
	for i := range bytecode.Ops {
		op := bytecode.Op(i)
		if !bytecode.Ops[op].Pure {
			if _, ok := execute(op, nil); ok {
				t.Errorf("%s is executed", bytecode.Ops[op].Name)
			}
			continue
		}
		for range 150 {
			args := make([]uint256.Int, bytecode.Ops[op].Pops)
			for k := range args {
				args[k] = values[r.IntN(len(values))]
			}
			if len(args) == 2 && r.IntN(8) == 0 {
				args[1] = args[0]
			}
			want := evmResult(t, op, args)
			got, ok := execute(op, args)
			if !ok || !got.Eq(&want) {
				t.Fatalf("%s %v = %s, in go-ethereum %s", bytecode.Ops[op].Name, args, got.Hex(), want.Hex())
			}
			checkLaws(t, op, args, want)
		}
	}
}

// checkLaws makes each operand unknown in turn, or both the same unknown: a
// result that is a constant all the same must be the right one.
func checkLaws(t *testing.T, op bytecode.Op, args []uint256.Int, want uint256.Int) {
	t.Helper()
	for mask := 1; mask < 1<<len(args); mask++ {
		n := &nodes{}
		n.reset()
		values := map[wordID]uint256.Int{}
		var words [3]wordID
		for k := range args {
			words[k] = n.constant(&args[k])
			if mask>>k&1 == 0 {
				continue
			}
			words[k] = n.symbol()
			for w, v := range values {
				if v.Eq(&args[k]) {
					words[k] = w
				}
			}
			values[words[k]] = args[k]
		}
		result := n.apply(op, words)
		got := want
		if v := n.value(result); v != nil {
			got = *v
		} else if v, ok := values[result]; ok {
			got = v
		}
		if !got.Eq(&want) {
			t.Fatalf("%s %v with unknowns %b = %s, want %s", bytecode.Ops[op].Name, args, mask, got.Hex(), want.Hex())
		}
		if result != unknown && n.boolean(result) && !want.LtUint64(2) {
			t.Fatalf("%s %v is not a flag", bytecode.Ops[op].Name, args)
		}
	}
}
