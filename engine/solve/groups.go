package solve

import (
	"slices"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/mutate"
	"leveret/engine/search"
)

// SlotGroups override several storage words at once: those that an uncovered
// decision depends on, such as the product of two balances. One word alone may
// make no difference.
type SlotGroups struct {
	search *search.Search
	values *storageValues
	groups []slotGroup
}

type slotGroup struct {
	entry *corpus.Entry
	open  cover.Branch
	slots []evm.Slot
	tries int
}

// Bounds of the groups: for each branch, of the words of one, and of those that
// are overridden at once.
const (
	groupsPerBranch = 4
	maxGroupSlots   = 12
	maxOverridden   = 4
)

// add remembers the storage that a decision of e depends on. Words that hold
// addresses or flags are identity checks; they are left out if there are others.
func (g *SlotGroups) add(e *corpus.Entry, open cover.Branch, slots []evm.Slot) {
	if numbers := slices.DeleteFunc(slices.Clone(slots), g.values.isIdentity); len(numbers) > 0 {
		slots = numbers
	}
	if len(slots) == 0 || len(slots) > maxGroupSlots {
		return
	}
	seen, first := 0, -1
	for i, group := range g.groups {
		if group.open != open {
			continue
		}
		if group.entry == e {
			return
		}
		if seen++; first < 0 {
			first = i
		}
	}
	if seen == groupsPerBranch {
		g.groups = slices.Delete(g.groups, first, first+1)
	}
	g.groups = append(g.groups, slotGroup{entry: e, open: open, slots: slots})
}

// Next overrides several words of a group; nil if there is none.
func (g *SlotGroups) Next() *search.Candidate {
	random := g.search.Generator.Random
	g.groups = slices.DeleteFunc(g.groups, func(group slotGroup) bool { return g.search.Corpus.Covered(group.open) })
	if len(g.groups) == 0 {
		return nil
	}
	group := &g.groups[random.IntN(len(g.groups))]
	if other := &g.groups[random.IntN(len(g.groups))]; other.tries < group.tries {
		group = other
	}
	group.tries++
	next := g.search.Corpus.Child(group.entry, group.entry.Sequence, mutate.Diff{First: len(group.entry.Sequence.Txs) - 1})
	order := random.Perm(len(group.slots))
	for _, i := range order[:1+random.IntN(min(len(order), maxOverridden))] {
		next.Storage = append(next.Storage, g.values.draw(group.entry, group.slots[i]))
	}
	return next
}
