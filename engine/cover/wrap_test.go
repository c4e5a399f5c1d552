package cover

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
)

// operand draws words at and near the ends of types more often than others.
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

// Cut values are those that the mask or sign extension changes.
func TestCutsChangeTheValue(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		value := operand(r)
		bytes := 1 + r.IntN(31)
		mask := maxUint(8 * bytes)
		and := Arith{Operator: Cut, Op: bytecode.AND}
		_, fits := and.measure(mask, &value)
		if kept := new(uint256.Int).And(&value, mask); fits != kept.Eq(&value) && !ones(&value) {
			t.Fatalf("%s & %s: fits %v", value.Hex(), mask.Hex(), fits)
		}
		and.Widths.Add(8 * bytes) // tells the mask from a value that is one too
		for _, operands := range [][]uint256.Int{{value, *mask}, {*mask, value}} {
			_, fits = and.measure(&operands[1], &operands[0])
			if kept := new(uint256.Int).And(&value, mask); fits != kept.Eq(&value) {
				t.Fatalf("%s & %s of %d bytes: fits %v", operands[0].Hex(), operands[1].Hex(), bytes, fits)
			}
		}
		sign := Arith{Operator: Cut, Op: bytecode.SIGNEXTEND}
		at := uint256.NewInt(uint64(bytes - 1))
		_, fits = sign.measure(at, &value)
		if kept := new(uint256.Int).ExtendSign(&value, at); fits != kept.Eq(&value) {
			t.Fatalf("%s in %d bytes: fits %v", value.Hex(), bytes, fits)
		}
	}
}

// Unsigned distances lead to the wrap: one step further than the distance is
// the first result that does not fit.
func TestDistanceIsToTheNextWrap(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 20_000 {
		bits := 8 * (1 + r.IntN(32))
		a := Arith{Operator: "+", Op: bytecode.ADD, Bits: bits}
		x, y := operand(r), operand(r)
		a.read(&x)
		a.read(&y)
		distance, fits := a.measure(&x, &y)
		if !fits {
			continue
		}
		sum := new(big.Int).Add(x.ToBig(), y.ToBig())
		if sum.Add(sum, distance.ToBig()); bits < 256 && sum.Cmp(new(big.Int).Lsh(big.NewInt(1), uint(bits))) != 0 {
			t.Fatalf("%s + %s + %s is %s, not 2^%d", x.Hex(), y.Hex(), distance.Hex(), sum, bits)
		}
	}
}

// Arithmetic that may be of several types is measured in the narrowest one that holds the
// operands.
func TestNarrowestType(t *testing.T) {
	var widths Widths
	widths.Add(32)
	widths.Add(128)
	sites := newWrapSites(&evm.Code{Bytes: []byte{bytecode.ADD}}, []Arith{{Operator: "+", Op: bytecode.ADD, Bits: 128, Widths: widths}})
	for _, row := range []struct {
		bits int // of the greater operand; the other one is 1
		fits bool
		way  int // bits of the distance
	}{
		{8, true, 32}, {31, true, 32}, {32, false, 0}, {33, true, 128}, {127, true, 128}, {128, false, 0}, {129, true, 256}, {256, false, 0},
	} {
		x, y := *maxUint(row.bits), *uint256.NewInt(1)
		var way uint256.Int
		a := &sites.list[0]
		if fits := a.distance(&way, &x, &y); fits != row.fits || fits && way.BitLen() != row.way || !fits && a.certainlyFits(&x, &y) {
			t.Errorf("2^%d: %v, a way of %d bits", row.bits, fits, way.BitLen())
		}
	}
}

// Plain arithmetic has the same distances in the shorter way.
func TestDistancesOfPlainArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for operator, op := range map[string]byte{"+": bytecode.ADD, "-": bytecode.SUB, "*": bytecode.MUL} {
		for _, bits := range []int{8, 32, 112, 128, 160, 248, 256} {
			sites := newWrapSites(&evm.Code{Bytes: []byte{op}}, []Arith{{Operator: operator, Op: op, Bits: bits}})
			wraps := 0
			for range 10_000 {
				x, y := operand(r), operand(r)
				if r.IntN(4) > 0 {
					x.And(&x, maxUint(bits))
					y.And(&y, maxUint(bits))
				}
				want, fits := sites.list[0].measure(&x, &y)
				var got uint256.Int
				ok := sites.list[0].distance(&got, &x, &y)
				if ok != fits || fits && got != want {
					t.Fatalf("%s %s %s in %d bits: %s, %v, want %s, %v", x.Hex(), operator, y.Hex(), bits, got.Hex(), ok, want.Hex(), fits)
				}
				if !fits {
					wraps++
				}
			}
			if wraps < 100 {
				t.Errorf("%s of %d bits wrapped %d times", operator, bits, wraps)
			}
		}
	}
}
