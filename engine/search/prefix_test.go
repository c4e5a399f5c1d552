package search_test

import (
	"maps"
	"testing"

	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/engine/search"
	"leveret/engine/search/searchtest"
)

// What transactions before the last one lead to is executed once, whether they
// succeed or fail, and results are the same as without any memory.
func TestPrefixesAreExecutedOnce(t *testing.T) {
	d := searchtest.New(t, searchtest.Compile(t, "testdata/Phases.sol"), "Phases", 3)
	forgetful := d.Subject.NewExecutor(nil)
	found := 0
	for range 3000 {
		next := d.Next()
		again := *next
		r := d.Execute(next)
		want := search.Execute(forgetful, &again)
		same(t, r, want)
		if len(r.Sequence.Txs) < 2 {
			continue
		}
		if ready := search.Prepare(d.Executor, &again); ready.Ran != 0 {
			t.Fatalf("%s: %d transactions are executed again", again.Sequence, ready.Ran)
		}
		begun(t, d.Executor, &again.Job, want)
		found++
	}
	if found < 100 {
		t.Errorf("only %d inputs have a prefix", found)
	}
	if reuse := &d.Executor.Prefixes.Reuse; reuse.Again > 0 || reuse.Found == 0 {
		t.Errorf("%d known transactions were executed again, %d were found", reuse.Again, reuse.Found)
	}
	d.Executor.Prefixes = exec.NewPrefixes(exec.MaxPrefixBytes, 1)
	fails := failure(t, d)
	for n := range 2 {
		if r := search.Execute(d.Executor, d.Generator.FromStart(fails)); !r.PrefixFailed || r.Ran != 1-n {
			t.Errorf("run %d: a failing prefix is executed %d times, failed: %v", n, r.Ran, r.PrefixFailed)
		}
	}
	dropped := d.Generator.Combined(fails)
	if r := search.Execute(d.Executor, dropped); r.PrefixFailed || r.Ran != 1 || len(r.Sequence.Txs) != 1 {
		t.Errorf("a transaction that fails is not dropped: %d executed, %s", r.Ran, r.Sequence)
	}
}

// begun compares jobs whose first transactions have a known digest with a result.
func begun(t *testing.T, x *exec.Executor, j *exec.Job, want *search.Result) {
	t.Helper()
	digest := input.NoTxs
	for i := range j.Sequence.Txs[:len(j.Sequence.Txs)-1] {
		digest = input.DigestTx(digest, &j.Sequence.Txs[i])
		for _, begun := range []exec.Begun{{Txs: i + 1, Digest: digest}, {Txs: i + 1, Digest: digest + 1}} { // nothing has the second
			job := *j
			job.Begun = begun
			ready := x.Prepare(&job)
			if ready.Ran != 0 || ready.Digest != want.Digest || !maps.Equal(contents(ready.At.World), contents(want.At.World)) {
				t.Fatalf("%s: after %d transactions another state is prepared", j.Sequence, begun.Txs)
			}
		}
	}
}

// same compares a result with that of an executor without memory.
func same(t *testing.T, r, want *search.Result) {
	t.Helper()
	if r.Digest != want.Digest || r.Outcome.Status != want.Outcome.Status || r.PrefixFailed != want.PrefixFailed || r.At.Block != want.At.Block {
		t.Fatalf("%s: %+v, want %+v", r.Sequence, r.Outcome, want.Outcome)
	}
	if !maps.Equal(contents(r.At.World), contents(want.At.World)) || !r.PrefixFailed && !maps.Equal(contents(r.After), contents(want.After)) {
		t.Fatalf("%s: the worlds differ", r.Sequence)
	}
}

// failure returns two calls, the first of which fails.
func failure(t *testing.T, d *searchtest.Driver) input.Sequence {
	t.Helper()
	for _, e := range d.Corpus.Entries {
		if !e.Success && len(e.Sequence.Txs) == 1 {
			return e.Sequence.Insert(1, d.Generator.Example(d.Subject.Callees[0].Callee))
		}
	}
	t.Fatal("no call fails")
	return input.Sequence{}
}

// A child differs from its parent's job only in the sequence.
func TestChild(t *testing.T) {
	d := explored(t, 100)
	e := d.Corpus.Entries[0]
	next := d.Corpus.Child(e, e.Sequence, mutate.Diff{Shape: true})
	if next.Parent != e || next.Start != &d.Subject.Start {
		t.Errorf("%+v", next)
	}
}
