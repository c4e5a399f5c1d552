package solve

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/engine/predict"
	"leveret/engine/shadow"
)

// Proposals are inputs made from one taint run.
type proposals struct {
	*Writer
	solver *Solver
	entry  *corpus.Entry
	seen   predict.Observation
	stores []steeredStore
	aims   map[cover.Metric]*Aim
	aim    *Aim                 // of what is proposed
	fixed  bool                 // aim stays: the proposals pass a blocking branch on the way to it
	take   func(input.Sequence) // gets the proposals, which are not queued; nil: they are
	made   int
	most   int
	urgent int // of them, how many run at once
}

// Bounds of the proposals for one entry: of all, of those that run at once, and
// how many certain ones make guesses unnecessary.
const (
	urgentProposals = 8
	maxProposals    = 48
	enoughProposals = 6
)

// maxWaitingWords bounds the proposals that wait, in words of arguments: each
// has its own copy of a transaction's.
const maxWaitingWords = 1 << 20

// maxCopies bounds the sources that a word is taken to be a copy of.
const maxCopies = 3

// proposalsFor runs e with taint tracking; nil if that was cancelled.
func (s *Solver) proposalsFor(e *corpus.Entry) *proposals {
	p := &proposals{
		Writer: NewWriter(s.search.Subject.Start.Block), solver: s, entry: e, most: maxProposals,
		aims: map[cover.Metric]*Aim{},
	}
	if s.guide.Reaches(demand.CalleeOf(e.Sequence.Last())) {
		p.urgent = urgentProposals
	}
	if !s.taint.run(e, func(a *shadow.Arith) { s.demandOperands(e, a) }, p.stored) {
		return nil
	}
	return p
}

// extend adds what predict's extensions, without some, make of the comparisons:
// encodings, preimages, signatures.
func (p *proposals) extend(without ...string) {
	observer := p.solver.taint.observer
	p.seen.Recoveries = nil
	for _, r := range observer.Recoveries {
		digest := r.Digest.Value()
		p.seen.Recoveries = append(p.seen.Recoveries, predict.Recovery{
			Digest: digest.Bytes32(), V: r.V.Value(), R: r.R.Value(), S: r.S.Value(), Signer: r.Result,
		})
	}
	p.seen.Sequence, p.seen.Preimage, p.seen.Stop = p.entry.Sequence, p.preimage, p.solver.search.Over
	predictor := p.solver.predict
	predictor.Off = map[string]bool{}
	for _, name := range without {
		predictor.Off[name] = true
	}
	defer func() { predictor.Off = nil }()
	for proposal := range predictor.Extend(&p.seen) {
		if p.made >= p.most {
			return
		}
		p.aimAt(proposal.Goal)
		p.propose(predict.Apply(p.entry.Sequence, proposal.Moves), mutate.Diff{Tx: proposal.Moves[0].Tx, First: predict.First(proposal.Moves)})
	}
}

// preimage returns what was hashed to hash, in this run or an earlier one.
func (p *proposals) preimage(hash common.Hash) ([]byte, bool) {
	if known, ok := p.solver.taint.observer.Preimage(hash); ok {
		if known.Input.Len() > predict.MaxHashed {
			return nil, false
		}
		return known.Input.Value(), true
	}
	return p.solver.search.Generator.Demand.Preimages.Input(hash)
}

// compare adds the comparisons of a decision to what the extensions use.
func (p *proposals) compare(d *shadow.Decision) {
	b, _ := p.solver.search.Subject.Cover.Branch(d.Code, d.PC, !d.Taken)
	for leaf := range d.Condition.Leaves {
		relation, ok := flipped(leaf)
		ok = ok && leaf.Form == shadow.Compare
		if !ok && len(p.solver.taint.observer.Recoveries) > 0 && leaf.L.IsZero() && leaf.R.IsZero() {
			relation, ok = predict.Equal, true // ecrecover failed: any valid signature will do
		}
		if ok {
			p.seen.Comparisons = append(p.seen.Comparisons, predict.Comparison{
				Goal: cover.BranchMetric(b, 0), Relation: relation, Left: leaf.L, Right: leaf.R,
			})
		}
	}
}

// flipped returns the relation that flips a comparison; false for "anything
// else", which needs no help.
func flipped(c *shadow.Condition) (predict.Relation, bool) {
	holds := c.Holds()
	switch {
	case c.Relation == shadow.Equal && !holds, c.Relation == shadow.Differ && holds:
		return predict.Equal, true
	case c.Relation == shadow.Less && !holds:
		return predict.Less, true
	case c.Relation == shadow.Less:
		return predict.GreaterEqual, true
	case c.Relation == shadow.Greater && !holds:
		return predict.Greater, true
	case c.Relation == shadow.Greater:
		return predict.LessEqual, true
	}
	return 0, false
}

// aimAt sets the goal of the next proposals.
func (p *proposals) aimAt(goal cover.Metric) {
	if p.fixed {
		return
	}
	if p.aim = p.aims[goal]; p.aim == nil {
		p.aim = p.solver.aim(goal, p.entry)
		p.aims[goal] = p.aim
	}
}

// flip proposes inputs that flip a conditional jump.
func (p *proposals) flip(d *shadow.Decision) {
	for leaf := range d.Condition.Leaves {
		p.flipComparison(leaf)
	}
}

// flipComparison proposes inputs that flip one comparison.
func (p *proposals) flipComparison(c *shadow.Condition) {
	if c.Form == shadow.Truthy {
		zero, one := new(uint256.Int), uint256.NewInt(1)
		if c.L.IsZero() {
			p.set(c.Left, one)
		} else {
			p.set(c.Left, zero)
		}
		return
	}
	for _, target := range c.Relation.Targets(&c.R, c.Holds()) {
		p.set(c.Left, target)
	}
	for _, target := range c.Relation.Mirror().Targets(&c.L, c.Holds()) {
		p.set(c.Right, target)
	}
}

// set proposes inputs for which word becomes target. Of a word that came through
// storage only the sources are known, not how: a copy is the likeliest, as is
// the smallest of the words that leave target as a remainder.
func (p *proposals) set(word shadow.Word, target *uint256.Int) {
	linear := false
	for _, flow := range word.Flows() {
		linear = linear || flow.Source.Kind != shadow.FromStorage && flow.Source.Kind != shadow.FromBalance && !flow.Remainder
		if field, ok := flow.Solve(target); ok {
			p.assign(&flow, &field)
		}
	}
	if linear {
		return
	}
	for i, source := range p.solver.taint.observer.Sets().Sources(word.Sources()) {
		if i >= maxCopies {
			break
		}
		p.assign(&shadow.Flow{Source: source, Bits: 256}, target)
	}
}

// assign proposes the sequence in which the source of flow holds field.
func (p *proposals) assign(flow *shadow.Flow, field *uint256.Int) {
	if flow.Source.Kind == shadow.FromBalance {
		p.force(flow, field)
		return
	}
	if child, change, ok := p.Write(p.entry.Sequence, flow, field); ok {
		p.propose(child, change)
	}
}

// propose queues a child of the entry, and before it variants that keep what the
// change would break: equality with arguments of other transactions, and
// signatures.
func (p *proposals) propose(child input.Sequence, change mutate.Diff) {
	if child.Txs[change.Tx].Nested() {
		if all, first, ok := input.Mirrored(p.entry.Sequence, child, change.Tx); ok {
			p.queue(all, mutate.Diff{Tx: change.Tx, First: first})
		}
	}
	for _, signed := range p.signed(child) {
		p.queue(signed, mutate.Diff{Tx: change.Tx, First: change.First})
	}
	p.queue(child, change)
}

// queue queues a child of the entry unless it was proposed before.
func (p *proposals) queue(child input.Sequence, change mutate.Diff) {
	s := p.solver
	switch {
	case p.made >= p.most:
		return
	case p.take != nil:
		p.made++
		p.take(child)
		return
	case !s.search.Generator.Propose(child):
		return
	}
	p.made++
	next := s.search.Corpus.Child(p.entry, child, change)
	if p.aim != nil {
		next.Purpose = p.aim
	}
	if p.made <= p.urgent {
		next.Origin = s.origin
		s.search.Queue.Add(next)
	} else if s.waiting.Len()*input.Words(child.Txs[change.Tx].Args) <= maxWaitingWords {
		s.waiting.Add(next)
	}
}
