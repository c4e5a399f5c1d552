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

	"leveret/engine/evm"
	"leveret/engine/input"
)

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
	Reads   []VariableWord
	Writes  []VariableWord
	Before  []uint256.Int // what was there, by Writes
	Values  []uint256.Int // written, by Writes
	Changed bool          // some word was another before
}

// A StateGoal is a run with made-up storage that took a new path, or would take
// one: what a sequence has to make true.
type StateGoal struct {
	Sequence input.Sequence
	Slots    []SlotGoal
	Path     uint64 // taken with what was made up, by the dreamer's count; 0: not known
	Origin   any    // what the dreamer wants to know again
}

// A SlotGoal is a storage word that is to hold something else.
type SlotGoal struct {
	evm.Slot
	Have, Want uint256.Int
	Mask       uint256.Int // the bits of Want that matter; 0: all
	Accept     Accept
}

// Else is what else than the value that is wished for would do.
type Accept int

// What else would do.
const (
	Exact    Accept = iota
	Beyond          // whatever lies beyond it, seen from what is there
	AnyOther        // but what is there
)

// granted reports whether a word is as good as the one wished for.
func (w *SlotGoal) satisfied(word *uint256.Int) bool {
	have, want, got := w.Have, w.Want, *word
	if !w.Mask.IsZero() {
		have.And(&have, &w.Mask)
		want.And(&want, &w.Mask)
		got.And(&got, &w.Mask)
	}
	switch {
	case w.Accept == AnyOther:
		return got != have
	case w.Accept == Beyond && want.Gt(&have):
		return !got.Lt(&want)
	case w.Accept == Beyond:
		return !got.Gt(&want)
	}
	return got == want
}

// field returns the bits of a word that matter.
func (w *SlotGoal) field(word *uint256.Int) (f uint256.Int) {
	if w.Mask.IsZero() {
		return *word
	}
	f.And(word, &w.Mask)
	f.Rsh(&f, uint(w.low()))
	return f
}

// low is the lowest bit that matters.
func (w *SlotGoal) low() int {
	n := 0
	for n < 255 && !w.Mask.IsZero() && new(uint256.Int).Rsh(&w.Mask, uint(n)).Uint64()&1 == 0 {
		n++
	}
	return n
}

// Distance is how far what is wished for lies from what is there, as numbers.
func (w *SlotGoal) Distance() (d uint256.Int) {
	have, want := w.field(&w.Have), w.field(&w.Want)
	if want.Lt(&have) {
		have, want = want, have
	}
	d.Sub(&want, &have)
	return d
}

// Move sets what is wished for to lie so far from what is there, on the same
// side as before. It must be no farther than it was.
func (w *SlotGoal) Move(distance *uint256.Int) {
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

// slots lists the words that a StateGoal is about.
func (d *StateGoal) slots() []evm.Slot {
	out := make([]evm.Slot, len(d.Slots))
	for i := range d.Slots {
		out[i] = d.Slots[i].Slot
	}
	return out
}

// A Mark says that a function wants other state than it gets.
type Mark struct {
	Callee Callee
	wanted []Variable                // what mattered, in order of first sight
	weight map[Variable]int          // how often it mattered
	words  map[Variable]VariableWord // a word of the class that was read
	goals  []StateGoal               // the newest
	credit int                       // sequences it may still get
}

// credits are the sequences that a mark earns at every new path that
// aggressive mode finds: lengthening stops where it stops finding any.
const credits = 4096

// poolSize bounds the samples kept for each function, and the sequences.
const poolSize = 24

// maxDreams bounds the StateGoals kept for each function.
const maxGoals = 12

// maxLength bounds the transactions of a sequence.
const maxLength = 32

// Demand is the memory of one campaign. It belongs to one goroutine.
type Demand struct {
	Preimages Preimages

	marks     map[Callee]*Mark
	order     []*Mark
	samples   map[Callee][]Sample
	writers   map[Variable][]Callee
	sequences [][]input.Tx

	pending   []pendingGoal // StateGoals that were never tried
	satisfied []Attempt     // StateGoals that a sample is known to grant
}

// An Attempt is a sequence that may make a StateGoal true, and the StateGoal's Origin.
type Attempt struct {
	Sequence input.Sequence
	Origin   any
}

// A hope is a new StateGoal, and how often it was tried.
type pendingGoal struct {
	goal  StateGoal
	tries int
}

// Bounds of what is tried at once: of each new StateGoal, at least and at most,
// as there are functions that can write what it wishes for; of StateGoals that a new
// sample, or samples that a new StateGoal, finds, and of all that waits.
const (
	minTries   = 3
	maxTries   = 8
	maxMatches = 4
	maxReady   = 64
)

// New returns an empty memory.
func New() *Demand {
	return &Demand{
		marks:   map[Callee]*Mark{},
		samples: map[Callee][]Sample{},
		writers: map[Variable][]Callee{},
	}
}

// Resolve resolves slots.
func (d *Demand) Resolve(slots []evm.Slot) []VariableWord {
	places := make([]VariableWord, len(slots))
	for i, s := range slots {
		places[i] = d.Preimages.Resolve(s.Address, s.Key)
	}
	return places
}

// AddGoal marks the function that d's last Tx calls.
func (d *Demand) AddGoal(r *rand.Rand, dream StateGoal) {
	callee := CalleeOf(dream.Sequence.Last())
	d.Mark(callee, dream.slots())
	m := d.marks[callee]
	if i := slices.IndexFunc(m.goals, dream.equal); i >= 0 {
		m.goals[i] = dream
		return
	}
	if len(m.goals) == maxGoals {
		m.goals = slices.Delete(m.goals, 0, 1)
	}
	m.goals = append(m.goals, dream)
	if len(d.pending) < maxReady {
		d.pending = append(d.pending, pendingGoal{goal: dream})
	}
	matches := 0
	for i := range dream.Slots {
		d.satisfiedBy(&dream.Slots[i], func(s *Sample, written, wanted VariableWord) {
			if matches++; matches <= maxMatches {
				d.satisfied = append(d.satisfied, Attempt{d.after(r, s, written, wanted, &dream), dream.Origin})
			}
		})
	}
}

// wishesLike reports whether two StateGoals ask for the same, for the same.
func (d *StateGoal) equal(other StateGoal) bool {
	return d.Path == other.Path && slices.Equal(d.Slots, other.Slots)
}

// grants calls yield with every sample that left behind what is wished for, in
// this word or another of its variable.
func (d *Demand) satisfiedBy(wish *SlotGoal, yield func(s *Sample, written, wanted VariableWord)) {
	wanted := d.Preimages.Resolve(wish.Address, wish.Key)
	for _, callee := range d.writers[wanted.Variable] {
		for i := range d.samples[callee] {
			s := &d.samples[callee][i]
			for n, p := range s.Writes {
				if p.Variable == wanted.Variable && s.satisfies(n, wanted, wish) {
					yield(s, p, wanted)
				}
			}
		}
	}
}

// after makes the sequence that runs what a sample was made of and then the
// last Tx of a StateGoal: the way into a state of a machine of states.
func (d *Demand) after(r *rand.Rand, s *Sample, written, wanted VariableWord, dream *StateGoal) input.Sequence {
	tx, _ := d.alignTo(r, s.Tx, written, wanted)
	out := dream.Sequence
	out.Txs = append(slices.Clone(s.Prefix), tx, *dream.Sequence.Last())
	return out
}

// grant looks for StateGoals that a new sample fulfils.
func (d *Demand) satisfyWith(r *rand.Rand, s *Sample) {
	matches := 0
	for _, m := range d.order {
		for i := range m.goals {
			dream := &m.goals[i]
			for j := range dream.Slots {
				wish := &dream.Slots[j]
				wanted := d.Preimages.Resolve(wish.Address, wish.Key)
				for n, p := range s.Writes {
					if p.Variable != wanted.Variable || !s.satisfies(n, wanted, wish) || s.Before[n] == s.Values[n] {
						continue
					}
					if matches++; matches <= maxMatches {
						d.satisfied = append(d.satisfied, Attempt{d.after(r, s, p, wanted, dream), dream.Origin})
					}
				}
			}
		}
	}
}

// NextAttempt returns a sequence that has not been tried and is the likeliest to
// make a StateGoal true; false if there is none.
func (d *Demand) NextAttempt(r *rand.Rand) (Attempt, bool) {
	for len(d.satisfied) > 0 {
		a := d.satisfied[0]
		d.satisfied = d.satisfied[1:]
		if len(a.Sequence.Txs) <= maxLength {
			return a, true
		}
	}
	for len(d.pending) > 0 {
		h := &d.pending[0]
		dream, turn := h.goal, h.tries
		writers := 0
		for _, p := range d.Resolve(dream.slots()) {
			writers = max(writers, len(d.writers[p.Variable]))
		}
		if h.tries++; h.tries >= min(max(2*writers, minTries), maxTries) {
			d.pending = d.pending[1:]
		}
		if s, ok := d.fulfil(r, &dream, turn); ok {
			return Attempt{s, dream.Origin}, true
		}
	}
	return Attempt{}, false
}

// Want marks callee: with other values in slots it would take a new path.
func (d *Demand) Mark(callee Callee, slots []evm.Slot) {
	m := d.marks[callee]
	if m == nil {
		m = &Mark{Callee: callee, weight: map[Variable]int{}, words: map[Variable]VariableWord{}}
		d.marks[callee] = m
		d.order = append(d.order, m)
	}
	for _, p := range d.Resolve(slots) {
		if m.weight[p.Variable] == 0 {
			m.wanted = append(m.wanted, p.Variable)
		}
		m.weight[p.Variable]++
		m.words[p.Variable] = p
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
func (d *Demand) MarkOf(callee Callee) *Mark {
	if m := d.marks[callee]; m != nil && m.credit > 0 {
		return m
	}
	return nil
}

// AddSample puts a transaction that succeeded into the pool, with what it read and
// wrote and the values before and after. prefix is what ran before it.
func (d *Demand) AddSample(r *rand.Rand, prefix []input.Tx, tx input.Tx, reads, writes []evm.Slot, before, after []uint256.Int) {
	if len(writes) == 0 {
		return
	}
	callee := CalleeOf(&tx)
	s := Sample{
		Prefix: prefix, Tx: tx, Reads: d.Resolve(reads), Writes: d.Resolve(writes),
		Before: before, Values: after, Changed: !slices.Equal(before, after),
	}
	for _, w := range s.Writes {
		if !slices.Contains(d.writers[w.Variable], callee) {
			d.writers[w.Variable] = append(d.writers[w.Variable], callee)
		}
	}
	d.samples[callee] = reservoir(r, d.samples[callee], s)
	d.satisfyWith(r, &s)
	if len(prefix) > 0 && s.Changed {
		d.sequences = reservoir(r, d.sequences, append(slices.Clone(prefix), tx))
	}
}

// LacksSample reports whether no transaction of callee is in the pool that changed
// anything: the first on a path often writes what was there.
func (d *Demand) LacksSample(callee Callee) bool {
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
