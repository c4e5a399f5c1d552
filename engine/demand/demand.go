// Package demand decides which functions need longer sequences, and which
// transactions to put before them.
//
// It follows HARVEY (ESEC/FSE 2020), section 5: a function is marked when a
// run with made-up storage (aggressive mode) takes a new path; only marked
// functions get transactions inserted before them or their prefix replaced;
// transactions and sequences that changed the state are kept in pools. Beyond
// the paper, it inserts transactions that write the variables that mattered,
// found by what earlier runs read and wrote, and chains them backwards: what
// the inserted transaction reads is in demand as well.
//
// It executes nothing: runs are told to it, candidates are asked of it.
package demand

import (
	"math/rand/v2"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// A Slot is one storage word of one account.
type Slot struct {
	Address common.Address
	Key     common.Hash
}

// A Callee is a function at an address: what can be marked.
type Callee struct {
	Address  common.Address
	Function *input.Function
}

// CalleeOf returns what tx calls.
func CalleeOf(tx *input.Tx) Callee { return Callee{tx.To, tx.Function} }

// A Sample is a transaction that succeeded and wrote storage.
type Sample struct {
	Prefix  []input.Tx // what ran before it
	Tx      input.Tx
	Reads   []Place
	Writes  []Place
	Before  []uint256.Int // what was there, by Writes
	Values  []uint256.Int // written, by Writes
	Changed bool          // some word was another before
}

// A Dream is a run with made-up storage that took a new path, or would take
// one: what a sequence has to make true.
type Dream struct {
	Sequence input.Sequence
	Wishes   []Wish
	Path     uint64 // taken with what was made up, by the dreamer's count; 0: not known
	Origin   any    // what the dreamer wants to know again
}

// A Wish is a storage word that is to hold something else.
type Wish struct {
	Slot
	Have, Want uint256.Int
	Mask       uint256.Int // the bits of Want that matter; 0: all
	Else       Else
}

// Else is what else than the value that is wished for would do.
type Else int

// What else would do.
const (
	Nothing  Else = iota
	Further       // whatever lies beyond it, seen from what is there
	Anything      // but what is there
)

// granted reports whether a word is as good as the one wished for.
func (w *Wish) granted(word *uint256.Int) bool {
	have, want, got := w.Have, w.Want, *word
	if !w.Mask.IsZero() {
		have.And(&have, &w.Mask)
		want.And(&want, &w.Mask)
		got.And(&got, &w.Mask)
	}
	switch {
	case w.Else == Anything:
		return got != have
	case w.Else == Further && want.Gt(&have):
		return !got.Lt(&want)
	case w.Else == Further:
		return !got.Gt(&want)
	}
	return got == want
}

// field returns the bits of a word that matter.
func (w *Wish) field(word *uint256.Int) (f uint256.Int) {
	if w.Mask.IsZero() {
		return *word
	}
	f.And(word, &w.Mask)
	f.Rsh(&f, uint(w.low()))
	return f
}

// low is the lowest bit that matters.
func (w *Wish) low() int {
	n := 0
	for n < 255 && !w.Mask.IsZero() && new(uint256.Int).Rsh(&w.Mask, uint(n)).Uint64()&1 == 0 {
		n++
	}
	return n
}

// Distance is how far what is wished for lies from what is there, as numbers.
func (w *Wish) Distance() (d uint256.Int) {
	have, want := w.field(&w.Have), w.field(&w.Want)
	if want.Lt(&have) {
		have, want = want, have
	}
	d.Sub(&want, &have)
	return d
}

// Move sets what is wished for to lie so far from what is there, on the same
// side as before. It must be no farther than it was.
func (w *Wish) Move(distance *uint256.Int) {
	have, want := w.field(&w.Have), w.field(&w.Want)
	if want.Lt(&have) {
		want.Sub(&have, distance)
	} else {
		want.Add(&have, distance)
	}
	if w.Mask.IsZero() {
		w.Want = want
		return
	}
	want.Lsh(&want, uint(w.low()))
	var rest uint256.Int
	rest.Not(&w.Mask)
	rest.And(&rest, &w.Have)
	w.Want.Or(&want, &rest)
}

// slots lists the words that a Dream is about.
func (d *Dream) slots() []Slot {
	out := make([]Slot, len(d.Wishes))
	for i := range d.Wishes {
		out[i] = d.Wishes[i].Slot
	}
	return out
}

// A Mark says that a function wants other state than it gets.
type Mark struct {
	Callee Callee
	wanted []Class         // what mattered, in order of first sight
	weight map[Class]int   // how often it mattered
	places map[Class]Place // a word of the class that was read
	dreams []Dream         // the newest
	credit int             // sequences it may still get
}

// credits are the sequences that a mark earns at every new path that
// aggressive mode finds: lengthening stops where it stops finding any.
const credits = 4096

// poolSize bounds the samples kept for each function, and the sequences.
const poolSize = 24

// maxDreams bounds the Dreams kept for each function.
const maxDreams = 12

// maxLength bounds the transactions of a sequence.
const maxLength = 32

// Demand is the memory of one campaign. It belongs to one goroutine.
type Demand struct {
	Preimages Preimages

	marks     map[Callee]*Mark
	order     []*Mark
	samples   map[Callee][]Sample
	writers   map[Class][]Callee
	sequences [][]input.Tx

	hopes   []hope    // Dreams that were never tried
	granted []Attempt // Dreams that a sample is known to grant
}

// An Attempt is a sequence that may make a Dream true, and the Dream's Origin.
type Attempt struct {
	Sequence input.Sequence
	Origin   any
}

// A hope is a new Dream, and how often it was tried.
type hope struct {
	dream Dream
	tries int
}

// Bounds of what is tried at once: of each new Dream, at least and at most,
// as there are functions that can write what it wishes for; of Dreams that a new
// sample, or samples that a new Dream, finds, and of all that waits.
const (
	hopeTries  = 3
	maxTries   = 8
	maxMatches = 4
	maxReady   = 64
)

// New returns an empty memory.
func New() *Demand {
	return &Demand{
		marks:   map[Callee]*Mark{},
		samples: map[Callee][]Sample{},
		writers: map[Class][]Callee{},
	}
}

// Places resolves slots.
func (d *Demand) Places(slots []Slot) []Place {
	places := make([]Place, len(slots))
	for i, s := range slots {
		places[i] = d.Preimages.Place(s.Address, s.Key)
	}
	return places
}

// Imagine marks the function that d's last Tx calls.
func (d *Demand) Imagine(r *rand.Rand, dream Dream) {
	callee := CalleeOf(dream.Sequence.Last())
	d.Want(callee, dream.slots())
	m := d.marks[callee]
	if i := slices.IndexFunc(m.dreams, dream.wishesLike); i >= 0 {
		m.dreams[i] = dream
		return
	}
	if len(m.dreams) == maxDreams {
		m.dreams = slices.Delete(m.dreams, 0, 1)
	}
	m.dreams = append(m.dreams, dream)
	if len(d.hopes) < maxReady {
		d.hopes = append(d.hopes, hope{dream: dream})
	}
	matches := 0
	for i := range dream.Wishes {
		d.grants(&dream.Wishes[i], func(s *Sample, written, wanted Place) {
			if matches++; matches <= maxMatches {
				d.granted = append(d.granted, Attempt{d.after(r, s, written, wanted, &dream), dream.Origin})
			}
		})
	}
}

// wishesLike reports whether two Dreams ask for the same, for the same.
func (d *Dream) wishesLike(other Dream) bool {
	return d.Path == other.Path && slices.Equal(d.Wishes, other.Wishes)
}

// grants calls yield with every sample that left behind what is wished for, in
// this word or another of its variable.
func (d *Demand) grants(wish *Wish, yield func(s *Sample, written, wanted Place)) {
	wanted := d.Preimages.Place(wish.Address, wish.Key)
	for _, callee := range d.writers[wanted.Class] {
		for i := range d.samples[callee] {
			s := &d.samples[callee][i]
			for n, p := range s.Writes {
				if p.Class == wanted.Class && s.grants(n, wanted, wish) {
					yield(s, p, wanted)
				}
			}
		}
	}
}

// after makes the sequence that runs what a sample was made of and then the
// last Tx of a Dream: the way into a state of a machine of states.
func (d *Demand) after(r *rand.Rand, s *Sample, written, wanted Place, dream *Dream) input.Sequence {
	tx, _ := d.alignTo(r, s.Tx, written, wanted)
	out := dream.Sequence
	out.Txs = append(slices.Clone(s.Prefix), tx, *dream.Sequence.Last())
	return out
}

// grant looks for Dreams that a new sample fulfils.
func (d *Demand) grant(r *rand.Rand, s *Sample) {
	matches := 0
	for _, m := range d.order {
		for i := range m.dreams {
			dream := &m.dreams[i]
			for j := range dream.Wishes {
				wish := &dream.Wishes[j]
				wanted := d.Preimages.Place(wish.Address, wish.Key)
				for n, p := range s.Writes {
					if p.Class != wanted.Class || !s.grants(n, wanted, wish) || s.Before[n] == s.Values[n] {
						continue
					}
					if matches++; matches <= maxMatches {
						d.granted = append(d.granted, Attempt{d.after(r, s, p, wanted, dream), dream.Origin})
					}
				}
			}
		}
	}
}

// Ready returns a sequence that has not been tried and is the likeliest to
// make a Dream true; false if there is none.
func (d *Demand) Ready(r *rand.Rand) (Attempt, bool) {
	for len(d.granted) > 0 {
		a := d.granted[0]
		d.granted = d.granted[1:]
		if len(a.Sequence.Txs) <= maxLength {
			return a, true
		}
	}
	for len(d.hopes) > 0 {
		h := &d.hopes[0]
		dream, turn := h.dream, h.tries
		writers := 0
		for _, p := range d.Places(dream.slots()) {
			writers = max(writers, len(d.writers[p.Class]))
		}
		if h.tries++; h.tries >= min(max(2*writers, hopeTries), maxTries) {
			d.hopes = d.hopes[1:]
		}
		if s, ok := d.fulfil(r, &dream, turn); ok {
			return Attempt{s, dream.Origin}, true
		}
	}
	return Attempt{}, false
}

// Want marks callee: with other values in slots it would take a new path.
func (d *Demand) Want(callee Callee, slots []Slot) {
	m := d.marks[callee]
	if m == nil {
		m = &Mark{Callee: callee, weight: map[Class]int{}, places: map[Class]Place{}}
		d.marks[callee] = m
		d.order = append(d.order, m)
	}
	for _, p := range d.Places(slots) {
		if m.weight[p.Class] == 0 {
			m.wanted = append(m.wanted, p.Class)
		}
		m.weight[p.Class]++
		m.places[p.Class] = p
	}
	m.credit = credits
}

// Marked lists the marked functions that may still get sequences, in order of
// their marking.
func (d *Demand) Marked() []*Mark {
	var live []*Mark
	for _, m := range d.order {
		if m.credit > 0 {
			live = append(live, m)
		}
	}
	return live
}

// Of returns the mark of a callee, nil if it is not marked or is spent.
func (d *Demand) Of(callee Callee) *Mark {
	if m := d.marks[callee]; m != nil && m.credit > 0 {
		return m
	}
	return nil
}

// Wrote puts a transaction that succeeded into the pool, with what it read and
// wrote and the values before and after. prefix is what ran before it.
func (d *Demand) Wrote(r *rand.Rand, prefix []input.Tx, tx input.Tx, reads, writes []Slot, before, after []uint256.Int) {
	if len(writes) == 0 {
		return
	}
	callee := CalleeOf(&tx)
	s := Sample{
		Prefix: prefix, Tx: tx, Reads: d.Places(reads), Writes: d.Places(writes),
		Before: before, Values: after, Changed: !slices.Equal(before, after),
	}
	for _, w := range s.Writes {
		if !slices.Contains(d.writers[w.Class], callee) {
			d.writers[w.Class] = append(d.writers[w.Class], callee)
		}
	}
	d.samples[callee] = reservoir(r, d.samples[callee], s)
	d.grant(r, &s)
	if len(prefix) > 0 && s.Changed {
		d.sequences = reservoir(r, d.sequences, append(slices.Clone(prefix), tx))
	}
}

// Lacks reports whether no transaction of callee is in the pool that changed
// anything: the first on a path often writes what was there.
func (d *Demand) Lacks(callee Callee) bool {
	return !slices.ContainsFunc(d.samples[callee], func(s Sample) bool { return s.Changed })
}

// reservoir adds x to a pool that keeps the newest and a random choice of what
// came before it.
func reservoir[T any](r *rand.Rand, pool []T, x T) []T {
	if len(pool) < poolSize {
		return append(pool, x)
	}
	pool[r.IntN(poolSize)] = x
	return pool
}
