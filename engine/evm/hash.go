package evm

import (
	"hash/maphash"

	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// A hashCache remembers hashes of short inputs: a mapping's slot is computed
// again with every access.
type hashCache struct {
	seed    maphash.Seed
	entries []hashed
}

// A hashed is an input and its hash.
type hashed struct {
	length uint8 // 0: empty
	input  [maxCached]byte
	hash   uint256.Int
}

const (
	maxCached   = 64
	cachedBits  = 11
	cachedCount = 1 << cachedBits
)

// keccak sets z to the hash of data.
func (c *hashCache) keccak(z *uint256.Int, data []byte) {
	if len(data) == 0 || len(data) > maxCached {
		hash := crypto.Keccak256Hash(data)
		z.SetBytes32(hash[:])
		return
	}
	if c.entries == nil {
		c.entries, c.seed = make([]hashed, cachedCount), maphash.MakeSeed()
	}
	e := &c.entries[maphash.Bytes(c.seed, data)%cachedCount]
	if int(e.length) != len(data) || string(e.input[:len(data)]) != string(data) {
		hash := crypto.Keccak256Hash(data)
		e.length = uint8(len(data))
		copy(e.input[:], data)
		e.hash.SetBytes32(hash[:])
	}
	*z = e.hash
}

// meterKeccak charges for a hash.
func (f *frame) meterKeccak(offset, size *uint256.Int) error {
	const perWord = 6
	price := wordPrice(size, perWord)
	if err := f.meterRange(offset, size, price); err != nil || size.Uint64() <= maxCached {
		return err
	}
	return f.machine.workSlow(price)
}
