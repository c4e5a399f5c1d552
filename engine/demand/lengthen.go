package demand

import (
	"math/rand/v2"
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// Lengthen makes a longer sequence that ends in the last Tx of s, which must
// call a marked function: it inserts a Tx that writes what is wanted, now and
// then replaces the whole prefix by a sequence of the pool, as HARVEY does.
// The int is the first Tx that is new.
func (d *Demand) Lengthen(r *rand.Rand, s input.Sequence) (input.Sequence, int, bool) {
	last := s.Last()
	m := d.Of(CalleeOf(last))
	if m == nil {
		return s, 0, false
	}
	m.credit--
	if len(d.sequences) > 0 && r.IntN(6) == 0 {
		prefix := d.sequences[r.IntN(len(d.sequences))]
		s.Txs = append(slices.Clone(prefix), *last)
		return s, 0, len(s.Txs) <= maxLength
	}
	at := len(s.Txs) - 1
	wanted, ok := m.choose(r)
	if at > 0 && r.IntN(3) == 0 { // something that an earlier Tx wants
		at = r.IntN(at)
		wanted, ok = d.readBy(r, &s.Txs[at])
	}
	if !ok {
		return s, 0, false
	}
	chain := d.chain(r, wanted, 0)
	if len(chain) == 0 || len(s.Txs)+len(chain) > maxLength {
		return s, 0, false
	}
	if r.IntN(2) == 0 {
		s.Txs = slices.Clone(s.Txs)
		s.Txs[at] = alignTo(s.Txs[at], wanted, d.written(&chain[len(chain)-1], wanted.Class))
	}
	s.Txs = slices.Concat(s.Txs[:at], chain, s.Txs[at:])
	return s, at, true
}

// choose picks a wanted variable, those that mattered more often more likely.
func (m *Mark) choose(r *rand.Rand) (Place, bool) {
	total := 0
	for _, c := range m.wanted {
		total += m.weight[c]
	}
	if total == 0 {
		return Place{}, false
	}
	n := r.IntN(total)
	for _, c := range m.wanted {
		if n -= m.weight[c]; n < 0 {
			return m.places[c], true
		}
	}
	panic("demand: weights do not add up")
}

// readBy picks a variable that a pooled transaction of the same function read.
func (d *Demand) readBy(r *rand.Rand, tx *input.Tx) (Place, bool) {
	samples := d.samples[CalleeOf(tx)]
	if len(samples) == 0 {
		return Place{}, false
	}
	s := &samples[r.IntN(len(samples))]
	return pickPlace(r, s.Reads)
}

func pickPlace(r *rand.Rand, places []Place) (Place, bool) {
	if len(places) == 0 {
		return Place{}, false
	}
	return places[r.IntN(len(places))], true
}

// maxChain bounds how far back demand is followed.
const maxChain = 4

// chain returns transactions the last of which writes wanted; those before it
// write what it reads.
func (d *Demand) chain(r *rand.Rand, wanted Place, depth int) []input.Tx {
	writers := d.writers[wanted.Class]
	if len(writers) == 0 {
		return nil
	}
	samples := d.samples[writers[r.IntN(len(writers))]]
	if len(samples) == 0 {
		return nil
	}
	s := &samples[r.IntN(len(samples))]
	tx := s.Tx
	if have, ok := find(s.Writes, wanted.Class); ok && r.IntN(4) != 0 {
		tx = alignTo(tx, have, wanted)
	}
	if depth+1 < maxChain && r.IntN(2) == 0 {
		if before, ok := pickPlace(r, s.Reads); ok && before.Class != wanted.Class {
			return append(d.chain(r, before, depth+1), tx)
		}
	}
	return []input.Tx{tx}
}

func find(places []Place, c Class) (Place, bool) {
	for _, p := range places {
		if p.Class == c {
			return p, true
		}
	}
	return Place{}, false
}

// written returns the word of class c that the pooled transactions of tx's
// function write; the zero Place if none does.
func (d *Demand) written(tx *input.Tx, c Class) Place {
	for _, s := range d.samples[CalleeOf(tx)] {
		if p, ok := find(s.Writes, c); ok {
			return p
		}
	}
	return Place{}
}

// alignTo changes tx, which touched the word have of a mapping, so that it
// touches want of the same mapping: wherever a key appears as an argument, or
// as the actor's address, the wanted key is put in its place.
func alignTo(tx input.Tx, have, want Place) input.Tx {
	if len(have.Keys) != len(want.Keys) {
		return tx
	}
	for i := range have.Keys {
		if have.Keys[i] != want.Keys[i] {
			tx = substitute(tx, &have.Keys[i], &want.Keys[i])
		}
	}
	return tx
}

func substitute(tx input.Tx, have, want *uint256.Int) input.Tx {
	params := input.Parameters(&tx)
	for i := range params {
		p := &params[i]
		if p.Kind == input.ParamArg && input.Get(&tx, p) == *have && p.Word.Wrap(want) == *want {
			return input.Set(&tx, p, *want)
		}
	}
	if actor, ok := input.ActorOf(have.Bytes20()); ok && actor == tx.From {
		if other, ok := input.ActorOf(want.Bytes20()); ok {
			tx.From = other
		}
	}
	return tx
}
