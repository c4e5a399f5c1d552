package engine

import (
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/solc/layout"
)

// aggressive makes up some of the storage that the last Tx of an Entry reads
// [HARVEY 5].
func (c *campaign) aggressive() *candidate {
	if len(c.corpus.Entries) == 0 {
		return nil
	}
	e := c.anyEntry()
	if len(e.Reads) == 0 {
		return nil
	}
	a := c.child(e, e.Sequence, mutate.Diff{First: len(e.Sequence.Txs) - 1})
	for range 1 + c.random.IntN(2) {
		slot := e.Reads[c.random.IntN(len(e.Reads))]
		if slices.ContainsFunc(a.Storage, func(o exec.Override) bool { return o.Slot == slot }) {
			continue
		}
		a.Storage = append(a.Storage, c.madeUp(e, slot))
	}
	return a
}

// madeUp draws a storage word. Where the storage layout knows the variable,
// the word is one that the variable can hold.
func (c *campaign) madeUp(e *corpus.Entry, slot evm.Slot) exec.Override {
	states := c.statesOf(e)
	old := states[len(states)-1].World.Storage(slot.Address, slot.Key)
	pool := c.context.Pool(e.Function())
	fields := c.fieldsOf(slot)
	if len(fields) == 0 {
		word := input.RandomWord(c.random, input.WordType{Bits: 256}, pool)
		return exec.Override{Slot: slot, Value: word.Bytes32()}
	}
	f := fields[c.random.IntN(len(fields))]
	var value, word uint256.Int
	word.SetBytes32(old[:])
	name := isName(&f)
	switch f.Kind {
	case layout.KindAddress, layout.KindContract:
		address := c.context.Addresses.Draw(c.random)
		value.SetBytes20(address[:])
	case layout.KindBool:
		if value = f.Value(word); value.IsZero() {
			value.SetOne()
		} else {
			value.Clear()
		}
	default:
		value = c.amount(input.WordType{Bits: 8 * f.Width, Signed: f.Signed()}, pool)
	}
	word = f.Insert(word, value)
	mask := f.Insert(uint256.Int{}, *new(uint256.Int).SetAllOne())
	return exec.Override{Slot: slot, Value: word.Bytes32(), Mask: mask, Identity: name}
}

// usualBits is how large nearly all numbers in storage are that mean an amount:
// what is beyond it mostly overflows something.
const usualBits = 96

// amount draws a number: one that means something, or one of any magnitude,
// mostly of a usual one.
func (c *campaign) amount(t input.WordType, pool input.Pool) (value uint256.Int) {
	if c.random.IntN(2) == 0 {
		return input.RandomWord(c.random, t, pool)
	}
	bits := t.Bits
	if c.random.IntN(4) > 0 {
		bits = min(bits, usualBits)
	}
	value = uint256.Int{c.random.Uint64(), c.random.Uint64(), c.random.Uint64(), c.random.Uint64()}
	value.Rsh(&value, uint(255-c.random.IntN(bits)))
	return t.Wrap(&value)
}

// isName reports whether a variable's values are names: none is nearer to
// another than a third.
func isName(f *layout.Field) bool {
	return f.Kind == layout.KindAddress || f.Kind == layout.KindContract || f.Kind == layout.KindBool
}

// fieldsOf returns the variables that a storage word holds; nil if unknown.
func (c *campaign) fieldsOf(slot evm.Slot) []layout.Field {
	for _, d := range c.base.Contracts {
		if d.Address != slot.Address || d.Contract.Layout == nil {
			continue
		}
		var key uint256.Int
		key.SetBytes32(slot.Key[:])
		description, _ := d.Contract.Layout.Describe(key, c.demand.Preimages.Near)
		return description.Fields
	}
	return nil
}

// learnAggressive marks the function if made-up storage led to a new path; the
// input itself is thrown away, because no transactions may lead there
// [HARVEY 5]. What it would take is remembered as a Dream.
func (c *campaign) learnAggressive(r *result) {
	if r.easing != nil {
		r.easing.eased(r)
		c.ease(r.easing, r)
		return
	}
	known := c.corpus.Knows(r.Run.Path) || c.imagined[r.Run.Path]
	if known && !c.imaginedWrap(r) || r.Outcome.Slow || c.strays(r.Sequence.Last()) {
		return
	}
	c.imagined[r.Run.Path] = true
	for _, h := range r.Run.Hashed {
		c.demand.Preimages.Add(h)
	}
	r.source.stat.NewPaths++
	if dream := dreamOf(r); known {
		for i := range dream.Slots {
			dream.Slots[i].Accept = demand.Exact
		}
		c.demand.AddGoal(c.random, dream)
	} else {
		s := &easing{path: r.Run.Path, dream: dream}
		s.begin(0)
		c.ease(s, r)
	}
}

// dreamOf is what made a run with made-up storage come out as it did.
func dreamOf(r *result) demand.StateGoal {
	dream := demand.StateGoal{Sequence: r.Sequence, Path: uint64(r.Run.Path)}
	before := r.States[len(r.States)-1].World
	for _, o := range r.Storage {
		had := before.Storage(o.Slot.Address, o.Slot.Key)
		wish := demand.SlotGoal{Slot: o.Slot, Mask: o.Mask}
		wish.Have.SetBytes32(had[:])
		wish.Want.SetBytes32(o.Value[:])
		if !o.Identity {
			wish.Accept = demand.Beyond
		}
		dream.Slots = append(dream.Slots, wish)
	}
	return dream
}

// An easing finds out how little of a Dream it takes: made-up storage is far
// from the truth, and what no transaction brings about in full may be a matter
// of one unit. Each word is left as it is in truth, if that does, or moved
// towards that if it is a number, to distances that are powers of two, by
// halving the exponent, while the path stays.
type easing struct {
	path  cover.PathID
	dream demand.StateGoal // the easiest so far
	wish  int              // the one that is moved
	least int              // exponent of which all below are too little for it
	most  int              // exponent that does, or the first that is more than it takes
	tried int              // exponent that is tried; negative: the truth
}

// begin turns to the nth wish.
func (s *easing) begin(n int) {
	if s.wish, s.least, s.most = n, -1, 0; len(s.dream.Slots) == 1 {
		s.least = 0 // nothing made up is no Dream
	}
	if n < len(s.dream.Slots) && s.dream.Slots[n].Accept == demand.Beyond {
		far := s.dream.Slots[n].Distance()
		s.most = far.BitLen()
	}
}

// eased learns from a run that tried an exponent.
func (s *easing) eased(r *result) {
	switch kept := r.Outcome.Halt != evm.ErrCancelled && r.Run.Path == s.path; {
	case kept && s.tried < 0:
		s.dream = dreamOf(r)
		s.begin(s.wish)
	case kept:
		s.dream = dreamOf(r)
		s.most = s.tried
	default:
		s.least = s.tried + 1
	}
}

// ease tries the next exponent; r is the newest run. When nothing is left to
// move the Dream is handed to demand.
func (c *campaign) ease(s *easing, r *result) {
	for s.wish < len(s.dream.Slots) && s.least >= s.most {
		s.begin(s.wish + 1)
	}
	if s.wish == len(s.dream.Slots) {
		c.demand.AddGoal(c.random, s.dream)
		return
	}
	if s.tried = -1; s.least >= 0 {
		s.tried = (s.least + s.most) / 2
	}
	easier := *r.candidate
	easier.easing, easier.Storage = s, s.overrides()
	c.queue = append(c.queue, &easier)
}

// overrides puts the Dream's words in, the one that is moved at the distance
// that is tried.
func (s *easing) overrides() []exec.Override {
	var list []exec.Override
	for i, wish := range s.dream.Slots {
		switch {
		case i == s.wish && s.tried < 0:
			continue
		case i == s.wish:
			wish.Move(new(uint256.Int).Lsh(uint256.NewInt(1), uint(s.tried)))
		}
		list = append(list, exec.Override{Slot: wish.Slot, Value: wish.Want.Bytes32(), Mask: wish.Mask, Identity: wish.Accept == demand.Exact})
	}
	return list
}
