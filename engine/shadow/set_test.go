package shadow

import (
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/common"
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

// Sets whose members have the same hash are different sets, and each is found again.
func TestSetsOfOneHash(t *testing.T) {
	sets := newSets()
	var sources []TaintSource
	for n := range uint64(3) {
		sources = append(sources, TaintSource{Kind: FromCalldata, Offset: 32 * n})
	}
	first := sets.Of(sources[0])
	second := []TaintSourceID{sets.ID(sources[1]), sets.ID(sources[2])}
	sets.latest[hashOf(second)] = first
	both := sets.intern(second)
	if both == first || sets.Has(both, sources[0]) || !sets.Has(both, sources[2]) || sets.intern(second) != both {
		t.Errorf("sets %d and %d are mixed up", first, both)
	}
	sets.latest[hashOf([]TaintSourceID{sets.ID(sources[0])})] = both
	if sets.earlier[both] != first || sets.Of(sources[0]) != first {
		t.Error("the earlier set is not found behind the later one")
	}
}

// TestWiden lets sets grow beyond their bound: of words, slots and accounts.
func TestWiden(t *testing.T) {
	account := func(n int) common.Address { return common.Address{18: byte(n >> 8), 19: byte(n)} }
	for name, source := range map[string]func(n int) TaintSource{
		"words":    func(n int) TaintSource { return TaintSource{Kind: FromCalldata, Offset: uint64(32 * n)} },
		"slots":    func(n int) TaintSource { return TaintSource{Kind: FromStorage, Address: account(n)} },
		"balances": func(n int) TaintSource { return TaintSource{Kind: FromBalance, Address: account(n)} },
		"code":     func(n int) TaintSource { return TaintSource{Kind: FromCode, Address: account(n)} },
	} {
		sets := newSets()
		var all Set
		for n := range 10 * widenAt {
			all = sets.Union(all, sets.Of(source(n)))
		}
		all = sets.Union(all, sets.Of(TaintSource{Kind: FromTimestamp}))
		if n := len(sets.Sources(all)); n > widenAt {
			t.Errorf("%s: the set has %d members", name, n)
		}
		if !sets.Has(all, source(2)) || !sets.Has(all, TaintSource{Kind: FromTimestamp}) {
			t.Errorf("%s: the set lost members", name)
		}
		later := source(2)
		later.Tx = 1
		if sets.Has(all, later) || sets.Has(all, TaintSource{Kind: FromNumber}) {
			t.Errorf("%s: the set has what was never added", name)
		}
	}
}

// Of many marks in one set the newest are kept, and slots stay known.
func TestOldMarksAreLeftOut(t *testing.T) {
	sets := newSets()
	var all Set
	mark := func(n int) TaintSource { return TaintSource{Kind: FromMark, Offset: uint64(n)} }
	for n := range 10 * widenAt {
		all = sets.Union(all, sets.Union(sets.Of(mark(n)), sets.Of(TaintSource{Kind: FromStorage, Slot: common.Hash{byte(n)}})))
		if got := len(sets.Sources(all)); got > widenAt {
			t.Fatalf("%d sources after %d marks", got, n+1)
		}
		if newest := max(0, n-widenedMarks+2); !sets.Has(all, mark(newest)) || !sets.Has(all, mark(n)) {
			t.Fatalf("after %d marks, one of the newest is left out", n+1)
		}
	}
	if !sets.Has(all, TaintSource{Kind: FromStorage}) || sets.Has(all, mark(0)) {
		t.Error("a slot is left out, or the oldest mark is not")
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

// Masks tell of many sources at once what Has tells of each, widened ones included.
func TestMasks(t *testing.T) {
	sets, r := newSets(), rand.New(rand.NewPCG(4, 2))
	source := func() TaintSource {
		s := TaintSource{Kind: FromCalldata, Tx: r.IntN(2), Offset: r.Uint64N(4 * widenAt)}
		if r.IntN(3) == 0 {
			s = TaintSource{Kind: FromStorage, Slot: common.Hash{byte(r.IntN(40))}}
		}
		return s
	}
	all := []Set{0}
	for range 300 {
		all = append(all, sets.Union(all[r.IntN(len(all))], sets.Of(source())))
	}
	sources := make([]TaintSource, 64)
	for i := range sources {
		sources[i] = source()
	}
	masks := sets.Masks(sources)
	all = append(all, sets.Of(TaintSource{Kind: FromCalldata, Tx: 7})) // is not known to them
	seen := 0
	for _, s := range all {
		bits := masks.Of(sets, s)
		for i, src := range sources {
			has := bits>>i&1 != 0
			if has != sets.Has(s, src) {
				t.Fatalf("%v has %v: %t", sets.Sources(s), src, has)
			}
			if has {
				seen++
			}
		}
	}
	if seen < 100 {
		t.Errorf("%d sources are in sets", seen)
	}
}
