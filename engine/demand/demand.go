// Package demand decides which functions need longer sequences and which
// transactions to insert before them.
//
// It follows HARVEY (ESEC/FSE 2020), section 5: a function is marked when a run
// with overridden storage (aggressive mode) takes a new path. Only marked
// functions get transactions inserted before them or their prefix replaced;
// transactions and sequences that changed the state are kept in pools. Beyond
// the paper, it inserts transactions that write the variables that mattered,
// according to the reads and writes of earlier runs, and follows demand
// backwards: what an inserted transaction reads is in demand as well. See
// docs/engine.md, "Sequences and demand".
//
// It executes nothing: callers report runs and request candidates.
package demand

import (
	"math/rand/v2"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/input"
)

// A Callee is a function at an address. Marks belong to callees.
type Callee struct {
	Address  common.Address
	Function *input.Function
}

// CalleeOf returns the callee of tx.
func CalleeOf(tx *input.Tx) Callee { return Callee{tx.To, tx.Function} }

// A Sample is a successful transaction that wrote storage.
type Sample struct {
	Prefix  []input.Tx // Txs before it
	Tx      input.Tx
	Reads   []VariableWord
	Writes  []VariableWord
	Before  []uint256.Int // values before it, by Writes
	Values  []uint256.Int // values written, by Writes
	Changed bool          // some value changed
}

// A StateGoal is a run with overridden storage that took a new path, or would
// take one. A sequence satisfies it by bringing about that storage.
type StateGoal struct {
	Sequence input.Sequence
	Slots    []SlotGoal
	Path     uint64 // path with the overrides, by the caller's hash; 0: unknown
	Origin   any    // returned with each Attempt, for the caller
}

// A SlotGoal is the wanted value of a storage word.
type SlotGoal struct {
	evm.Slot
	Have, Want uint256.Int
	Mask       uint256.Int // relevant bits of Want; 0: all
	Accept     Accept
}

// An Accept says which other values satisfy a SlotGoal.
type Accept int

// Accepted values.
const (
	Exact    Accept = iota
	Beyond          // all values at least as far from Have as Want, on the same side
	AnyOther        // all values except Have
)

// satisfied reports whether a word satisfies the goal.
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

// field returns the relevant bits of a word.
func (w *SlotGoal) field(word *uint256.Int) (f uint256.Int) {
	if w.Mask.IsZero() {
		return *word
	}
	f.And(word, &w.Mask)
	f.Rsh(&f, uint(w.low()))
	return f
}

// low is the lowest relevant bit.
func (w *SlotGoal) low() int {
	n := 0
	for n < 255 && !w.Mask.IsZero() && new(uint256.Int).Rsh(&w.Mask, uint(n)).Uint64()&1 == 0 {
		n++
	}
	return n
}

// Distance is the numeric distance between Have and Want.
func (w *SlotGoal) Distance() (d uint256.Int) {
	have, want := w.field(&w.Have), w.field(&w.Want)
	if want.Lt(&have) {
		have, want = want, have
	}
	d.Sub(&want, &have)
	return d
}

// Away is the numeric distance of a word from Want; 0 if the word satisfies the goal.
func (w *SlotGoal) Away(word *uint256.Int) uint256.Int {
	if w.satisfied(word) {
		return uint256.Int{}
	}
	at := *w
	at.Have = *word
	return at.Distance()
}

// Move sets Want to a distance from Have, on the same side. The distance must
// not exceed the present one.
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

// slots lists the slots of a StateGoal.
func (d *StateGoal) slots() []evm.Slot {
	out := make([]evm.Slot, len(d.Slots))
	for i := range d.Slots {
		out[i] = d.Slots[i].Slot
	}
	return out
}

// A Mark is a function that needs another state.
type Mark struct {
	Callee    Callee
	variables []Variable                // in order of first occurrence
	weight    map[Variable]int          // how often each mattered
	words     map[Variable]VariableWord // a word of each that was read
	goals     []triedGoal               // the newest goals
	satisfied []Attempt                 // attempts by samples that wrote a wanted value, in order
	spent     int                       // Demand.found when the goals had no attempts left; -1: they may have
	credit    int                       // remaining sequences
}

// A triedGoal is a StateGoal and the number of attempts that it got, apart from those by
// samples that wrote a wanted value.
type triedGoal struct {
	StateGoal
	tries int
}

// credits are the sequences that a mark gets for each new path of aggressive
// mode. Lengthening ends when aggressive mode finds no more.
const credits = 4096

// maxWritten bounds the variables whose writers are known: without preimages, each word of a
// mapping is one.
const maxWritten = 1 << 16

// poolSize bounds the samples of each function, and the sequences.
const poolSize = 24

// maxGoals bounds the StateGoals of each function.
const maxGoals = 12

// maxLength bounds the transactions of a sequence.
const maxLength = 32

// A Demand is the state of one campaign. It belongs to one goroutine.
type Demand struct {
	Preimages Preimages

	marks     map[Callee]*Mark
	order     []*Mark
	live      []*Mark // of Marked
	samples   map[Callee][]Sample
	writers   map[Variable][]Callee
	sequences [][]input.Tx

	chained []input.Tx   // memory of the sequence that is made
	lister  input.Lister // of the transaction that is aligned
	asked   int          // times that NextAttempt was called: whose turn it is
	found   int          // functions that were found to write a variable
}

// An Attempt is a sequence that may satisfy a StateGoal, with the goal's
// Origin.
type Attempt struct {
	Sequence input.Sequence
	Origin   any
}

// Limits: attempts per StateGoal, which depend on the number of functions that
// write its slots; matches between a new sample and goals or a new goal and samples;
// attempts of a function by samples that wait.
const (
	minTries     = 3
	maxTries     = 8
	maxMatches   = 4
	maxSatisfied = 64
)

// New returns an empty Demand.
func New() *Demand {
	return &Demand{
		marks:   map[Callee]*Mark{},
		samples: map[Callee][]Sample{},
		writers: map[Variable][]Callee{},
	}
}

// Resolve returns the variables of slots.
func (d *Demand) Resolve(slots []evm.Slot) []VariableWord {
	places := make([]VariableWord, len(slots))
	for i, s := range slots {
		places[i] = d.Preimages.Resolve(s.Address, s.Key)
	}
	return places
}

// AddGoal marks the function of the goal's last Tx and queues attempts.
func (d *Demand) AddGoal(r *rand.Rand, goal StateGoal) {
	callee := CalleeOf(goal.Sequence.Last())
	d.Mark(callee, goal.slots())
	m := d.marks[callee]
	if i := slices.IndexFunc(m.goals, func(g triedGoal) bool { return goal.equal(g.StateGoal) }); i >= 0 {
		m.goals[i].StateGoal = goal
		return
	}
	if len(m.goals) == maxGoals {
		m.goals = slices.Delete(m.goals, 0, 1)
	}
	m.goals, m.spent = append(m.goals, triedGoal{StateGoal: goal}), -1
	matches := 0
	for i := range goal.Slots {
		d.satisfiedBy(&goal.Slots[i], func(s *Sample, written, wanted VariableWord) {
			if matches++; matches <= maxMatches {
				m.offer(Attempt{d.after(r, s, written, wanted, &goal), goal.Origin})
			}
		})
	}
}

// equal reports whether two StateGoals want the same values for the same path.
func (d *StateGoal) equal(other StateGoal) bool {
	return d.Path == other.Path && slices.Equal(d.Slots, other.Slots)
}

// satisfiedBy calls yield with every sample that wrote the wanted value, to the
// wanted word or another of its variable.
func (d *Demand) satisfiedBy(goal *SlotGoal, yield func(s *Sample, written, wanted VariableWord)) {
	wanted := d.Preimages.Resolve(goal.Address, goal.Key)
	for _, callee := range d.writers[wanted.Variable] {
		for i := range d.samples[callee] {
			s := &d.samples[callee][i]
			for n, p := range s.Writes {
				if p.Variable == wanted.Variable && s.satisfies(n, wanted, goal) {
					yield(s, p, wanted)
				}
			}
		}
	}
}

// after returns the sequence of a sample, its prefix and the last Tx of a
// StateGoal. It reaches states of state machines.
func (d *Demand) after(r *rand.Rand, s *Sample, written, wanted VariableWord, goal *StateGoal) input.Sequence {
	tx, _ := d.alignTo(r, s.Tx, written, wanted)
	out := goal.Sequence
	out.Txs = append(slices.Clone(s.Prefix), tx, *goal.Sequence.Last())
	return out
}

// satisfyWith queues attempts for the StateGoals that a new sample satisfies.
func (d *Demand) satisfyWith(r *rand.Rand, s *Sample) {
	matches := 0
	for _, m := range d.order {
		for i := range m.goals {
			goal := &m.goals[i]
			for j := range goal.Slots {
				slot := &goal.Slots[j]
				wanted := d.Preimages.Resolve(slot.Address, slot.Key)
				for n, p := range s.Writes {
					if p.Variable != wanted.Variable || !s.satisfies(n, wanted, slot) || s.Before[n] == s.Values[n] {
						continue
					}
					if matches++; matches <= maxMatches {
						m.offer(Attempt{d.after(r, s, p, wanted, &goal.StateGoal), goal.Origin})
					}
				}
			}
		}
	}
}

// offer adds an attempt by a sample; the oldest one gives way.
func (m *Mark) offer(a Attempt) {
	if len(a.Sequence.Txs) > maxLength {
		return
	}
	if len(m.satisfied) == maxSatisfied {
		m.satisfied = slices.Delete(m.satisfied, 0, 1)
	}
	m.satisfied = append(m.satisfied, a)
}

// NextAttempt returns an untried sequence that may satisfy a StateGoal; false if there is
// none. Functions have turns, and every other turn is one of a function that never changed
// the state, so that the goals of a function wait neither for those of all others nor for
// the many samples that write what another one wants.
func (d *Demand) NextAttempt(r *rand.Rand) (Attempt, bool) {
	d.asked++
	for _, lacking := range [2]bool{d.asked%2 == 0, false} {
		for i := range d.order {
			m := d.order[(d.asked/2+i)%len(d.order)]
			if lacking && len(d.samples[m.Callee]) > 0 {
				continue
			}
			if a, ok := d.attempt(r, m); ok {
				return a, true
			}
		}
	}
	return Attempt{}, false
}

// attempt returns an untried sequence for a function; those by samples come first.
func (d *Demand) attempt(r *rand.Rand, m *Mark) (Attempt, bool) {
	if len(m.satisfied) > 0 {
		a := m.satisfied[0]
		m.satisfied = m.satisfied[1:]
		return a, true
	}
	if m.spent == d.found {
		return Attempt{}, false
	}
	for i := range m.goals {
		goal := &m.goals[i]
		for goal.tries < d.tries(goal) {
			goal.tries++
			if s, ok := d.satisfy(r, &goal.StateGoal, goal.tries-1); ok {
				return Attempt{s, goal.Origin}, true
			}
		}
	}
	m.spent = d.found
	return Attempt{}, false
}

// tries is how many attempts a goal gets. More functions that are found to write its slots
// give it more.
func (d *Demand) tries(goal *triedGoal) int {
	writers := 0
	for i := range goal.Slots {
		p := d.Preimages.Resolve(goal.Slots[i].Address, goal.Slots[i].Key)
		writers = max(writers, len(d.writers[p.Variable]))
	}
	return min(max(2*writers, minTries), maxTries)
}

// Mark marks callee: other values in slots led to a new path.
func (d *Demand) Mark(callee Callee, slots []evm.Slot) {
	m := d.marks[callee]
	if m == nil {
		m = &Mark{Callee: callee, spent: -1, weight: map[Variable]int{}, words: map[Variable]VariableWord{}}
		d.marks[callee] = m
		d.order = append(d.order, m)
	}
	for _, s := range slots {
		p := d.Preimages.Resolve(s.Address, s.Key)
		if m.weight[p.Variable] == 0 {
			m.variables = append(m.variables, p.Variable)
		}
		m.weight[p.Variable]++
		m.words[p.Variable] = p
	}
	m.credit = credits
}

// Marked lists the marks with credit, in order of marking. The list is valid until the next
// call.
func (d *Demand) Marked() []*Mark {
	d.live = d.live[:0]
	for _, m := range d.order {
		if m.credit > 0 {
			d.live = append(d.live, m)
		}
	}
	return d.live
}

// MarkOf returns the mark of a callee; nil if it has none or no credit.
func (d *Demand) MarkOf(callee Callee) *Mark {
	if m := d.marks[callee]; m != nil && m.credit > 0 {
		return m
	}
	return nil
}

// AddSample adds a successful transaction to the pool, with the slots it read
// and wrote and the values before and after. prefix is the Txs before it.
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
		known, ok := d.writers[w.Variable]
		if (ok || len(d.writers) < maxWritten) && !slices.Contains(known, callee) {
			d.writers[w.Variable] = append(d.writers[w.Variable], callee)
			d.found++
		}
	}
	d.samples[callee] = reservoir(r, d.samples[callee], s)
	d.satisfyWith(r, &s)
	if len(prefix) > 0 && s.Changed {
		d.sequences = reservoir(r, d.sequences, append(slices.Clone(prefix), tx))
	}
}

// LacksSample reports whether the pool has no transaction of callee that
// changed a value. The first transaction on a path often writes the value that
// was there.
func (d *Demand) LacksSample(callee Callee) bool {
	return !slices.ContainsFunc(d.samples[callee], func(s Sample) bool { return s.Changed })
}

// reservoir adds x to a pool; a full pool drops a random element.
func reservoir[T any](r *rand.Rand, pool []T, x T) []T {
	if len(pool) < poolSize {
		return append(pool, x)
	}
	pool[r.IntN(poolSize)] = x
	return pool
}
