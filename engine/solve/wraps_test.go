package solve

import (
	"testing"

	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/search"
)

// wrapping returns a result that wrapped at some places.
func wrapping(status evm.Status, at ...cover.Metric) *search.Result {
	return &search.Result{Result: exec.Result{Run: cover.Run{Wraps: at}, Outcome: evm.Outcome{Status: status}}}
}

// A set of wraps depends on the places, not on their order, and leaves out
// places that were triaged often enough.
func TestWrapSets(t *testing.T) {
	w := NewWraps()
	const a, b, c = cover.Metric(11), cover.Metric(12), cover.Metric(13)
	set := func(at ...cover.Metric) uint64 { return w.Set(&cover.Run{Wraps: at}) }
	if set(a, b) != set(b, a) {
		t.Error("the order makes a difference")
	}
	different := map[uint64]bool{set(): true, set(a): true, set(b): true, set(a, b): true, set(a, c): true, set(a, b, c): true}
	if len(different) != 6 {
		t.Errorf("6 sets have %d hashes", len(different))
	}
	for n := range wrapsPerSite {
		if w.Count(a) != n || set(a, b) == set(b) {
			t.Fatalf("%d of %d triaged runs: the place is left out already", w.Count(a), n)
		}
		w.Triaged(&cover.Run{Wraps: []cover.Metric{a}})
	}
	if set(a, b) != set(b) || set(a) != set() || w.Count(a) != wrapsPerSite {
		t.Errorf("after %d triaged runs the place still counts", w.Count(a))
	}
	if w.Count(b) != 0 || w.Count(c) != 0 {
		t.Error("other places are counted")
	}
}

// A wrap that only overridden storage makes possible is new a few times, unless
// a run without did the same.
func TestWrapsWithOverriddenStorage(t *testing.T) {
	w := NewWraps()
	const seen, rare = cover.Metric(11), cover.Metric(12)
	w.Triaged(&cover.Run{Wraps: []cover.Metric{seen}})
	for _, row := range []struct {
		name string
		r    *search.Result
	}{
		{"no wrap", wrapping(evm.Success)},
		{"a known wrap", wrapping(evm.Success, seen)},
		{"a failed run", wrapping(evm.Revert, rare)},
	} {
		if w.isNewWithStorage(row.r) {
			t.Errorf("%s is new", row.name)
		}
	}
	for n := range maxImaginedWraps {
		if !w.isNewWithStorage(wrapping(evm.Success, seen, rare)) {
			t.Errorf("not new the %dth time", n+1)
		}
	}
	if w.isNewWithStorage(wrapping(evm.Success, seen, rare)) {
		t.Errorf("still new after %d times", maxImaginedWraps)
	}
}

// Wraps in runs that fail are followed up a few times for each place.
func TestFailedWrapsAreFollowedUp(t *testing.T) {
	w := NewWraps()
	const a, b = cover.Metric(11), cover.Metric(12)
	if w.followsUp(wrapping(evm.Revert)) || w.followsUp(wrapping(evm.Success, a)) {
		t.Error("a run without a wrap, or without a failure, is followed up")
	}
	for n := range maxFailedWraps {
		if !w.followsUp(wrapping(evm.Revert, a)) {
			t.Errorf("not followed up the %dth time", n+1)
		}
	}
	if w.followsUp(wrapping(evm.Revert, a)) {
		t.Errorf("still followed up after %d times", maxFailedWraps)
	}
	if !w.followsUp(wrapping(evm.Revert, a, b)) {
		t.Error("another place is not followed up")
	}
}
