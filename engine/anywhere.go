package engine

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/engine/shadow"
)

// A pen is a sequence whose last Tx was led to write the probe slot, and the
// Parameter that led it there. Moved by the distance of another slot, it writes
// that one.
type pen struct {
	sequence input.Sequence
	tx       int
	param    input.Parameter
}

// foundPen keeps the prediction or the substitution that reached the probe
// slot.
func (c *campaign) foundPen(r *result) {
	if c.pen != nil || r.Run.Suspicion&cover.ProbeHit == 0 {
		return
	}
	switch {
	case r.solving != nil:
		c.pen = &pen{r.Sequence, r.change.Tx, r.change.Param}
	case r.aim != nil && r.aim.led != nil:
		c.pen = &pen{r.Sequence, len(r.Sequence.Txs) - 1, *r.aim.led}
	}
}

// An aimedStore is an SSTORE that writes to a slot that inputs choose, and how.
type aimedStore struct {
	goal  cover.Metric
	flows []shadow.Flow
}

// Bounds of leading writes to the probe slot: how often one SSTORE is, and how
// many of them in one Tx.
const (
	maxLed    = 6
	maxStores = 8
)

// stored notes an SSTORE of the last Tx that may be led.
func (s *substitution) stored(a *shadow.Access) {
	if a.Transient || s.pen != nil || a.Frame.Code == nil || !s.watched(a.Frame.Code) || len(s.stores) == maxStores {
		return
	}
	last := len(s.entry.Sequence.Txs) - 1
	store := aimedStore{goal: cover.WriteMetric(a.Frame.Code, a.PC)}
	for _, flow := range a.Slot.Flows() {
		if flow.Source.Tx == last && (flow.Source.Kind == shadow.FromCalldata || flow.Source.Kind == shadow.FromCallValue) {
			store.flows = append(store.flows, flow)
		}
	}
	if len(store.flows) > 0 {
		s.stores = append(s.stores, store)
	}
}

// lead proposes inputs that write to the probe slot. What keeps an index within
// bounds may turn them away; obstructed sees to that.
func (s *substitution) lead() {
	for _, store := range s.stores {
		if s.led[store.goal]++; s.led[store.goal] > maxLed {
			continue
		}
		for _, flow := range store.flows {
			field, ok := flow.Solve(new(uint256.Int).SetBytes32(s.probe[:]))
			if !ok {
				continue
			}
			if child, change, ok := s.write(s.entry.Sequence, &flow, &field); ok {
				s.aim = &aim{goal: store.goal, on: s.entry, led: &change.Param}
				s.propose(child, change)
			}
		}
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
	dream, i, ok := c.demand.UnwrittenGoal(c.random)
	if !ok {
		return c.usurp()
	}
	return c.write(dream.Slots[i].Key, dream.Slots[i].Want, *dream.Sequence.Last())
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
		word := states[len(states)-1].World.Storage(slot.Address, slot.Key)
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
	return &candidate{Job: exec.Job{Sequence: s, States: []exec.State{c.start}}, change: mutate.Diff{Shape: true}}
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
