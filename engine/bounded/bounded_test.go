package bounded

import (
	"math/rand/v2"
	"testing"
)

// A Map answers as a map does until it is full; then it forgets, but never
// answers wrongly, and does not grow.
func TestMap(t *testing.T) {
	const limit = 1 << 12
	r := rand.New(rand.NewPCG(1, 2))
	m, all, sum := NewMap(limit), map[uint64]uint64{}, uint64(0)
	for n := range 4 * limit {
		digest, value := r.Uint64(), r.Uint64()
		if was, had := m.Put(digest, value); had {
			sum -= was
		}
		sum += value
		all[digest] = value
		if got, ok := m.Get(digest); !ok || got != value {
			t.Fatalf("what was just put is %d, %v", got, ok)
		}
		if n == limit/8 && m.Len() != len(all) {
			t.Errorf("%d of %d digests are remembered though there is room", m.Len(), len(all))
		}
	}
	kept := 0
	for digest, value := range all {
		got, ok := m.Get(digest)
		sum -= got
		if ok && got != value {
			t.Fatalf("%x has %d, want %d", digest, got, value)
		}
		if ok {
			kept++
		}
	}
	if len(m.cells) != limit || kept < limit/2 || kept > limit || m.Len() < kept {
		t.Errorf("%d of %d digests are kept in %d cells; %d are counted", kept, len(all), len(m.cells), m.Len())
	}
	if sum != 0 {
		t.Error("Put does not return what is forgotten")
	}
	if _, ok := m.Get(0); ok {
		t.Error("nothing was put for 0")
	}
	m.Put(12345, 1)
	m.Put(12345, 2)
	if got, _ := m.Get(12345); got != 2 {
		t.Errorf("the newer value is %d", got)
	}
}
