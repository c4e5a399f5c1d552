package search_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
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
		d.Executor.Prefixes = exec.NewPrefixes(exec.MaxPrefixBytes, 1)
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

// A corpus with little room forgets entries, and loses no coverage by it: the entries that
// are left cover what all covered, and the search goes on.
func TestCorpusIsBounded(t *testing.T) {
	const room = 64 << 10
	d := searchtest.New(t, searchtest.Compile(t, "testdata/Words.sol"), "Words", 3)
	d.Corpus.MaxSize = room
	paths := map[cover.PathID]bool{}
	d.Run(3000, d.Next, func(r *search.Result) {
		if r.NewPath {
			paths[r.Run.Path] = true
		}
		if d.Corpus.MaxSize == room && d.Corpus.Size() > room {
			t.Fatalf("%d bytes", d.Corpus.Size())
		}
	})
	if d.Corpus.Forgets() == 0 || len(d.Corpus.Entries) >= len(paths) {
		t.Fatalf("%d of %d entries are left, and nothing was forgotten", len(d.Corpus.Entries), len(paths))
	}
	left := map[cover.Branch]bool{}
	for _, e := range d.Corpus.Entries {
		for _, b := range e.Branches {
			left[b] = true
		}
		if !slices.Contains(d.Corpus.ByCallee(demand.CalleeOf(e.Sequence.Last())), e) {
			t.Errorf("entry %d is not among those of its function", e.Number)
		}
	}
	for b, covered := range d.Corpus.AllCovered() {
		if covered != left[cover.Branch(b)] {
			t.Errorf("branch %d: covered %v, by an entry that is left %v", b, covered, left[cover.Branch(b)])
		}
	}
	for _, callee := range d.Subject.Callees {
		for _, e := range d.Corpus.ByCallee(callee.Callee) {
			if e.Forgotten() {
				t.Errorf("a forgotten entry of %s is used", callee.Function.Name)
			}
		}
	}
}
