package demand

import (
	"bytes"
	"math/rand/v2"
	"slices"

	"leveret/engine/evm"
	"leveret/engine/input"
)

// Effects are what matters for some storage words, by regression over writes: the
// variables of the words, the known calls that change them, what these read, the
// calls that change that, and so on.
type Effects struct {
	Variables map[Variable]bool
	Calls     []input.Tx // each of a sample; those that change the first words come first
}

// Bounds of Effects: variables, calls of all functions, and calls of one.
const (
	maxEffectVariables = 24
	maxEffectCalls     = 48
	maxEffectsOfOne    = 8
)

// Effects returns what matters for words that were read. Of calls that differ only
// in their sender or have the same effect, it takes few; a call whose sender is a
// key or a value of the storage is made by all senders.
func (d *Demand) Effects(read []evm.Slot) Effects {
	e := Effects{Variables: map[Variable]bool{}}
	var order []Variable
	add := func(words []VariableWord) {
		for _, w := range words {
			if !e.Variables[w.Variable] && len(order) < maxEffectVariables {
				e.Variables[w.Variable] = true
				order = append(order, w.Variable)
			}
		}
	}
	add(d.Resolve(read))
	seen, counts, taken := map[uint64]bool{}, map[Callee]int{}, map[*Sample]bool{}
	for i := 0; i < len(order); i++ {
		for _, callee := range d.writers[order[i]] {
			samples := d.samples[callee]
			for j := range samples {
				if s := &samples[j]; !taken[s] && s.changes(order[i]) {
					taken[s] = true
					add(s.Reads)
					e.add(s, seen, counts)
				}
			}
		}
	}
	return e
}

// changes reports whether a sample changed a word of a variable.
func (s *Sample) changes(v Variable) bool {
	for n, w := range s.Writes {
		if w.Variable == v && s.Before[n] != s.Values[n] {
			return true
		}
	}
	return false
}

// add adds the call of a sample, by all senders if it names its own.
func (e *Effects) add(s *Sample, seen map[uint64]bool, counts map[Callee]int) {
	callee := CalleeOf(&s.Tx)
	full := func() bool { return counts[callee] >= maxEffectsOfOne || len(e.Calls) >= maxEffectCalls }
	if full() {
		return
	}
	senders := []input.Actor{s.Tx.From}
	if s.namesSender() {
		senders = append(senders, s.Tx.Function.MaySend()...)
	}
	for _, from := range senders {
		if full() {
			return
		}
		tx := s.Tx
		tx.From = from
		digest := input.DigestTx(input.NoTxs, &tx)
		if seen[digest] {
			continue
		}
		seen[digest] = true
		counts[callee]++
		e.Calls = append(e.Calls, tx)
	}
}

// namesSender reports whether the storage that a sample touched has its sender as a
// key or in a value.
func (s *Sample) namesSender() bool {
	sender := s.Tx.From.Address()
	for _, words := range [][]VariableWord{s.Reads, s.Writes} {
		for i := range words {
			for k := range words[i].Keys {
				if words[i].Keys[k].Bytes20() == sender {
					return true
				}
			}
		}
	}
	for i := range s.Writes {
		before, after := s.Before[i].Bytes32(), s.Values[i].Bytes32()
		if bytes.Contains(before[:], sender[:]) || bytes.Contains(after[:], sender[:]) {
			return true
		}
	}
	return false
}

// Writing returns calls that may write what a slot goal wants, one of each function
// that writes its variable.
func (d *Demand) Writing(r *rand.Rand, goal *SlotGoal) (calls []input.Tx) {
	wanted := d.Preimages.Resolve(goal.Address, goal.Key)
	for _, callee := range d.writers[wanted.Variable] {
		s := d.sample(r, callee, wanted.Variable)
		if s == nil || len(calls) == maxEffectsOfOne {
			continue
		}
		tx, _, _ := d.touch(r, s, wanted, goal)
		calls = append(calls, tx)
	}
	return calls
}

// Elsewhere changes a call that reads some words so that it reads another word of
// one of their mappings, which a known call wrote; false if there is none.
func (d *Demand) Elsewhere(r *rand.Rand, tx input.Tx, read []evm.Slot) (input.Tx, bool) {
	var have, want VariableWord
	found := 0
	for _, word := range d.Resolve(read) {
		if len(word.Keys) == 0 {
			continue
		}
		for _, callee := range d.writers[word.Variable] {
			for i := range d.samples[callee] {
				for _, written := range d.samples[callee][i].Writes {
					if written.Variable != word.Variable || slices.Equal(written.Keys, word.Keys) {
						continue
					}
					if found++; r.IntN(found) == 0 {
						have, want = word, written
					}
				}
			}
		}
	}
	if found == 0 {
		return tx, false
	}
	aligned, _ := d.alignTo(r, tx, have, want)
	return aligned, true
}
