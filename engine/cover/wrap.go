package cover

import (
	"math/bits"

	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
)

// An Arith is an arithmetic instruction that may wrap in a type that only the
// source tells. Codes without any cost nothing extra.
type Arith struct {
	PC       uint32
	Operator string // "+", "-", "*", "**", "<<", "neg"
	Op       byte   // the instruction
	Bits     int
	Signed   bool
	Widths   Widths // of a Cut: the widths in bytes that it may cut to; empty: any. Of an unsigned sum, difference or product: those of its possible types; empty: Bits
}

// A Widths is a set of widths in bytes, up to 32.
type Widths uint32

// Add adds the width of a type of bits bits.
func (w *Widths) Add(bits int) { *w |= 1 << (bits/8 - 1) }

// has reports whether w contains a width of bits bits, or is empty.
func (w Widths) has(bits int) bool { return w == 0 || w&(1<<(bits/8-1)) != 0 }

// holding returns the least width in bits of w that holds a word of n bits; 256 if none
// does.
func (w Widths) holding(n int) int {
	least := max(n-1, 0) / 8
	if w >>= least; w == 0 {
		return 256
	}
	return 8 * (least + bits.TrailingZeros32(uint32(w)) + 1)
}

// Cut is the Operator of a mask or sign extension that implements a conversion
// to a smaller type; the operands determine the type.
const Cut = "cut"

// MayWrap reports whether the instruction at pc may wrap.
func (m *Map) MayWrap(code *evm.Code, pc uint64) bool {
	w := m.code(code).wraps
	return w != nil && w.at[pc] != 0
}

// wrapSites are the Ariths of one code.
type wrapSites struct {
	list []plainArith
	at   []uint16 // by pc: 1-based position in list
}

// A plainArith is an Arith, whether it is plain, and whether it is that of words alone.
type plainArith struct {
	Arith
	plain, word bool
}

// most returns the largest number of the type, which must not be changed: where it may be of
// several types, of the narrowest one that holds the operands.
func (a *Arith) most(x, y *uint256.Int) *uint256.Int {
	if a.Widths == 0 {
		return maxUint(a.Bits)
	}
	return maxUint(a.Widths.holding(max(x.BitLen(), y.BitLen())))
}

func newWrapSites(code *evm.Code, list []Arith) *wrapSites {
	if len(list) == 0 || len(list) >= 1<<16 {
		return nil
	}
	w := &wrapSites{at: make([]uint16, len(code.Bytes)+1)}
	for i := range list {
		plain := list[i].isPlain()
		const words = 1 << 31 // of 256 bits
		w.list = append(w.list, plainArith{list[i], plain, plain && list[i].Bits == 256 && list[i].Widths&^words == 0})
		w.at[list[i].PC] = uint16(i + 1)
	}
	return w
}

// wrap measures a watched instruction: whether its result fits its type, and
// its distance from the other case.
func (r *Recorder) wrap(c *local, number uint16, pc uint64, top, next *uint256.Int) {
	seen := &c.wrapped[number-1]
	if seen.gen == r.gen && seen.n == 1 {
		return // that it wrapped is known
	}
	a := &c.wraps.list[number-1]
	if seen.gen == r.gen && a.plain && a.certainlyFits(top, next) {
		return // its distance is known
	}
	known := len(r.run.Costs)
	cost := r.nextCost()
	fits := a.distance(&cost.Value, top, next)
	if fits && seen.gen != r.gen {
		cost.Metric, cost.Side = ArithMetric(c.of, pc), Bound
		*seen = counter{r.gen, 0}
		return
	}
	r.run.Costs = r.run.Costs[:known]
	if !fits {
		r.run.Suspicion |= Wrapped
		r.run.Wraps = append(r.run.Wraps, ArithMetric(c.of, pc))
		*seen = counter{r.gen, 1}
	}
}

// isPlain reports whether a is an unsigned sum, difference or product, which most
// arithmetic is.
func (a *Arith) isPlain() bool {
	if a.Signed {
		return false
	}
	return a.Op == bytecode.ADD && a.Operator == "+" || a.Op == bytecode.SUB && a.Operator == "-" || a.Op == bytecode.MUL && a.Operator == "*"
}

// certainlyFits reports whether plain arithmetic certainly fits its type. Operands
// that do not fit it themselves are left to measure.
func (a *plainArith) certainlyFits(x, y *uint256.Int) bool {
	var z uint256.Int
	if over := a.compute(&z, x, y); over || a.word {
		return !over
	}
	most := a.most(x, y)
	return !z.Gt(most) && !x.Gt(most) && !y.Gt(most)
}

// compute sets z to the result of plain arithmetic of words, and reports whether
// it wraps.
func (a *plainArith) compute(z, x, y *uint256.Int) (over bool) {
	switch {
	case a.Op == bytecode.ADD:
		_, over = z.AddOverflow(x, y)
	case a.Op == bytecode.SUB:
		_, over = z.SubOverflow(x, y)
	case x[2]|x[3]|y[2]|y[3] == 0: // both are below 1 << 128
		z.Mul(x, y)
	default:
		_, over = z.MulOverflow(x, y)
	}
	return over
}

// distance sets z to what measure returns, in a shorter way for plain arithmetic:
// sums and products come near the largest number of the type, differences near zero.
func (a *plainArith) distance(z, x, y *uint256.Int) (fits bool) {
	most := a.most(x, y)
	if !a.plain || !a.word && (x.Gt(most) || y.Gt(most)) {
		*z, fits = a.measure(x, y)
		return fits
	}
	if over := a.compute(z, x, y); over || z.Gt(most) {
		return false
	}
	if a.Op != bytecode.SUB {
		z.Sub(most, z)
	}
	*z = beyond(z)
	return true
}

// measure returns the distance of a result from the end of its type, at least
// 1; fits is false if the result is outside. Distances are linear in each
// operand where the result is.
func (a *Arith) measure(top, next *uint256.Int) (distance uint256.Int, fits bool) {
	x, y := *top, *next
	var result uint256.Int
	if a.Operator == Cut {
		return a.cut(&x, &y)
	}
	if a.Operator == "-" && a.Op == bytecode.ADD {
		return a.negated(&x, &y)
	}
	a.read(&x)
	if a.Operator != "**" && a.Operator != "<<" {
		a.read(&y)
	}
	fits = true
	switch a.Op {
	case bytecode.ADD:
		_, carry := result.AddOverflow(&x, &y)
		fits = a.Signed && !overflows(&x, &y, &result) || !a.Signed && !carry
	case bytecode.SUB:
		_, borrow := result.SubOverflow(&x, &y)
		if !a.Signed {
			return beyond(&result), !borrow
		}
		minus := y
		minus.Not(&minus) // x-y = x+~y+1: same signs as x + -y, except for the smallest y
		fits = !overflows(&x, &minus, &result)
	case bytecode.MUL:
		fits = a.multiply(&result, &x, &y)
	case bytecode.EXP:
		fits = a.power(&result, &x, next)
	case bytecode.SHL:
		value := *next
		a.read(&value)
		fits = a.shift(&result, &value, top)
	}
	return a.room(&result, fits)
}

// read truncates a word to the type.
func (a *Arith) read(w *uint256.Int) {
	if a.Bits == 256 {
		return
	}
	if a.Signed {
		w.ExtendSign(w, uint256.NewInt(uint64(a.Bits/8-1)))
		return
	}
	w.And(w, maxUint(a.Bits))
}

// maxUint returns the largest number of a type. It must not be changed.
func maxUint(bits int) *uint256.Int { return &maxUints[bits] }

var maxUints = func() (all [257]uint256.Int) {
	for bits := range all {
		all[bits].SetAllOne()
		all[bits].Rsh(&all[bits], uint(256-bits))
	}
	return all
}()

// room returns the distance of a result that fits 256 bits from the ends of the
// type.
func (a *Arith) room(result *uint256.Int, fits bool) (distance uint256.Int, ok bool) {
	if !fits {
		return distance, false
	}
	if !a.Signed {
		most := maxUint(a.Bits)
		if result.Gt(most) {
			return distance, false
		}
		return beyond(distance.Sub(most, result)), true
	}
	most := maxUint(a.Bits - 1)
	least := new(uint256.Int).Not(most)
	if result.Sgt(most) || result.Slt(least) {
		return distance, false
	}
	var below uint256.Int
	distance.Sub(most, result)
	if below.Sub(result, least); below.Lt(&distance) {
		distance = below
	}
	return beyond(&distance), true
}

// beyond returns by + 1, saturated: never zero.
func beyond(by *uint256.Int) (distance uint256.Int) {
	if distance.AddUint64(by, 1); distance.IsZero() {
		distance.SetAllOne()
	}
	return distance
}

// overflows reports whether the sum of two numbers of equal sign has the other
// sign.
func overflows(x, y, sum *uint256.Int) bool {
	return x.Sign() >= 0 == (y.Sign() >= 0) && (sum.Sign() >= 0) != (x.Sign() >= 0)
}

// negated measures a subtraction that an optimiser turned into the addition of
// a negative constant: it borrows where the addition does not carry.
func (a *Arith) negated(x, y *uint256.Int) (distance uint256.Int, fits bool) {
	if a.Signed {
		return distance, true
	}
	_, carry := distance.AddOverflow(x, y)
	distance.And(&distance, maxUint(a.Bits))
	return beyond(&distance), carry
}

func (a *Arith) multiply(z, x, y *uint256.Int) bool {
	if !a.Signed {
		_, over := z.MulOverflow(x, y)
		return !over
	}
	var l, r uint256.Int
	negative := (x.Sign() < 0) != (y.Sign() < 0)
	_, over := z.MulOverflow(l.Abs(x), r.Abs(y))
	if over || z.Sign() < 0 {
		return false
	}
	if negative {
		z.Neg(z)
	}
	return true
}

func (a *Arith) power(z, base, exponent *uint256.Int) bool {
	if a.Signed || base.LtUint64(2) {
		z.Exp(base, exponent)
		return true
	}
	z.SetOne()
	for n := uint64(0); !exponent.IsUint64() || n < exponent.Uint64(); n++ {
		if _, over := z.MulOverflow(z, base); over {
			return false
		}
	}
	return true
}

func (a *Arith) shift(z, x, by *uint256.Int) bool {
	if !by.LtUint64(256) || a.Signed {
		return a.Signed || x.IsZero()
	}
	z.Lsh(x, uint(by.Uint64()))
	var back uint256.Int
	return back.Rsh(z, uint(by.Uint64())).Eq(x)
}

// cut measures a conversion, which loses the bits beyond the smaller type.
func (a *Arith) cut(top, next *uint256.Int) (distance uint256.Int, fits bool) {
	if a.Op == bytecode.SIGNEXTEND {
		var same uint256.Int
		same.ExtendSign(next, top)
		watched := top.LtUint64(32) && a.Widths.has(8*int(top.Uint64()+1))
		return *distance.SetAllOne(), !watched || same.Eq(next)
	}
	value, most := next, top
	if !a.isMask(most) || a.isMask(value) && value.Lt(most) { // the value may be 2^n-1 too: rather too many wraps than too few
		value, most = top, next
	}
	if !a.isMask(most) {
		return *distance.SetAllOne(), true
	}
	if value.Gt(most) {
		return distance, false
	}
	return beyond(distance.Sub(most, value)), true
}

// isMask reports whether a word masks a width that the conversion may cut to.
func (a *Arith) isMask(w *uint256.Int) bool {
	return ones(w) && w.BitLen() < 256 && a.Widths.has(w.BitLen())
}

// ones reports whether a word is 2^n-1, with n a number of bytes.
func ones(w *uint256.Int) bool {
	n := w.BitLen()
	return n > 0 && n%8 == 0 && w.Eq(maxUint(n))
}
