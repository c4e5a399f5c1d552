package engine

import (
	"slices"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/mutate"
	"leveret/engine/shadow"
	"leveret/solc/layout"
)

// A tangle is the storage that an open decision of an Entry depends on, as the
// product of what two tokens' balances grew by. One word alone may make no
// difference, so several are made up together.
type tangle struct {
	entry *corpus.Entry
	open  cover.Branch
	slots []evm.Slot
	tries int
}

// Bounds of the tangles that are remembered: for each outcome, and of the words
// of one, and of those that are made up at once.
const (
	tanglesEach   = 4
	maxTangled    = 12
	maxTangledNow = 4
)

// entangle remembers which storage a decision of the last Tx of e depends on.
func (c *campaign) entangle(e *corpus.Entry, open cover.Branch, d *shadow.Decision) {
	slots := storageOf(c.observer, d)
	if numbers := slices.DeleteFunc(slices.Clone(slots), c.holdsNames); len(numbers) > 0 {
		slots = numbers // what is asked who it is was not asked how much there is
	}
	if len(slots) == 0 || len(slots) > maxTangled {
		return
	}
	seen, first := 0, -1
	for i, t := range c.tangles {
		if t.open != open {
			continue
		}
		if t.entry == e {
			return
		}
		if seen++; first < 0 {
			first = i
		}
	}
	if seen == tanglesEach {
		c.tangles = slices.Delete(c.tangles, first, first+1)
	}
	c.tangles = append(c.tangles, tangle{entry: e, open: open, slots: slots})
}

// holdsNames reports whether all that a storage word holds are names.
func (c *campaign) holdsNames(slot evm.Slot) bool {
	fields := c.fieldsOf(slot)
	return len(fields) > 0 && !slices.ContainsFunc(fields, func(f layout.Field) bool { return !isName(&f) })
}

// untangle makes up several of the words that an open decision depends on;
// nil if there is none.
func (c *campaign) untangle() *candidate {
	c.tangles = slices.DeleteFunc(c.tangles, func(t tangle) bool { return c.corpus.Covered(t.open) })
	if len(c.tangles) == 0 {
		return nil
	}
	t := &c.tangles[c.random.IntN(len(c.tangles))]
	if other := &c.tangles[c.random.IntN(len(c.tangles))]; other.tries < t.tries {
		t = other
	}
	t.tries++
	a := c.child(t.entry, t.entry.Sequence, mutate.Diff{First: len(t.entry.Sequence.Txs) - 1})
	order := c.random.Perm(len(t.slots))
	for _, i := range order[:1+c.random.IntN(min(len(order), maxTangledNow))] {
		a.Storage = append(a.Storage, c.madeUp(t.entry, t.slots[i]))
	}
	return a
}
