package exec

import (
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
)

// worldOf returns a world with so many storage words.
func worldOf(words int) *evm.World {
	w := evm.NewWorld(evm.NewCodes())
	w.SetBalance(common.Address{1}, uint256.NewInt(1))
	for i := range words {
		w.SetStorage(common.Address{1}, common.Hash{byte(i), byte(i >> 8)}, common.Hash{1})
	}
	return w
}

// Prefixes never hold more states or bytes than they may, keep those that are
// used, and find what they hold.
func TestPrefixesAreBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	worlds := []*evm.World{worldOf(0), worldOf(3), worldOf(40)}
	p := NewPrefixes(MaxPrefixBytes, 1)
	p.maxSlots, p.maxBytes = 64, 20*worlds[2].Size()
	const hot = 1
	p.Put(hot, State{World: worlds[0]})
	for n := range uint64(5000) {
		digest := 2 + r.Uint64N(1000)
		p.Put(digest, State{World: worlds[r.IntN(len(worlds))], Block: evm.BlockContext{Number: digest}})
		if p.get(hot) == nil {
			t.Fatalf("after %d states, one in use is forgotten", n)
		}
		bytes := 0
		for i := range p.slots {
			bytes += p.slots[i].size
			if at, ok := p.index[p.slots[i].digest]; !ok || at != i {
				t.Fatalf("after %d states, slot %d is at %d, %v", n, i, at, ok)
			}
		}
		if bytes != p.bytes || bytes > p.maxBytes || len(p.slots) > p.maxSlots || len(p.index) != len(p.slots) {
			t.Fatalf("%d slots, %d digests, %d bytes; %d are counted", len(p.slots), len(p.index), bytes, p.bytes)
		}
		if at, ok := p.index[digest]; !ok || p.slots[at].state.Block.Number != digest {
			t.Fatalf("state %d is at %d, %v", n, at, ok)
		}
	}
	if len(p.slots) < 20 {
		t.Errorf("only %d states are kept", len(p.slots))
	}
}

// A state that is larger than all memory is kept until the next one comes.
func TestHugePrefix(t *testing.T) {
	p := NewPrefixes(MaxPrefixBytes, 1)
	p.maxBytes = 10
	for digest := range uint64(3) {
		p.Put(digest+1, State{World: worldOf(50)})
		if p.get(digest+1) == nil || len(p.slots) != 1 {
			t.Errorf("%d states are kept", len(p.slots))
		}
	}
}

// Workers share the number of states, but for the least that each of them needs.
func TestPrefixesOfWorkers(t *testing.T) {
	for workers, want := range map[int]int{1: maxPrefixes, 2: maxPrefixes / 2, 16: leastPrefixes} {
		p := NewPrefixes(MaxPrefixBytes, workers)
		for digest := range uint64(maxPrefixes + 10) {
			p.fail(digest+1, &evm.Outcome{})
		}
		if len(p.slots) != want {
			t.Errorf("one of %d workers remembers %d states, not %d", workers, len(p.slots), want)
		}
	}
}
