package engine

import (
	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
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
	a := c.child(e, e.Sequence, mutate.Change{First: len(e.Sequence.Txs) - 1})
	for range 1 + c.random.IntN(2) {
		slot := e.Reads[c.random.IntN(len(e.Reads))]
		a.storage = append(a.storage, c.madeUp(e, slot))
	}
	return a
}

// madeUp draws a storage word. Where the storage layout knows the variable,
// the word is one that the variable can hold.
func (c *campaign) madeUp(e *corpus.Entry, slot cover.Slot) override {
	states := c.statesOf(e)
	old := states[len(states)-1].world.Storage(slot.Address, slot.Key)
	pool := c.context.Pool(e.Function())
	fields := c.fieldsOf(slot)
	if len(fields) == 0 {
		word := input.RandomWord(c.random, input.WordType{Bits: 256}, pool)
		return override{slot: slot, value: word.Bytes32()}
	}
	f := fields[c.random.IntN(len(fields))]
	var value, word uint256.Int
	word.SetBytes32(old[:])
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
		value = input.RandomWord(c.random, input.WordType{Bits: 8 * f.Width, Signed: f.Signed()}, pool)
	}
	word = f.Insert(word, value)
	mask := f.Insert(uint256.Int{}, *new(uint256.Int).SetAllOne())
	return override{slot: slot, value: word.Bytes32(), mask: mask}
}

// fieldsOf returns the variables that a storage word holds; nil if unknown.
func (c *campaign) fieldsOf(slot cover.Slot) []layout.Field {
	for _, d := range c.base.contracts {
		if d.address != slot.Address || d.contract.Layout == nil {
			continue
		}
		var key uint256.Int
		key.SetBytes32(slot.Key[:])
		description, _ := d.contract.Layout.Describe(key, c.demand.Preimages.Near)
		return description.Fields
	}
	return nil
}

// learnAggressive marks the function if made-up storage led to a new path; the
// input itself is thrown away, because no transactions may lead there
// [HARVEY 5]. What it would take is remembered as a Dream.
func (c *campaign) learnAggressive(r *result) {
	known := c.corpus.Knows(r.run.Path) || c.imagined[r.run.Path]
	if known && !c.imaginedWrap(r) || r.outcome.Slow {
		return
	}
	c.imagined[r.run.Path] = true
	dream := demand.Dream{Sequence: r.sequence}
	before := r.states[len(r.states)-1].world
	for _, o := range r.storage {
		had := before.Storage(o.slot.Address, o.slot.Key)
		wish := demand.Wish{Slot: demand.Slot(o.slot), Mask: o.mask}
		wish.Have.SetBytes32(had[:])
		wish.Want.SetBytes32(o.value[:])
		dream.Wishes = append(dream.Wishes, wish)
	}
	for _, h := range r.run.Hashed {
		c.demand.Preimages.Add(h)
	}
	c.demand.Imagine(c.random, dream)
	c.demand.Imagine(c.random, dream)
	r.source.stat.NewPaths++
}
