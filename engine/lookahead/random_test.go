package lookahead

import (
	"math/rand/v2"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// randomWord is what random calldata is made of.
func randomWord(r *rand.Rand, known []common.Address) []byte {
	var z uint256.Int
	switch r.IntN(6) {
	case 0:
		z.SetUint64(uint64(r.IntN(4)))
	case 1:
		z.SetUint64(uint64(r.IntN(300)))
	case 2:
		z.SetBytes(known[r.IntN(len(known))].Bytes())
	case 3:
		z.SetUint64(uint64(32 * r.IntN(5)))
	case 4:
		z.SetAllOne()
		z.Rsh(&z, uint(r.IntN(256)))
	default:
		z = uint256.Int{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
	}
	b := z.Bytes32()
	return b[:]
}

func randomInput(r *rand.Rand, selectors [][]byte, known []common.Address) []byte {
	var input []byte
	if len(selectors) > 0 && r.IntN(20) > 0 {
		input = append(input, selectors[r.IntN(len(selectors))]...)
	}
	for range r.IntN(9) {
		input = append(input, randomWord(r, known)...)
	}
	return input
}
