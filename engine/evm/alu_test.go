package evm

import (
	"math/rand/v2"
	"testing"

	"github.com/holiman/uint256"
)

// Divisions and sums that are computed in a shorter way have the results of uint256.
func TestShorterArithmetic(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50_000 {
		x, y, more := randomWord(random), randomWord(random), randomWord(random)
		if random.IntN(2) == 0 {
			y.Rsh(&y, uint(192+random.IntN(65)))
		}
		if random.IntN(2) == 0 {
			x.Rsh(&x, uint(random.IntN(257)))
		}
		factor := uint256.NewInt(random.Uint64() >> random.IntN(64))
		var sum uint256.Int
		sum.Add(sum.Add(sum.Mul(&x, factor), &y), &more)
		for _, c := range []struct {
			name string
			run  func(z *uint256.Int)
			want *uint256.Int
		}{
			{"x / y", func(z *uint256.Int) { div(z, &x, &y) }, new(uint256.Int).Div(&x, &y)},
			{"x % y", func(z *uint256.Int) { mod(z, &x, &y) }, new(uint256.Int).Mod(&x, &y)},
			{"x*factor + y + more", func(z *uint256.Int) { index(z, &x, &y, factor, &more) }, &sum},
		} {
			var got uint256.Int
			if c.run(&got); !got.Eq(c.want) {
				t.Fatalf("%s is %s, want %s; x %s, y %s, factor %s, more %s", c.name, got.Hex(), c.want.Hex(), x.Hex(), y.Hex(), factor.Hex(), more.Hex())
			}
		}
	}
}
