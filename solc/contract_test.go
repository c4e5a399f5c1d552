package solc

import (
	"sync"
	"sync/atomic"
	"testing"
)

// What is derived from a build is made once for each key, also if several ask at a time.
func TestDerived(t *testing.T) {
	type first struct{}
	type second struct{}
	var b, other Build
	var made atomic.Int32
	count := func() any { return made.Add(1) }
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if got := b.Derived(first{}, count); got != int32(1) {
				t.Errorf("%v, want what was made first", got)
			}
		})
	}
	wait.Wait()
	if b.Derived(second{}, count) != int32(2) || other.Derived(first{}, count) != int32(3) || b.Derived(first{}, count) != int32(1) {
		t.Errorf("keys or builds share what was made, %d times", made.Load())
	}
}
