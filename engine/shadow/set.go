package shadow

import (
	"iter"
	"slices"
)

// A Set is an interned set of TaintSources: equal numbers are equal sets. The
// zero Set is empty.
type Set uint32

// widenAt is the size at which a Set merges calldata words, slots, accounts and calls,
// so that sums over long arrays stay cheap.
const widenAt = 96

// widenedMarks is how many marks are kept then, the newest: in a loop, each round may add some.
const widenedMarks = 48

// Limits for runs that combine many sources, such as one that splits a long
// text into bytes: the total number of members before every union is widened,
// and the number of memoised unions.
const (
	maxMembers = 4 << 20
	maxMemo    = 1 << 20
)

// Sets interns TaintSources and sets of them. It belongs to one goroutine.
type Sets struct {
	sources []TaintSource
	wide    []TaintSourceID // by TaintSourceID: 1 + what it is widened to; 0: not known yet
	index   map[TaintSource]TaintSourceID
	members [][]TaintSourceID // by Set, ascending
	room    []TaintSourceID   // of which those of further sets are parts
	kinds   []uint64          // by Set: bit per Kind
	latest  map[uint64]Set    // by hash of the members
	earlier []Set             // by Set: the one before with this hash; 0: none
	memo    map[uint64]Set
	held    int // total number of members
	recent  [1024]pairUnion
	merged  []TaintSourceID // of the union that is made
}

// How many members get memory at once: twice as many as before, so that what is cleared
// has enough for the next transaction.
const (
	roomSize = 1 << 8
	mostRoom = 1 << 16
)

// pairUnion is a line of a direct-mapped cache in front of Sets.memo.
type pairUnion struct {
	key   uint64
	union Set
}

// newSets returns Sets with only the empty set.
func newSets() *Sets {
	return &Sets{
		index:   map[TaintSource]TaintSourceID{},
		members: [][]TaintSourceID{nil},
		kinds:   []uint64{0},
		latest:  map[uint64]Set{},
		earlier: []Set{0},
		memo:    map[uint64]Set{},
	}
}

// clear leaves only the empty set, in the same memory unless that is a lot.
func (t *Sets) clear() {
	switch n := len(t.index) + len(t.members) + len(t.memo); {
	case n > mostReused:
		*t = *newSets()
		return
	case n > maxReused:
		t.index, t.latest, t.memo = map[TaintSource]TaintSourceID{}, map[uint64]Set{}, map[uint64]Set{}
	default:
		clear(t.index)
		clear(t.latest)
		clear(t.memo)
	}
	clear(t.recent[:])
	clear(t.members[1:])
	t.sources, t.wide, t.members, t.kinds, t.held = t.sources[:0], t.wide[:0], t.members[:1], t.kinds[:1], 0
	t.earlier, t.room = t.earlier[:1], t.room[:0]
}

// ID interns a TaintSource.
func (t *Sets) ID(s TaintSource) TaintSourceID {
	if id, ok := t.index[s]; ok {
		return id
	}
	id := TaintSourceID(len(t.sources))
	t.sources, t.wide = append(t.sources, s), append(t.wide, 0)
	t.index[s] = id
	return id
}

// Of returns the set of one TaintSource.
func (t *Sets) Of(s TaintSource) Set { return t.intern([]TaintSourceID{t.ID(s)}) }

// Source returns the TaintSource of an ID.
func (t *Sets) Source(id TaintSourceID) TaintSource { return t.sources[id] }

// Members yields the members of a set.
func (t *Sets) Members(s Set) iter.Seq[TaintSource] {
	return func(yield func(TaintSource) bool) {
		for _, id := range t.members[s] {
			if !yield(t.sources[id]) {
				return
			}
		}
	}
}

// Sources returns the members of a set.
func (t *Sets) Sources(s Set) []TaintSource {
	return slices.AppendSeq(make([]TaintSource, 0, len(t.members[s])), t.Members(s))
}

// HasKind reports whether s has a TaintSource of kind k.
func (t *Sets) HasKind(s Set, k Kind) bool { return t.kinds[s]>>k&1 != 0 }

// Has reports whether src is in s, or s was widened to all of its kind.
func (t *Sets) Has(s Set, src TaintSource) bool {
	if !t.HasKind(s, src.Kind) {
		return false
	}
	for _, want := range src.alike() {
		if id, ok := t.index[want]; ok {
			if _, found := slices.BinarySearch(t.members[s], id); found {
				return true
			}
		}
	}
	return false
}

// alike returns s and what stands for it in sets that were widened.
func (s TaintSource) alike() [2]TaintSource {
	return [2]TaintSource{s, {Kind: s.Kind, Tx: s.Tx, Offset: Anywhere}}
}

// Masks have a bit for each of up to 64 TaintSources, by TaintSourceID. They tell at once
// which of them a set has.
type Masks []uint64

// Masks returns the Masks of sources: bit i is that of the ith.
func (t *Sets) Masks(sources []TaintSource) Masks {
	m := make(Masks, len(t.sources))
	for i, src := range sources {
		for _, want := range src.alike() {
			if id, ok := t.index[want]; ok {
				m[id] |= 1 << i
			}
		}
	}
	return m
}

// Of returns the bits of the sources that t.Has in s.
func (m Masks) Of(t *Sets, s Set) (bits uint64) {
	for _, id := range t.members[s] {
		if int(id) < len(m) {
			bits |= m[id]
		}
	}
	return bits
}

// Union returns the union of two sets.
func (t *Sets) Union(a, b Set) Set {
	if a == b || b == 0 {
		return a
	}
	if a == 0 {
		return b
	}
	if a > b {
		a, b = b, a
	}
	key := uint64(a)<<32 | uint64(b)
	line := &t.recent[(key*0x9e3779b97f4a7c15)>>54]
	if line.key == key {
		return line.union
	}
	u, ok := t.memo[key]
	if !ok {
		if u = t.merge(a, b); u != a && u != b { // those are found again as soon
			if len(t.memo) == maxMemo {
				clear(t.memo)
			}
			t.memo[key] = u
		}
	}
	*line = pairUnion{key, u}
	return u
}

func (t *Sets) merge(a, b Set) Set {
	first, second := t.members[a], t.members[b]
	x, y, out := first, second, t.merged[:0]
	for len(x) > 0 && len(y) > 0 {
		switch {
		case x[0] < y[0]:
			out, x = append(out, x[0]), x[1:]
		case x[0] > y[0]:
			out, y = append(out, y[0]), y[1:]
		default:
			out, x, y = append(out, x[0]), x[1:], y[1:]
		}
	}
	out = append(append(out, x...), y...)
	t.merged = out
	switch {
	case len(out) > widenAt || t.held > maxMembers:
		return t.intern(t.widen(out))
	case len(out) == len(first):
		return a
	case len(out) == len(second):
		return b
	}
	return t.intern(out)
}

// widen replaces sources that differ only in location by one that stands for
// all, and leaves out old marks.
func (t *Sets) widen(ids []TaintSourceID) []TaintSourceID {
	for i, id := range ids {
		if t.wide[id] == 0 {
			to := t.widened(id) // may add a source
			t.wide[id] = 1 + to
		}
		ids[i] = t.wide[id] - 1
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	old := -widenedMarks
	for _, id := range ids {
		if t.sources[id].Kind == FromMark {
			old++
		}
	}
	return slices.DeleteFunc(ids, func(id TaintSourceID) bool {
		if t.sources[id].Kind != FromMark || old <= 0 {
			return false
		}
		old--
		return true
	})
}

// widened returns the source that stands for all that differ from one in location.
func (t *Sets) widened(id TaintSourceID) TaintSourceID {
	switch s := t.sources[id]; s.Kind {
	case FromCalldata, FromInitcode, FromBalance, FromCode, FromCallResult, FromReturnData, FromStorage, FromScript:
		return t.ID(TaintSource{Kind: s.Kind, Tx: s.Tx, Offset: Anywhere})
	}
	return id
}

// intern returns the set of some members, which it copies if it is new.
func (t *Sets) intern(ids []TaintSourceID) Set {
	if len(ids) == 0 {
		return 0
	}
	key := hashOf(ids)
	for s := t.latest[key]; s != 0; s = t.earlier[s] {
		if slices.Equal(t.members[s], ids) {
			return s
		}
	}
	s := Set(len(t.members))
	var kinds uint64
	for _, id := range ids {
		kinds |= 1 << t.sources[id].Kind
	}
	if len(ids) > cap(t.room)-len(t.room) {
		t.room = make([]TaintSourceID, 0, max(roomSize, min(2*cap(t.room), mostRoom), len(ids)))
	}
	from := len(t.room)
	t.room = append(t.room, ids...)
	t.members = append(t.members, t.room[from:len(t.room):len(t.room)])
	t.held += len(ids)
	t.kinds = append(t.kinds, kinds)
	t.earlier = append(t.earlier, t.latest[key])
	t.latest[key] = s
	return s
}

// hashOf returns a hash of members.
func hashOf(ids []TaintSourceID) uint64 {
	h := uint64(len(ids))
	for _, id := range ids {
		h = (h ^ uint64(id)) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
	return h
}
