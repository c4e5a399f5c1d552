package oracle

import (
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/cover"
	"leveret/engine/evm"
)

// operand draws words near the ends of types more often than others.
func operand(r *rand.Rand) (w uint256.Int) {
	switch r.IntN(4) {
	case 0:
		w.SetUint64(r.Uint64N(4))
	case 1:
		w.SetUint64(r.Uint64N(300))
	case 2:
		w.Lsh(uint256.NewInt(1), uint(8*r.IntN(33)))
		w.AddUint64(&w, r.Uint64N(5))
		w.SubUint64(&w, 2)
	default:
		for i := range w {
			w[i] = r.Uint64()
		}
	}
	if r.IntN(3) == 0 {
		w.Neg(&w)
	}
	return w
}

// A calculator runs one instruction on two words and records whether it wraps.
type calculator struct {
	recorder *cover.Recorder
	machine  *evm.Machine
	world    *evm.World
	metric   cover.Metric
}

// newCalculator returns a calculator for one instruction of a type.
func newCalculator(operator string, op byte, bits int, signed bool) *calculator {
	code := []byte{
		bytecode.PUSH1, 32, bytecode.CALLDATALOAD, bytecode.PUSH0, bytecode.CALLDATALOAD,
		op, bytecode.PUSH0, bytecode.MSTORE, bytecode.PUSH1, 32, bytecode.PUSH0, bytecode.RETURN,
	}
	to, at := common.Address{0x10}, uint64(5)
	world := evm.NewWorld(evm.NewCodes())
	watched := world.SetCode(to, code)
	m := cover.NewMap()
	m.Arithmetic = func(*evm.Code) []cover.Arith {
		return []cover.Arith{{PC: uint32(at), Operator: operator, Op: op, Bits: bits, Signed: signed}}
	}
	c := &calculator{
		recorder: cover.NewRecorder(m, func(*evm.Code) bool { return true }),
		machine:  evm.NewMachine(), world: world, metric: cover.ArithMetric(watched, at),
	}
	c.fits(new(uint256.Int), new(uint256.Int)) // a Recorder watches new instructions from the second call on
	return c
}

// fits runs the instruction. The distance is from the nearest result that
// wraps, of an instruction that does not.
func (c *calculator) fits(x, y *uint256.Int) (distance uint256.Int, fits bool) {
	data := append(x.PaddedBytes(32), y.PaddedBytes(32)...)
	out := c.machine.Record(c.world, evm.BlockContext{}, evm.Call{To: common.Address{0x10}, Data: data}, c.recorder)
	run := c.recorder.Finish(out.Status)
	for _, cost := range run.Costs {
		if cost.Metric == c.metric {
			return cost.Value, !run.Reached(c.metric)
		}
	}
	return distance, !run.Reached(c.metric)
}

// The recorder's fast check agrees with arithmetic on unbounded integers.
func TestWrapsAgreeWithExactArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, row := range []struct {
		operator string
		op       byte
	}{
		{"+", bytecode.ADD}, {"-", bytecode.SUB}, {"*", bytecode.MUL}, {"**", bytecode.EXP}, {"<<", bytecode.SHL}, {"neg", bytecode.SUB},
	} {
		for bits := 8; bits <= 256; bits += 8 {
			for _, signed := range []bool{false, true} {
				if signed && (row.operator == "**" || row.operator == "<<") {
					continue // the recorder leaves them to the oracle
				}
				fast := newCalculator(row.operator, row.op, bits, signed)
				exact := Operation{Operator: row.operator, Op: row.op, Bits: bits, Signed: signed}
				for range 200 {
					x, y := operand(r), operand(r)
					switch row.operator {
					case "neg":
						x.Clear()
					case "**":
						y.SetUint64(r.Uint64N(300))
					case "<<":
						x.SetUint64(r.Uint64N(256))
					}
					distance, fits := fast.fits(&x, &y)
					_, _, result, ok := exact.Exact(&x, &y, [2]bool{})
					if !ok {
						continue
					}
					if _, wrapped := exact.Wrapped(result); wrapped == fits {
						t.Fatalf("%+v of %s and %s is %s: fits %v", exact, x.Hex(), y.Hex(), result, fits)
					}
					if fits && distance.IsZero() {
						t.Fatalf("%+v of %s and %s fits, but has no distance", exact, x.Hex(), y.Hex())
					}
				}
			}
		}
	}
}

// An addition does a subtraction only if it adds a constant or what the source
// negates. Optimisers place others there: they keep one addition for several.
func TestAdditionsAtSubtractions(t *testing.T) {
	one, minusTwo := uint256.NewInt(1), new(uint256.Int).SubUint64(new(uint256.Int), 2)
	for _, row := range []struct {
		negated     bool
		fixed       [2]bool
		left, right string // empty: no subtraction
	}{
		{false, [2]bool{false, false}, "", ""},
		{false, [2]bool{true, false}, "1", "2"},
		{false, [2]bool{false, true}, "115792089237316195423570985008687907853269984665640564039457584007913129639934", "-1"}, // x + 1, as of `a + x - b`
		{true, [2]bool{false, false}, "1", "2"},
	} {
		o := Operation{Operator: "-", Op: bytecode.ADD, Bits: 256, Negated: row.negated}
		left, right, _, ok := o.Exact(minusTwo, one, row.fixed)
		if ok != (row.left != "") || ok && (left.String() != row.left || right.String() != row.right) {
			t.Errorf("%+v: %v - %v, %v", row, left, right, ok)
		}
	}
}
