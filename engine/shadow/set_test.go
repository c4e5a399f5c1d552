package shadow

import (
	"math/rand/v2"
	"testing"
)

// TestSets compares interned sets with maps.
func TestSets(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	sets := newSets()
	type pair struct {
		set  Set
		want map[TaintSource]bool
	}
	pool := []pair{{0, nil}}
	for i := range 40 {
		s := TaintSource{Kind: FromStorage, Offset: uint64(i)}
		pool = append(pool, pair{sets.Of(s), map[TaintSource]bool{s: true}})
	}
	for range 2000 {
		a, b := pool[r.IntN(len(pool))], pool[r.IntN(len(pool))]
		union := map[TaintSource]bool{}
		for s := range a.want {
			union[s] = true
		}
		for s := range b.want {
			union[s] = true
		}
		u := sets.Union(a.set, b.set)
		if got := sets.Sources(u); len(got) != len(union) {
			t.Fatalf("union of %d and %d Sources has %d, want %d", len(a.want), len(b.want), len(got), len(union))
		}
		for s := range union {
			if !sets.Has(u, s) {
				t.Fatalf("%s is missing", s)
			}
		}
		if sets.Union(b.set, a.set) != u || sets.Union(u, u) != u {
			t.Fatal("equal sets have different numbers")
		}
		pool = append(pool, pair{u, union})
	}
}

// TestWiden lets a set grow beyond its bound.
func TestWiden(t *testing.T) {
	sets := newSets()
	var all Set
	for i := range 10 * widenAt {
		all = sets.Union(all, sets.Of(TaintSource{Kind: FromCalldata, Offset: uint64(32 * i)}))
	}
	all = sets.Union(all, sets.Of(TaintSource{Kind: FromTimestamp}))
	if n := len(sets.Sources(all)); n > widenAt {
		t.Errorf("the set has %d members", n)
	}
	if !sets.Has(all, TaintSource{Kind: FromCalldata, Offset: 64}) || !sets.Has(all, TaintSource{Kind: FromTimestamp}) {
		t.Error("the set lost members")
	}
	if sets.Has(all, TaintSource{Kind: FromCalldata, Tx: 1, Offset: 64}) || sets.Has(all, TaintSource{Kind: FromNumber}) {
		t.Error("the set has what was never added")
	}
}

// TestManySets combines Sources without end: memory stays bounded and no Source
// is lost.
func TestManySets(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	sets := newSets()
	for range 5_000 {
		var all Set
		var some TaintSource
		for range 48 {
			some = TaintSource{Kind: FromCalldata, Offset: uint64(32 * r.IntN(4000))}
			all = sets.Union(all, sets.Of(some))
		}
		if !sets.Has(all, some) {
			t.Fatalf("%s is missing", some)
		}
		if sets.held > maxMembers+widenAt || len(sets.memo) > maxMemo {
			t.Fatalf("%d members and %d unions are held", sets.held, len(sets.memo))
		}
	}
	if sets.held <= maxMembers {
		t.Fatalf("only %d members", sets.held)
	}
}
