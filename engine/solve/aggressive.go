package solve

import (
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/direct"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/mutate"
	"leveret/engine/search"
)

// Aggressive overrides storage that the last transaction of an entry reads
// [HARVEY 5]. A new path marks the function and becomes a state goal; the input
// itself is dropped, because no transactions may lead to that state.
type Aggressive struct {
	search     *search.Search
	guide      *direct.Guide
	wraps      *Wraps
	values     *storageValues
	paths      map[cover.PathID]bool // that only overridden storage led to
	minimisers map[*search.Candidate]*goalMinimiser
}

// maxSupposed bounds the paths that are remembered.
const maxSupposed = 1 << 17

// Next overrides one or two words.
func (a *Aggressive) Next() *search.Candidate {
	random, entries := a.search.Generator.Random, a.search.Corpus.Entries
	if len(entries) == 0 {
		return nil
	}
	e := a.guide.AnyEntry(a.search.Corpus, random)
	if len(e.Reads) == 0 {
		return nil
	}
	next := a.search.Corpus.Child(e, e.Sequence, mutate.Diff{First: len(e.Sequence.Txs) - 1})
	for range 1 + random.IntN(2) {
		slot := e.Reads[random.IntN(len(e.Reads))]
		if slices.ContainsFunc(next.Storage, func(o exec.Override) bool { return o.Slot == slot }) {
			continue
		}
		next.Storage = append(next.Storage, a.values.draw(e, slot))
	}
	return next
}

// Learn makes state goals of the results with overridden storage.
func (a *Aggressive) Learn(r *search.Result) {
	m := a.minimisers[r.Candidate]
	delete(a.minimisers, r.Candidate)
	if r.Storage == nil || r.PrefixFailed {
		return
	}
	if m != nil {
		m.learn(r)
		a.minimise(m, r.Candidate)
		return
	}
	known := a.search.Corpus.Knows(r.Run.Path) || a.paths[r.Run.Path]
	if known && !a.wraps.isNewWithStorage(r) || r.Outcome.Slow || a.guide.SkipsTx(r.Sequence.Last()) {
		return
	}
	if len(a.paths) >= maxSupposed {
		clear(a.paths)
	}
	a.paths[r.Run.Path] = true
	for _, h := range r.Run.Hashed {
		a.search.Generator.Demand.Preimages.Add(h)
	}
	r.Origin.Stat.NewPaths++
	goal := goalOf(r)
	if known {
		for i := range goal.Slots {
			goal.Slots[i].Accept = demand.Exact
		}
		a.search.Generator.Demand.AddGoal(a.search.Generator.Random, goal)
		return
	}
	m = &goalMinimiser{path: r.Run.Path, goal: goal}
	m.begin(0)
	a.minimise(m, r.Candidate)
}

// Repeat goes on with the next exponent after one that was tried before: had the
// path been the goal's, it would have been known when the goal was new.
func (a *Aggressive) Repeat(r *search.Repeat) {
	if m := a.minimisers[r.Candidate]; m != nil {
		delete(a.minimisers, r.Candidate)
		m.least = m.tried + 1
		a.minimise(m, r.Candidate)
	}
}

// goalOf returns the state goal that a run with overridden storage stands for.
func goalOf(r *search.Result) demand.StateGoal {
	goal := demand.StateGoal{Sequence: r.Sequence, Path: uint64(r.Run.Path)}
	for _, o := range r.Storage {
		had := r.Before().Storage(o.Slot.Address, o.Slot.Key)
		slot := demand.SlotGoal{Slot: evm.Slot(o.Slot), Mask: o.Mask}
		slot.Have.SetBytes32(had[:])
		slot.Want.SetBytes32(o.Value[:])
		if !o.Identity {
			slot.Accept = demand.Beyond
		}
		goal.Slots = append(goal.Slots, slot)
	}
	return goal
}

// A goalMinimiser finds how little of a state goal is needed: overridden storage
// is far from the real state, and what no transaction can reach in full may need
// one unit. While the path stays, each slot goal is dropped, or, if it is a
// number, moved towards the real value, to distances that are powers of two, by
// halving the exponent.
type goalMinimiser struct {
	path  cover.PathID
	goal  demand.StateGoal // the smallest so far
	slot  int              // slot goal that is moved
	least int              // all smaller exponents are too little
	most  int              // an exponent that suffices, or the first that is more than needed
	tried int              // exponent that is tried; negative: the real value
}

// begin turns to the nth slot goal.
func (m *goalMinimiser) begin(n int) {
	if m.slot, m.least, m.most = n, -1, 0; len(m.goal.Slots) == 1 {
		m.least = 0 // without any override there is no goal
	}
	if n < len(m.goal.Slots) && m.goal.Slots[n].Accept == demand.Beyond {
		distance := m.goal.Slots[n].Distance()
		m.most = distance.BitLen()
	}
}

// learn learns from the run that tried an exponent.
func (m *goalMinimiser) learn(r *search.Result) {
	switch kept := !r.Outcome.Unfinished() && r.Run.Path == m.path; {
	case kept && m.tried < 0:
		m.goal = goalOf(r)
		m.begin(m.slot)
	case kept:
		m.goal = goalOf(r)
		m.most = m.tried
	default:
		m.least = m.tried + 1
	}
}

// minimise tries the next exponent; last is the newest run. When nothing is left
// to move, demand gets the goal.
func (a *Aggressive) minimise(m *goalMinimiser, last *search.Candidate) {
	for m.slot < len(m.goal.Slots) && m.least >= m.most {
		m.begin(m.slot + 1)
	}
	if m.slot == len(m.goal.Slots) {
		a.search.Generator.Demand.AddGoal(a.search.Generator.Random, m.goal)
		return
	}
	if m.tried = -1; m.least >= 0 {
		m.tried = (m.least + m.most) / 2
	}
	smaller := *last
	smaller.Storage = m.overrides()
	a.minimisers[&smaller] = m
	a.search.Queue.Add(&smaller)
}

// overrides returns the storage of the goal, the slot goal that is moved at the
// distance that is tried.
func (m *goalMinimiser) overrides() []exec.Override {
	var list []exec.Override
	for i, goal := range m.goal.Slots {
		switch {
		case i == m.slot && m.tried < 0:
			continue
		case i == m.slot:
			goal.Move(new(uint256.Int).Lsh(uint256.NewInt(1), uint(m.tried)))
		}
		list = append(list, exec.Override{Slot: evm.Slot(goal.Slot), Value: goal.Want.Bytes32(), Mask: goal.Mask, Identity: goal.Accept == demand.Exact})
	}
	return list
}
