package engine

import (
	"testing"

	"github.com/holiman/uint256"

	"leveret/engine/suite"
)

// Few inputs are rejected where vm.assume compares arguments with constants, or with one
// another: less than one in ten of all.
func TestFewInputsAreRejected(t *testing.T) {
	s := setUp(t, compile(t, "testdata/tests/Assume.t.sol"), "AssumeTests")
	inputs, rejected := 0, 0
	err := RunTests(t.Context(), s, s.Tests.Tests, Options{Seed: 1, MaxInputs: 8000}, TestLimits{}, func(r *TestResult) {
		if r.Verdict.Status != suite.Passed {
			t.Errorf("%s %s: %s", r.Test.Name, r.Verdict.Status, r.Verdict.Reason)
		}
		inputs, rejected = inputs+r.Stats.Inputs, rejected+r.Stats.Rejected
		t.Logf("%s: %d of %d inputs rejected", r.Test.Name, r.Stats.Rejected, r.Stats.Inputs)
	})
	if err != nil || rejected*10 > inputs {
		t.Errorf("%d of %d inputs rejected, %v", rejected, inputs, err)
	}
}

// A range is what was accepted, and moves words once most beyond it are rejected. It
// moves none where most beyond it are accepted.
func TestRanges(t *testing.T) {
	note := func(w *wordRange, n uint64, accepted bool) { w.note(uint256.NewInt(n), accepted) }
	var w wordRange
	note(&w, 500, false)
	for n := uint64(10); n < 20; n++ {
		note(&w, n, true)
	}
	for n := uint64(0); n < 10; n++ {
		if note(&w, n, false); w.holds() && n < 5 {
			t.Fatalf("holds when %d of %d beyond it were accepted", w.extending, w.tried)
		}
	}
	for n := uint64(20); n < 60; n++ {
		note(&w, n, false)
	}
	if !w.holds() {
		t.Fatalf("%+v does not hold", w)
	}
	for _, n := range []uint64{0, 9, 10, 19, 20, 1 << 60} {
		if o := w.within(uint256.NewInt(n)); !w.contains(&o) {
			t.Errorf("%d moves to %d", n, o.Uint64())
		}
	}
	note(&w, 1<<62, true)
	if !w.contains(uint256.NewInt(1 << 61)) {
		t.Error("a range does not grow")
	}

	var most wordRange // here one in ten is rejected
	for n := uint64(1); n < 1000; n++ {
		if note(&most, n, n%10 != 0); most.holds() {
			t.Fatalf("%+v holds after %d", most, n)
		}
	}
	// All values: the size of the range is 2^256.
	whole := wordRange{known: true, hi: *new(uint256.Int).SetAllOne()}
	if o := whole.within(uint256.NewInt(5)); !whole.contains(&o) {
		t.Errorf("5 leaves the range of all values as %v", o)
	}
}

// Arguments are swapped once one order is mostly rejected and the other one is not.
func TestOrders(t *testing.T) {
	var w, both wordOrder
	for range leastBeyond {
		if w.swaps(0) || w.swaps(1) {
			t.Fatalf("%+v swaps", w)
		}
		w.note(0, false)
		w.note(1, true)
		both.note(0, false)
		both.note(1, false)
	}
	if !w.swaps(0) || w.swaps(1) {
		t.Errorf("%+v: what is rejected is not swapped, or what is accepted is", w)
	}
	if both.swaps(0) || both.swaps(1) {
		t.Errorf("%+v: swapped, though both orders are rejected", both)
	}
}
