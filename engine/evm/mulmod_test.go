package evm

import (
	"math/rand/v2"
	"testing"

	"github.com/holiman/uint256"
)

// randomWord returns a word of any size.
func randomWord(random *rand.Rand) (w uint256.Int) {
	w = uint256.Int{random.Uint64(), random.Uint64(), random.Uint64(), random.Uint64()}
	switch random.IntN(6) {
	case 0:
		w.Rsh(&w, uint(random.IntN(256)))
	case 1:
		w.Lsh(uint256.NewInt(1), uint(random.IntN(256)))
	case 2:
		w.SetAllOne()
	case 3:
		w[0], w[1], w[2] = 0, 0, 0
	}
	return w
}

// Moduli that share a place in the cache follow one another, with operands and
// moduli of all sizes.
func TestMulMod(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	word := func() uint256.Int { return randomWord(random) }
	var moduli []uint256.Int
	for range 12 {
		moduli = append(moduli, word())
	}
	var c reciprocalCache
	for range 20_000 {
		if random.IntN(8) == 0 {
			moduli[random.IntN(len(moduli))] = word()
		}
		x, y, n := word(), word(), moduli[random.IntN(len(moduli))]
		var got, want uint256.Int
		if c.mulMod(&got, &x, &y, &n); !got.Eq(want.MulMod(&x, &y, &n)) {
			t.Fatalf("%s * %s modulo %s is %s, want %s", x.Hex(), y.Hex(), n.Hex(), got.Hex(), want.Hex())
		}
	}
}
