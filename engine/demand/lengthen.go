package demand

import (
	"math/rand/v2"
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/input"
)

// Lengthen returns a longer sequence that ends with the last Tx of s, whose
// function must be marked: it inserts a Tx that writes a wanted variable or,
// now and then, replaces the prefix by a pooled sequence, as HARVEY does. The
// int is the index of the first new Tx. reads are the slots that the last Tx of
// s read.
func (d *Demand) Lengthen(r *rand.Rand, s input.Sequence, reads []evm.Slot) (input.Sequence, int, bool) {
	last := s.Last()
	m := d.MarkOf(CalleeOf(last))
	if m == nil {
		return s, 0, false
	}
	m.credit--
	if len(m.goals) > 0 && r.IntN(2) == 0 {
		s, ok := d.satisfy(r, &m.goals[r.IntN(len(m.goals))].StateGoal, -1)
		return s, 0, ok // the StateGoal has its own prefix
	}
	if len(d.sequences) > 0 && r.IntN(6) == 0 {
		prefix := d.sequences[r.IntN(len(d.sequences))]
		s.Txs = append(slices.Clone(prefix), *last)
		return s, 0, len(s.Txs) <= maxLength
	}
	at := len(s.Txs) - 1
	wanted, ok := m.choose(r)
	if here, _, found := find(r, d.Resolve(reads), wanted.Variable); found {
		wanted = here
	}
	if at > 0 && r.IntN(3) == 0 { // serve an earlier Tx instead
		at = r.IntN(at)
		wanted, ok = d.readBy(r, &s.Txs[at])
	}
	if !ok {
		return s, 0, false
	}
	chain, written := d.chain(d.chained[:0], r, wanted, nil, 0, -1)
	d.chained = chain
	if len(chain) == 0 || len(s.Txs)+len(chain) > maxLength {
		return s, 0, false
	}
	before := len(chain) + at
	aligned, touched := d.alignTo(r, s.Txs[at], wanted, written)
	agree(&chain[len(chain)-1], &aligned, touched, written)
	s.Txs = slices.Concat(s.Txs[:at], chain, s.Txs[at:])
	s.Txs[before] = aligned
	return s, at, true
}

// Precede inserts a Tx before the last one of s that writes something the last
// one read, whether or not other values lead to a new path.
func (d *Demand) Precede(r *rand.Rand, s input.Sequence, reads []evm.Slot) (input.Sequence, bool) {
	wanted, ok := pickPlace(r, d.Resolve(reads))
	if !ok {
		return s, false
	}
	chain, _ := d.chain(d.chained[:0], r, wanted, nil, 0, -1)
	d.chained = chain
	if len(chain) == 0 || len(s.Txs)+len(chain) > maxLength {
		return s, false
	}
	at := len(s.Txs) - 1
	s.Txs = slices.Concat(s.Txs[:at:at], chain, s.Txs[at:])
	return s, true
}

// satisfy returns a sequence for a StateGoal: Txs that write the wanted values,
// then its last Tx. A turn that is not negative selects the writing function in
// rotation.
func (d *Demand) satisfy(r *rand.Rand, goal *StateGoal, turn int) (input.Sequence, bool) {
	s := goal.Sequence
	if len(s.Txs) > 1 && (turn < 0 || turn >= minTries) && r.IntN(2) == 0 { // the prefix may prevent it
		s.Txs = s.Txs[len(s.Txs)-1:]
	}
	before, last := len(s.Txs)-1, *s.Last()
	txs := append(d.chained[:0], s.Txs[:before]...)
	for i := range goal.Slots {
		slot := &goal.Slots[i]
		wanted := d.Preimages.Resolve(slot.Address, slot.Key)
		at := len(txs)
		longer, written := d.chain(txs, r, wanted, slot, 0, turn)
		if txs = longer[:at]; len(longer) == at || len(longer) >= maxLength {
			continue
		}
		txs = longer
		aligned, touched := d.alignTo(r, last, wanted, written)
		agree(&txs[len(txs)-1], &aligned, touched, written)
		last = aligned
	}
	d.chained = txs
	if len(txs) == before {
		return s, false
	}
	s.Txs = slices.Concat(txs, []input.Tx{last})
	return s, true
}

// choose draws a wanted variable, weighted by how often it mattered.
func (m *Mark) choose(r *rand.Rand) (VariableWord, bool) {
	total := 0
	for _, c := range m.variables {
		total += m.weight[c]
	}
	if total == 0 {
		return VariableWord{}, false
	}
	n := r.IntN(total)
	for _, c := range m.variables {
		if n -= m.weight[c]; n < 0 {
			return m.words[c], true
		}
	}
	panic("demand: weights do not add up")
}

// readBy draws a variable that a pooled transaction of the same function read.
func (d *Demand) readBy(r *rand.Rand, tx *input.Tx) (VariableWord, bool) {
	samples := d.samples[CalleeOf(tx)]
	if len(samples) == 0 {
		return VariableWord{}, false
	}
	s := &samples[r.IntN(len(samples))]
	return pickPlace(r, s.Reads)
}

func pickPlace(r *rand.Rand, places []VariableWord) (VariableWord, bool) {
	if len(places) == 0 {
		return VariableWord{}, false
	}
	return places[r.IntN(len(places))], true
}

// maxChain bounds how far back demand is followed.
const maxChain = 4

// chain appends transactions the last of which writes a word of the wanted
// variable, and returns that word; the ones before it write what it reads. If
// goal is not nil, the last one is changed to write the wanted value. A turn that
// is not negative selects the writer; it alternates between the changed and the
// original transaction.
func (d *Demand) chain(txs []input.Tx, r *rand.Rand, wanted VariableWord, goal *SlotGoal, depth, turn int) ([]input.Tx, VariableWord) {
	writers := d.writers[wanted.Variable]
	if len(writers) == 0 {
		return txs, wanted
	}
	writer, change := r.IntN(len(writers)), r.IntN(2) == 0
	if turn >= 0 {
		writer, change = turn%len(writers), turn/len(writers)%2 == 0
	}
	s := d.sample(r, writers[writer], wanted.Variable)
	if s == nil {
		return txs, wanted
	}
	if !change { // unchanged: the original may suffice
		goal = nil
	}
	tx, written, times := d.touch(r, s, wanted, goal)
	if depth+1 < maxChain && r.IntN(2) == 0 {
		if before, ok := pickPlace(r, s.Reads); ok && before.Variable != wanted.Variable {
			txs, _ = d.chain(txs, r, before, nil, depth+1, -1)
			return repeated(txs, tx, times), written
		}
	}
	if times == 1 && accumulates(s, wanted.Variable) && r.IntN(4) == 0 {
		times += 1 << r.IntN(maxDoublings)
	}
	return repeated(txs, tx, times), written
}

// repeated appends copies of a transaction.
func repeated(txs []input.Tx, tx input.Tx, times int) []input.Tx {
	for range times {
		txs = append(txs, tx)
	}
	return txs
}

// touch changes the sample's Tx so that it writes the wanted word, as far as
// its keys can be replaced, with the wanted value, at once or by repetition. Of
// several words of the variable, such as the balances on both sides of a
// transfer, it takes one that can become the wanted one.
func (d *Demand) touch(r *rand.Rand, s *Sample, wanted VariableWord, goal *SlotGoal) (tx input.Tx, written VariableWord, times int) {
	var fits []int
	for n := range s.Writes {
		if s.Writes[n].Variable != wanted.Variable {
			continue
		}
		if _, at := d.alignTo(r, s.Tx, s.Writes[n], wanted); slices.Equal(at.Keys, wanted.Keys) {
			fits = append(fits, n)
		}
	}
	written, n, _ := find(r, s.Writes, wanted.Variable)
	if len(fits) > 0 {
		n = fits[r.IntN(len(fits))]
		written = s.Writes[n]
	}
	tx, times = s.Tx, 1
	if goal != nil && !s.satisfies(n, wanted, goal) {
		if times = s.times(n, goal); times == 1 || r.IntN(2) == 0 {
			tx, times = s.writing(r, n, goal), 1
		}
	}
	if r.IntN(8) != 0 {
		tx, written = d.alignTo(r, tx, written, wanted)
	}
	return tx, written, times
}

// satisfies reports whether the sample leaves the wanted value when aligned
// with the wanted word: the value that it wrote elsewhere or, if it
// accumulates, the same difference.
func (s *Sample) satisfies(n int, wanted VariableWord, goal *SlotGoal) bool {
	left := s.Values[n]
	if !slices.Equal(s.Writes[n].Keys, wanted.Keys) && accumulates(s, wanted.Variable) {
		left.Sub(&left, &s.Before[n])
		left.Add(&left, &goal.Have)
	}
	return goal.satisfied(&left)
}

// accumulates reports whether s reads the variable that it writes.
func accumulates(s *Sample, c Variable) bool {
	return slices.ContainsFunc(s.Reads, func(p VariableWord) bool { return p.Variable == c })
}

// maxDoublings bounds the repetitions, in powers of two, of a transaction that
// accumulates. Counters and sums reach the wanted value only by repetition, on
// the same path each time.
const maxDoublings = 5

// times is how often s has to run for an accumulated word to reach the wanted
// value; 1 if that is not possible.
func (s *Sample) times(n int, goal *SlotGoal) int {
	var step, way, rest uint256.Int
	step.Sub(&s.Values[n], &s.Before[n])
	way.Sub(&goal.Want, &goal.Have)
	if step.Sign() < 0 {
		step.Neg(&step)
		way.Neg(&way)
	}
	if step.IsZero() {
		return 1
	}
	if way.DivMod(&way, &step, &rest); !rest.IsZero() || way.IsZero() || way.GtUint64(maxRepeat) {
		return 1
	}
	return int(way.Uint64())
}

// maxRepeat bounds the copies of a Tx that counts up or down.
const maxRepeat = maxLength / 2

// sample draws a pooled transaction of callee that writes a word of variable c,
// preferably one that changed a value.
func (d *Demand) sample(r *rand.Rand, callee Callee, c Variable) *Sample {
	var chosen *Sample
	weight := 0
	for i := range d.samples[callee] {
		s := &d.samples[callee][i]
		if !slices.ContainsFunc(s.Writes, func(p VariableWord) bool { return p.Variable == c }) {
			continue
		}
		w := 1
		if s.Changed {
			w = 6
		}
		if weight += w; r.IntN(weight) < w {
			chosen = s
		}
	}
	return chosen
}

// writing changes the sample's Tx so that it may write the wanted value to its
// nth word: it sets the argument that equals the word or the change of the
// word, or any number, to the wanted value or the difference.
func (s *Sample) writing(r *rand.Rand, n int, goal *SlotGoal) input.Tx {
	up, down := new(uint256.Int).Sub(&s.Values[n], &s.Before[n]), new(uint256.Int).Sub(&s.Before[n], &s.Values[n])
	far := goal.Distance()
	var chosen *input.Parameter
	var put uint256.Int
	seen, sure := 0, false
	params := input.Parameters(&s.Tx)
	for i := range params {
		p := &params[i]
		if p.Kind != input.ParamArg && p.Kind != input.ParamWei {
			continue
		}
		value, exact := goal.Want, true
		switch have := input.Get(&s.Tx, p); {
		case have == s.Values[n]:
		case !have.IsZero() && (have == *up || have == *down):
			value = far
		default:
			if exact = false; r.IntN(2) == 0 {
				value = far
			}
		}
		if p.Word.Wrap(&value) != value || sure && !exact {
			continue
		}
		if exact && !sure {
			seen, sure = 0, true
		}
		if seen++; r.IntN(seen) == 0 {
			chosen, put = p, value
		}
	}
	if chosen == nil {
		return s.Tx
	}
	return input.Set(&s.Tx, chosen, put)
}

// find draws a word of variable c and returns its index. A transfer writes the
// balances of sender and receiver, and only one of them may be in demand.
func find(r *rand.Rand, places []VariableWord, c Variable) (place VariableWord, n int, ok bool) {
	seen := 0
	for i, p := range places {
		if p.Variable != c {
			continue
		}
		if seen++; r.IntN(seen) == 0 {
			place, n, ok = p, i, true
		}
	}
	return place, n, ok
}

// alignTo changes tx, which touched the word have of a mapping, so that it
// touches want of the same mapping. It replaces the key wherever it appears as
// an argument or as the actor's address; if a key is a hash, such as an
// order's, it replaces the preimage. It returns the word that tx then touches,
// as far as keys could be replaced.
func (d *Demand) alignTo(r *rand.Rand, tx input.Tx, have, want VariableWord) (input.Tx, VariableWord) {
	if len(have.Keys) != len(want.Keys) {
		return tx, have
	}
	if len(have.Keys) == 0 {
		return tx, have
	}
	have.Keys = slices.Clone(have.Keys)
	a := aligning{tx: tx, params: d.lister.Of(&tx)}
	for i := range have.Keys {
		if a.replace(r, &have.Keys[i], &want.Keys[i]) || d.rehash(&a, have.Keys[i], want.Keys[i]) {
			have.Keys[i] = want.Keys[i]
		}
	}
	return a.tx, have
}

// agree gives a Tx that writes a word the arguments of the one that reads it, if that
// could not be aligned and takes bytes that hold values: the key may be the hash of
// all of them, as that of a scheduled call.
func agree(writer, reader *input.Tx, touched, written VariableWord) {
	if reader.Function.Nests() && !slices.Equal(touched.Keys, written.Keys) {
		*writer, _ = writer.Agreeing(reader)
	}
}

// UnwrittenGoal draws a StateGoal with a word that no known transaction writes,
// and the index of that word.
func (d *Demand) UnwrittenGoal(r *rand.Rand) (goal StateGoal, which int, ok bool) {
	seen := 0
	for _, m := range d.order {
		for _, candidate := range m.goals {
			for i, p := range d.Resolve(candidate.slots()) {
				if len(d.writers[p.Variable]) > 0 {
					continue
				}
				if seen++; r.IntN(seen) == 0 {
					goal, which, ok = candidate.StateGoal, i, true
				}
			}
		}
	}
	return goal, which, ok
}
