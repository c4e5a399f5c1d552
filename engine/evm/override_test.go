package evm_test

import (
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/evm/evmtest"
)

// A Call with StateOverrides does what it does in a World with these words, but the
// words that it does not write stay as they were.
func TestStateOverrides(t *testing.T) {
	read, written := 0, 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 11))
		tw, err := evmtest.RandomTwin(r)
		if err != nil {
			t.Fatal(err)
		}
		m := evm.NewMachine()
		for range 30 {
			b, c := evmtest.RandomCall(r)
			m.Exact = r.IntN(3) == 0
			set, lent, plain := tw.World.Fork(), tw.World.Fork(), tw.World.Fork()
			overrides := randomOverrides(r, tw.World)
			for _, o := range overrides {
				set.SetStorage(o.Slot.Address, o.Slot.Key, o.Value)
			}
			without := m.Execute(plain, b, c, nil)
			want := m.Execute(set, b, c, nil)
			c.Overrides = overrides
			got := m.Execute(lent, b, c, nil)
			if err := evmtest.CompareOutcomes(got, want); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if want.GasUsed != without.GasUsed {
				read++
			}
			for _, o := range overrides {
				before := tw.World.Storage(o.Slot.Address, o.Slot.Key)
				switch after := set.Storage(o.Slot.Address, o.Slot.Key); {
				case after != o.Value:
					written++
				case lent.Exists(o.Slot.Address):
					if now := lent.Storage(o.Slot.Address, o.Slot.Key); now != before {
						t.Fatalf("seed %d: a word that was not written is %x after the Call, and was %x", seed, now, before)
					}
					lent.SetStorage(o.Slot.Address, o.Slot.Key, o.Value)
				}
			}
			if diff := lent.Diff(set); len(diff) > 0 {
				t.Fatalf("seed %d: states differ: %v", seed, diff)
			}
			tw.World = plain
		}
	}
	if t.Logf("%d Calls read a word, %d words were written", read, written); read < 20 || written < 20 {
		t.Error("too little to tell")
	}
}

// randomOverrides draws words of contracts, each once.
func randomOverrides(r *rand.Rand, w *evm.World) (list []evm.StateOverride) {
	for addr := range w.Accounts() {
		for key := range byte(4) {
			if w.Code(addr) != nil && r.IntN(2) == 0 {
				slot := evm.Slot{Address: addr, Key: common.Hash{31: key}}
				list = append(list, evm.StateOverride{Slot: slot, Value: common.Hash{31: byte(r.IntN(3))}})
			}
		}
	}
	return list
}
