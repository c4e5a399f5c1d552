package search_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/deploy"
	"leveret/engine/evm"
	"leveret/engine/exec"
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

// The states before transactions that were forgotten are computed again, with the
// same balances, storage and blocks.
func TestForgottenStatesAreReplayed(t *testing.T) {
	d := explored(t, 2000)
	long := 0
	for _, e := range d.Corpus.Entries {
		was := d.Corpus.LastState(e)
		if len(e.Sequence.Txs) > 1 {
			long++
		}
		d.Executor.Prefixes = exec.NewPrefixes(1)
		again := d.Corpus.LastState(e)
		if again.Block != was.Block || !maps.Equal(contents(again.World), contents(was.World)) {
			t.Fatalf("entry %d: the states differ", e.Number)
		}
		if r := &d.Executor.Prefixes.Reuse; r.Found > 0 {
			t.Fatalf("entry %d: %d states were found that were forgotten", e.Number, r.Found)
		}
	}
	if long < 3 {
		t.Errorf("only %d entries have more than one transaction", long)
	}
}

// Where sequences have one transaction, demand gets no samples to put before others.
func TestSingleTransactionsAreNotSampled(t *testing.T) {
	for _, single := range []bool{false, true} {
		d := searchtest.New(t, searchtest.Compile(t, "testdata/Phases.sol"), "Phases", 3)
		d.Subject.Suite = &search.Suite{Single: single, Rejects: func(*evm.Outcome) bool { return false }}
		d.Run(200, d.Generator.Fresh)
		sampled := slices.ContainsFunc(d.Subject.Callees, func(c deploy.Callee) bool { return !d.Generator.Demand.LacksSample(c.Callee) })
		if sampled == single {
			t.Errorf("single transactions: %t, sampled: %t", single, sampled)
		}
	}
}

// Until a function has a successful call, only the branches of its own entries
// count as covered for it.
func TestUncovered(t *testing.T) {
	d := searchtest.New(t, searchtest.Compile(t, "../testdata/Novice.sol"), "Novice", 0)
	entry := func(name string, success bool, branches ...cover.Branch) *corpus.Entry {
		f := d.Callee(t, name)
		tx := input.Tx{From: input.Deployer, To: f.Address, Function: f.Function}
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
