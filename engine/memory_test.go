package engine

import (
	"context"
	"maps"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/solc"
)

// explored returns a campaign that has tried so many inputs.
func explored(t *testing.T, b *solc.Build, name string, inputs int) *campaign {
	t.Helper()
	c, err := newCampaign(context.Background(), contract(t, b, name), b.Contracts, Options{MaxInputs: inputs, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	if c.result.Note != "" {
		t.Fatal(c.result.Note)
	}
	c.loop(context.Background())
	return c
}

// contents lists what is in a World.
func contents(w *evm.World) map[string]common.Hash {
	all := map[string]common.Hash{}
	for a := range w.Accounts() {
		balance := w.Balance(a)
		all[a.Hex()+" balance"] = balance.Bytes32()
		maps.Insert(all, func(yield func(string, common.Hash) bool) {
			for key, value := range w.Slots(a) {
				if !yield(a.Hex()+" "+key.Hex(), value) {
					return
				}
			}
		})
	}
	return all
}

func TestStates(t *testing.T) {
	b := compile(t, "testdata/Planted.sol")
	t.Run("made again", func(t *testing.T) { madeAgain(t, b) })
	t.Run("let go", func(t *testing.T) { letGo(t, b) })
}

// States that were let go are made again, to the last word as they were.
func madeAgain(t *testing.T, b *solc.Build) {
	c := explored(t, b, "Stateful", 6000)
	long := 0
	for _, e := range c.corpus.Entries {
		was := c.statesOf(e)
		if len(was) != len(e.Sequence.Txs) {
			t.Fatalf("%d states before %d transactions", len(was), len(e.Sequence.Txs))
		}
		if len(was) > 1 {
			long++
		}
		attached(e).states = nil
		again := c.statesOf(e)
		for i := range was {
			if again[i].Block != was[i].Block || !maps.Equal(contents(again[i].World), contents(was[i].World)) {
				t.Fatalf("entry %d, state %d is another", e.Number, i)
			}
		}
	}
	if long < 3 {
		t.Errorf("only %d entries of more than one transaction", long)
	}
}

// Once states hold too much, those that were not used for longest are let go,
// and never those in use; what is held is what is counted.
func letGo(t *testing.T, b *solc.Build) {
	c := explored(t, b, "Stateful", 2000)
	entries := c.corpus.Entries
	for _, e := range entries {
		c.statesOf(e) // in this order
	}
	last := entries[len(entries)-1]
	c.held += maxStateBytes // as if there were that much more
	attached(last).states = nil
	for i, held := range c.holding {
		if held == attached(last) {
			c.held -= held.size
			c.holding = append(c.holding[:i:i], c.holding[i+1:]...)
			break
		}
	}
	if states := c.statesOf(last); len(states) != len(last.Sequence.Txs) || attached(last).states == nil {
		t.Fatalf("%d states of an entry in use", len(states))
	}
	for _, e := range entries[:len(entries)-1] {
		if attached(e).states != nil {
			t.Fatalf("entry %d keeps its states", e.Number)
		}
	}
	if len(c.holding) != 1 || c.held != maxStateBytes+attached(last).size {
		t.Errorf("%d hold states, of %d bytes", len(c.holding), c.held)
	}
	for _, e := range entries {
		if states := c.statesOf(e); len(states) != len(e.Sequence.Txs) {
			t.Errorf("%d states of entry %d", len(states), e.Number)
		}
	}
}

// A purse is spent as work is done, and not by a clock.
func TestPurse(t *testing.T) {
	p := exec.Budget{Share: 0.25, Initial: 100}
	for _, row := range []struct {
		spent, work uint64
		affords     bool
	}{
		{0, 0, true}, {100, 0, true}, {101, 0, false}, {101, 4, true},
		{125, 100, true}, {126, 100, false}, {126, 104, true},
	} {
		if p.Spent = row.spent; p.Allows(row.work) != row.affords {
			t.Errorf("%d spent after %d: affords %v", row.spent, row.work, !row.affords)
		}
	}
	if small, large := exec.Cost(&evm.Outcome{}), exec.Cost(&evm.Outcome{GasUsed: 1000}); small == 0 || large <= small {
		t.Errorf("nothing costs %d, 1000 gas %d", small, large)
	}
}
