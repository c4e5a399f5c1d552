package solve

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/input"
	"leveret/engine/search"
	"leveret/engine/shadow"
)

// Overwrite uses an arbitrary write as an attacker would: it satisfies state
// goals that no function can, or takes ownership.
type Overwrite struct {
	search *search.Search
	write  *arbitraryWrite // nil: none is known
}

// An arbitraryWrite is a sequence whose last transaction was steered to write
// the probe slot, and the parameter that steered it. Changed by the distance of
// another slot, it writes that one.
type arbitraryWrite struct {
	sequence input.Sequence
	tx       int
	param    input.Parameter
}

// Learn keeps the first input that reached the probe slot on purpose.
func (o *Overwrite) Learn(r *search.Result) {
	if o.write != nil || !r.Fast() || !r.Shows(cover.ProbeHit) {
		return
	}
	switch purpose := r.Purpose.(type) {
	case *prediction:
		o.write = &arbitraryWrite{r.Sequence, r.Change.Tx, r.Change.Param}
	case *Aim:
		if purpose.steered != nil {
			o.write = &arbitraryWrite{r.Sequence, len(r.Sequence.Txs) - 1, *purpose.steered}
		}
	}
}

// Next satisfies a state goal, or takes ownership.
func (o *Overwrite) Next() *search.Candidate {
	if o.write == nil {
		return nil
	}
	random := o.search.Generator.Random
	if random.IntN(2) == 0 {
		return o.takeOwnership()
	}
	goal, i, ok := o.search.Generator.Demand.UnwrittenGoal(random)
	if !ok {
		return o.takeOwnership()
	}
	return o.writing(goal.Slots[i].Key, goal.Slots[i].Want, *goal.Sequence.Last())
}

// takeOwnership overwrites a storage word that holds the deployer's address with
// a user's, who then does what the deployer did.
func (o *Overwrite) takeOwnership() *search.Candidate {
	e := o.pick(func(e *corpus.Entry) bool {
		last := e.Sequence.Last()
		_, open := last.Function.Sender(input.User1.Address())
		return e.Success && last.From == input.Deployer && open && len(e.Reads) > 0
	})
	if e == nil {
		return nil
	}
	tx := *e.Sequence.Last()
	world := o.search.Corpus.LastState(e).World
	for _, slot := range e.Reads {
		word := world.Storage(slot.Address, slot.Key)
		if common.BytesToAddress(word[12:]) == input.Deployer.Address() {
			tx.From = input.User1
			user := tx.From.Address()
			copy(word[12:], user[:])
			return o.writing(slot.Key, *new(uint256.Int).SetBytes32(word[:]), tx)
		}
	}
	return nil
}

// writing makes the candidate that writes a value to a slot and then executes
// tx.
func (o *Overwrite) writing(slot common.Hash, value uint256.Int, tx input.Tx) *search.Candidate {
	s := o.write.sequence
	s.Txs = append(slices.Clone(s.Txs), tx)
	steered := &s.Txs[o.write.tx]
	at := input.Get(steered, &o.write.param)
	at.Add(&at, new(uint256.Int).SetBytes32(slot[:]))
	at.Sub(&at, new(uint256.Int).SetBytes32(o.search.Subject.Probe[:]))
	*steered = input.Set(steered, &o.write.param, at)

	last := &s.Txs[len(s.Txs)-2]
	seen, written := 0, input.Parameter{}
	for _, p := range input.Parameters(last) {
		if p.Kind == input.ParamArg && p.Index != o.write.param.Index {
			if seen++; o.search.Generator.Random.IntN(seen) == 0 {
				written = p
			}
		}
	}
	if seen > 0 {
		*last = input.Set(last, &written, value)
	}
	return o.search.Generator.Combined(s)
}

// pick draws one of the entries that suit; nil if none does.
func (o *Overwrite) pick(suits func(*corpus.Entry) bool) *corpus.Entry {
	var chosen *corpus.Entry
	seen := 0
	for _, e := range o.search.Corpus.Entries {
		if suits(e) {
			if seen++; o.search.Generator.Random.IntN(seen) == 0 {
				chosen = e
			}
		}
	}
	return chosen
}

// A steeredStore is an SSTORE to a slot that depends linearly on the last
// transaction.
type steeredStore struct {
	goal  cover.Metric
	flows []shadow.Flow
}

// Bounds of steering writes to the probe slot: for one SSTORE, and how many
// SSTOREs of one transaction.
const (
	maxSteered = 6
	maxStores  = 8
)

// stored notes an SSTORE of the last transaction that can be steered.
func (p *proposals) stored(a *shadow.Access) {
	s := p.solver
	if a.Transient || s.write.write != nil || a.Frame.Code == nil || !s.search.Subject.Watched(a.Frame.Code) || len(p.stores) == maxStores {
		return
	}
	last := len(p.entry.Sequence.Txs) - 1
	store := steeredStore{goal: cover.WriteMetric(a.Frame.Code, a.PC)}
	for _, flow := range a.Slot.Flows() {
		if flow.Source.Tx == last && (flow.Source.Kind == shadow.FromCalldata || flow.Source.Kind == shadow.FromCallValue) {
			store.flows = append(store.flows, flow)
		}
	}
	if len(store.flows) > 0 {
		p.stores = append(p.stores, store)
	}
}

// steer proposes inputs that write to the probe slot. A bounds check may block
// them; blockedBy follows that up.
func (p *proposals) steer() {
	s := p.solver
	for _, store := range p.stores {
		if s.steered[store.goal]++; s.steered[store.goal] > maxSteered {
			continue
		}
		for _, flow := range store.flows {
			field, ok := flow.Solve(new(uint256.Int).SetBytes32(s.search.Subject.Probe[:]))
			if !ok {
				continue
			}
			if child, change, ok := p.Write(p.entry.Sequence, &flow, &field); ok {
				p.aim = &Aim{goal: store.goal, on: p.entry, steered: &change.Param, corpus: s.search.Corpus}
				p.propose(child, change)
			}
		}
	}
}
