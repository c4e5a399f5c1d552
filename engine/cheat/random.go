package cheat

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// random is the state of vm.random…: every value follows from the seed and from how
// many there were before, in this Call and those that led to it.
type random struct {
	seed  *uint256.Int // by vm.setSeed; nil: that of the Config
	drawn uint64
}

func (r *random) clone() random { return *r }

var randomRows = []row{
	{"setSeed(uint256)", "", (*call).setSeed, "restarts the random values with a seed"},
	{"randomUint()", "(uint256)", func(c *call) error { return c.giveWord(c.randomWord(256)) }, "returns a random number"},
	{"randomUint(uint256)", "(uint256)", func(c *call) error { return c.randomBits(false) }, "returns a random number of at most so many bits"},
	{"randomUint(uint256,uint256)", "(uint256)", (*call).randomBetween, "returns a random number within bounds"},
	{"randomInt()", "(int256)", func(c *call) error { return c.giveWord(c.randomWord(256)) }, "returns a random signed number"},
	{"randomInt(uint256)", "(int256)", func(c *call) error { return c.randomBits(true) }, "returns a random signed number of so many bits"},
	{"randomAddress()", "(address)", func(c *call) error { return c.giveWord(c.randomWord(160)) }, "returns a random address"},
	{"randomBool()", "(bool)", func(c *call) error { return c.giveWord(c.randomWord(1)) }, "returns a random bool"},
	{"randomBytes(uint256)", "(bytes)", (*call).randomBytes, "returns random bytes"},
	{"randomBytes4()", "(bytes4)", func(c *call) error { return c.give(hashValue(c.randomPrefix(4))) }, "returns 4 random bytes"},
	{"randomBytes8()", "(bytes8)", func(c *call) error { return c.give(hashValue(c.randomPrefix(8))) }, "returns 8 random bytes"},
	{"shuffle(uint256[])", "(uint256[])", (*call).shuffle, "returns a list in random order"},
	{"sort(uint256[])", "(uint256[])", (*call).sort, "returns a list in ascending order"},
	{"bound(uint256,uint256,uint256)", "(uint256)", func(c *call) error { return c.bound(false) }, "returns another random number within bounds"},
	{"bound(int256,int256,int256)", "(int256)", func(c *call) error { return c.bound(true) }, "returns another random signed number within bounds"},
}

func (c *call) setSeed() error {
	seed := c.args[0].Word
	c.memory.random = random{seed: &seed}
	return nil
}

// randomness returns the source of the next random value.
func (c *call) randomness() *rand.ChaCha8 {
	r := &c.memory.random
	seed := uint256.NewInt(c.Config.Seed)
	if r.seed != nil {
		seed = r.seed
	}
	word := seed.Bytes32()
	key := crypto.Keccak256Hash(binary.BigEndian.AppendUint64(word[:], r.drawn))
	r.drawn++
	return rand.NewChaCha8(key)
}

func (c *call) giveWord(w uint256.Int) error { return c.give(wordValue(&w)) }

// randomWord returns a random number of at most so many bits.
func (c *call) randomWord(bits int) (w uint256.Int) {
	var word [32]byte
	c.randomness().Read(word[:])
	w.SetBytes32(word[:])
	w.Rsh(&w, uint(256-bits))
	return w
}

// randomPrefix returns n random bytes and zeros.
func (c *call) randomPrefix(n int) (h common.Hash) {
	c.randomness().Read(h[:n])
	return h
}

func (c *call) randomBits(signed bool) error {
	n := &c.args[0].Word
	if n.GtUint64(256) {
		return errors.New("number of bits cannot exceed 256")
	}
	bits := int(n.Uint64())
	w := c.randomWord(bits)
	if signed && bits > 0 {
		unused := uint(256 - bits)
		w.Lsh(&w, unused)
		w.SRsh(&w, unused)
	}
	return c.giveWord(w)
}

func (c *call) randomBetween() error {
	low, high := &c.args[0].Word, &c.args[1].Word
	if low.Gt(high) {
		return errors.New("min must be less than or equal to max")
	}
	w := c.randomWord(256)
	count := new(uint256.Int).Sub(high, low)
	if count.AddUint64(count, 1); !count.IsZero() {
		w.Mod(&w, count)
	}
	w.Add(&w, low)
	return c.giveWord(w)
}

// maxRandom bounds the bytes of one call of vm.randomBytes.
const maxRandom = 1 << 20

func (c *call) randomBytes() error {
	n, err := c.small(0)
	if err != nil || n > maxRandom {
		return errors.New("more than 1 MB of random bytes at once")
	}
	data := make([]byte, n)
	c.randomness().Read(data)
	return c.give(bytesValue(data))
}

func (c *call) shuffle() error {
	list := c.args[0]
	list.Elems = slices.Clone(list.Elems)
	rand.New(c.randomness()).Shuffle(len(list.Elems), func(i, j int) {
		list.Elems[i], list.Elems[j] = list.Elems[j], list.Elems[i]
	})
	return c.give(list)
}

func (c *call) sort() error {
	list := c.args[0]
	list.Elems = slices.Clone(list.Elems)
	slices.SortFunc(list.Elems, compareWords)
	return c.give(list)
}

// bound returns a number within [min, max] other than the current one. Distances
// from min are the same for signed and unsigned numbers.
func (c *call) bound(signed bool) error {
	now, low, high := c.args[0].Word, &c.args[1].Word, &c.args[2].Word
	less := (*uint256.Int).Lt
	if signed {
		less = (*uint256.Int).Slt
	}
	if !less(low, high) || less(&now, low) || less(high, &now) {
		return errors.New("cannot bound " + display(&c.args[0]) + " in [" + display(&c.args[1]) + ", " + display(&c.args[2]) + "] range")
	}
	others := new(uint256.Int).Sub(high, low) // numbers besides the current one
	w := c.randomWord(256)
	w.Mod(&w, others)
	if now.Sub(&now, low); !w.Lt(&now) {
		w.AddUint64(&w, 1)
	}
	w.Add(&w, low)
	return c.giveWord(w)
}
