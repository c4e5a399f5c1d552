package search_test

import (
	"maps"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/search"
	"leveret/engine/search/searchtest"
)

// explored returns the search of a contract after so many inputs.
func explored(t *testing.T, inputs int) *searchtest.Driver {
	t.Helper()
	d := searchtest.New(t, searchtest.Compile(t, "testdata/Phases.sol"), "Phases", 3)
	d.Run(inputs, d.Next)
	return d
}

// contents lists all balances and storage words of a world.
func contents(w *evm.World) map[string]common.Hash {
	all := map[string]common.Hash{}
	for a := range w.Accounts() {
		balance := w.Balance(a)
		all[a.Hex()+" balance"] = balance.Bytes32()
		for key, value := range w.Slots(a) {
			all[a.Hex()+" "+key.Hex()] = value
		}
	}
	return all
}

// The states of an entry that were evicted are computed again, with the same
// balances, storage and blocks.
func TestEvictedStatesAreReplayed(t *testing.T) {
	d := explored(t, 2000)
	long := 0
	for _, e := range d.Corpus.Entries {
		was := d.Corpus.StatesOf(e)
		if len(was) != len(e.Sequence.Txs) {
			t.Fatalf("%d states before %d transactions", len(was), len(e.Sequence.Txs))
		}
		if len(was) > 1 {
			long++
		}
		d.Corpus.Evict(e)
		again := d.Corpus.StatesOf(e)
		if len(again) != len(was) {
			t.Fatalf("entry %d: %d states, want %d", e.Number, len(again), len(was))
		}
		for i := range was {
			if again[i].Block != was[i].Block || !maps.Equal(contents(again[i].World), contents(was[i].World)) {
				t.Fatalf("entry %d: state %d differs", e.Number, i)
			}
		}
	}
	if long < 3 {
		t.Errorf("only %d entries have more than one transaction", long)
	}
}

// Once the cache is full it evicts the states that were not used for longest,
// but never those in use, and its count of bytes matches what it holds.
func TestFullCacheEvicts(t *testing.T) {
	d := explored(t, 2000)
	entries := d.Corpus.Entries
	for _, e := range entries {
		d.Corpus.StatesOf(e) // in this order
	}
	last := entries[len(entries)-1]
	d.Corpus.Evict(last)
	d.Corpus.Occupy(search.MaxStateBytes)
	states := d.Corpus.StatesOf(last)
	size, cached := search.StateBytes(last)
	if len(states) != len(last.Sequence.Txs) || !cached {
		t.Fatalf("%d states of the entry in use; cached: %v", len(states), cached)
	}
	for _, e := range entries[:len(entries)-1] {
		if _, cached := search.StateBytes(e); cached {
			t.Fatalf("entry %d keeps its states", e.Number)
		}
	}
	if attachments, bytes := d.Corpus.Cached(); attachments != 1 || bytes != search.MaxStateBytes+size {
		t.Errorf("%d attachments hold states of %d bytes", attachments, bytes)
	}
	for _, e := range entries {
		if states := d.Corpus.StatesOf(e); len(states) != len(e.Sequence.Txs) {
			t.Errorf("entry %d: %d states", e.Number, len(states))
		}
	}
}

// Until a function has a successful call, only the branches of its own entries
// count as covered for it.
func TestUncovered(t *testing.T) {
	d := searchtest.New(t, searchtest.Compile(t, "../testdata/Novice.sol"), "Novice", 0)
	entry := func(name string, success bool, branches ...cover.Branch) *corpus.Entry {
		f := d.Callee(t, name)
		tx := input.Tx{To: f.Address, Function: f.Function}
		return &corpus.Entry{Sequence: input.Sequence{Txs: []input.Tx{tx}}, Success: success, Branches: branches}
	}
	const ofMove, ofSafeMove, ofNone = cover.Branch(2), cover.Branch(4), cover.Branch(6)
	move, safeMove := entry("move", true, ofMove), entry("safeMove", false, ofSafeMove)
	for _, e := range []*corpus.Entry{move, safeMove} {
		d.Corpus.Add(e)
		d.Corpus.Cover(e.Branches)
	}
	for _, row := range []struct {
		entry     *corpus.Entry
		branch    cover.Branch
		uncovered bool
	}{
		{move, ofMove, false}, {move, ofSafeMove, false}, {move, ofNone, true},
		{safeMove, ofMove, true}, {safeMove, ofSafeMove, false}, {safeMove, ofNone, true},
	} {
		if got := d.Corpus.Uncovered(row.branch, row.entry.Sequence.Last()); got != row.uncovered {
			t.Errorf("%s: branch %d uncovered: %v", row.entry.Function().Name, row.branch, got)
		}
	}
	d.Corpus.Add(entry("safeMove", true))
	if d.Corpus.Uncovered(ofMove, safeMove.Sequence.Last()) {
		t.Error("after a successful call a branch of another function is still uncovered")
	}
	if !d.Corpus.Uncovered(ofNone, safeMove.Sequence.Last()) {
		t.Error("after a successful call a branch that no entry takes is covered")
	}
}
