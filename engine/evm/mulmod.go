package evm

import "github.com/holiman/uint256"

// A reciprocalCache remembers the reciprocals of large moduli: code that multiplies
// modulo a number does it thousands of times, as in curve arithmetic.
type reciprocalCache [1 << reciprocalBits]reciprocal

// A reciprocal is a modulus of four limbs and what MulModWithReciprocal needs of it.
type reciprocal struct {
	modulus uint256.Int // 0: empty
	value   [5]uint64
}

const reciprocalBits = 2

// mulMod sets z to x*y modulo n, 0 if n is.
func (c *reciprocalCache) mulMod(z, x, y, n *uint256.Int) {
	if n[3] == 0 {
		z.MulMod(x, y, n)
		return
	}
	r := &c[n[0]*0x9e3779b97f4a7c15>>(64-reciprocalBits)]
	if r.modulus != *n {
		r.modulus, r.value = *n, uint256.Reciprocal(n)
	}
	z.MulModWithReciprocal(x, y, n, &r.value)
}
