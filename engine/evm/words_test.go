package evm

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Words that are set at once are what they are when they are set one by one.
func TestSetStorageWords(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	known, unknown := common.Address{1}, common.Address{2}
	one := NewWorld(NewCodes())
	one.SetBalance(known, uint256.NewInt(1))
	all := one.Fork()
	for range 200 {
		words := map[common.Hash]common.Hash{}
		for range r.IntN(6) {
			words[common.Hash{31: byte(r.IntN(8))}] = common.Hash{31: byte(r.IntN(3))}
		}
		for _, addr := range []common.Address{known, unknown} {
			all.SetStorageWords(addr, maps.All(words))
			for key, value := range words {
				one.SetStorage(addr, key, value)
			}
			if got, want := maps.Collect(all.Slots(addr)), maps.Collect(one.Slots(addr)); !maps.Equal(got, want) {
				t.Fatalf("the words are %v, want %v", got, want)
			}
		}
		if r.IntN(3) == 0 {
			one, all = one.Fork(), all.Fork()
		}
	}
}
