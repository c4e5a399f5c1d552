package engine

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/input"
	"leveret/engine/mutate"
)

// A pen is a sequence whose last Tx was led to write the probe slot, and the
// Parameter that led it there. Moved by the distance of another slot, it writes
// that one.
type pen struct {
	sequence input.Sequence
	tx       int
	param    input.Parameter
}

// foundPen keeps the prediction that reached the probe slot.
func (c *campaign) foundPen(r *result) {
	if c.pen == nil && r.run.Suspicion&cover.ProbeHit != 0 && r.solving != nil {
		c.pen = &pen{r.sequence, r.change.Tx, r.change.Param}
	}
}

// overwritten does with an arbitrary write what an attacker would do next:
// fulfil a Dream that no function can, or take somebody's place.
func (c *campaign) overwritten() *candidate {
	if c.pen == nil {
		return nil
	}
	if c.random.IntN(2) == 0 {
		return c.usurp()
	}
	dream, i, ok := c.demand.Unwritten(c.random)
	if !ok {
		return c.usurp()
	}
	return c.write(dream.Wishes[i].Key, dream.Wishes[i].Want, *dream.Sequence.Last())
}

// usurp has a stranger do what the deployer did, after a storage word that held
// the deployer's address was overwritten with the stranger's.
func (c *campaign) usurp() *candidate {
	e := c.pickEntry(func(e *corpus.Entry) bool {
		return e.Success && e.Sequence.Last().From == input.Deployer && len(e.Reads) > 0
	})
	if e == nil {
		return nil
	}
	tx := *e.Sequence.Last()
	states := c.statesOf(e)
	for _, slot := range e.Reads {
		word := states[len(states)-1].world.Storage(slot.Address, slot.Key)
		if common.BytesToAddress(word[12:]) == input.Deployer.Address() {
			tx.From = input.User1
			me := tx.From.Address()
			copy(word[12:], me[:])
			return c.write(slot.Key, *new(uint256.Int).SetBytes32(word[:]), tx)
		}
	}
	return nil
}

// write makes the candidate that writes a value to a slot and then does tx.
func (c *campaign) write(slot common.Hash, value uint256.Int, tx input.Tx) *candidate {
	s := c.pen.sequence
	s.Txs = append(slices.Clone(s.Txs), tx)
	led := &s.Txs[c.pen.tx]
	at := input.Get(led, &c.pen.param)
	at.Add(&at, new(uint256.Int).SetBytes32(slot[:]))
	at.Sub(&at, new(uint256.Int).SetBytes32(c.probe[:]))
	*led = input.Set(led, &c.pen.param, at)

	last := &s.Txs[len(s.Txs)-2]
	seen, what := 0, input.Parameter{}
	for _, p := range input.Parameters(last) {
		if p.Kind == input.ParamArg && p.Index != c.pen.param.Index {
			if seen++; c.random.IntN(seen) == 0 {
				what = p
			}
		}
	}
	if seen > 0 {
		*last = input.Set(last, &what, value)
	}
	return &candidate{sequence: s, states: []state{c.start}, change: mutate.Change{Shape: true}}
}

// pickEntry draws one of the Entries that suit; nil if none does.
func (c *campaign) pickEntry(suits func(*corpus.Entry) bool) *corpus.Entry {
	var chosen *corpus.Entry
	seen := 0
	for _, e := range c.corpus.Entries {
		if suits(e) {
			if seen++; c.random.IntN(seen) == 0 {
				chosen = e
			}
		}
	}
	return chosen
}
