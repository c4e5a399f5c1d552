package engine

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/engine/predict"
	"leveret/engine/shadow"
)

// A substitution writes what a condition asks for straight into the input that
// the condition's operand is a linear function of (ENGINE.md section 5,
// extensions a to c). It needs one shadow run, and no second point.
//
// Proposals are made for outcomes that were never seen.
type substitution struct {
	*campaign
	entry     *corpus.Entry
	observer  *shadow.Observer
	offsets   map[int]input.OffsetMap // by Tx, made when needed
	seen      predict.Observation
	made      int
	bound     int
	prompt    int  // of what is made
	aim       *aim // of what is proposed
	aims      map[cover.Metric]*aim
	repairing bool // for an aim that was set out for before
	stores    []aimedStore
}

// Bounds of the proposals of one Entry: of all, of those that run at once, and
// how many make guesses superfluous.
const (
	promptSubstitutions = 8
	maxSubstitutions    = 48
	enoughSubstitutions = 6
)

// maxWaiting bounds the proposals that wait, in words of arguments: each has
// those of a transaction for itself.
const maxWaiting = 1 << 20

// extend adds what predict's extensions, but for some, make of the comparisons:
// encodings, preimages, signatures.
func (s *substitution) extend(without ...string) {
	s.seen.Recoveries = nil
	for _, r := range s.observer.Recoveries {
		digest := r.Digest.Value()
		s.seen.Recoveries = append(s.seen.Recoveries, predict.Recovery{
			Digest: digest.Bytes32(), V: r.V.Value(), R: r.R.Value(), S: r.S.Value(), Signer: r.Result,
		})
	}
	s.seen.Sequence, s.seen.Preimage, s.seen.Stop = s.entry.Sequence, s.preimage, s.over
	s.predictor.Off = map[string]bool{}
	for _, name := range without {
		s.predictor.Off[name] = true
	}
	defer func() { s.predictor.Off = nil }()
	for p := range s.predictor.Extend(&s.seen) {
		if s.made >= s.bound {
			return
		}
		if !s.repairing {
			s.aimAt(p.Goal)
		}
		s.propose(predict.Apply(s.entry.Sequence, p.Moves), mutate.Diff{Tx: p.Moves[0].Tx, First: predict.First(p.Moves)})
	}
}

// preimage returns what was hashed to hash in this run or an earlier one.
func (s *substitution) preimage(hash common.Hash) ([]byte, bool) {
	if p, ok := s.observer.Preimage(hash); ok {
		if p.Input.Len() > predict.MaxHashed {
			return nil, false
		}
		return p.Input.Value(), true
	}
	return s.demand.Preimages.Input(hash)
}

// compare hands the comparisons of a decision on to the extensions.
func (s *substitution) compare(d *shadow.Decision) {
	b, _ := s.cover.Branch(d.Code, d.PC, !d.Taken)
	for leaf := range d.Condition.Leaves {
		relation, ok := wanted(leaf)
		ok = ok && leaf.Form == shadow.Compare
		if !ok && len(s.observer.Recoveries) > 0 && leaf.L.IsZero() && leaf.R.IsZero() {
			relation, ok = predict.Equal, true // no signer at all: any signature is what it takes
		}
		if ok {
			s.seen.Comparisons = append(s.seen.Comparisons, predict.Comparison{
				Goal: cover.BranchMetric(b, 0), Relation: relation, Left: leaf.L, Right: leaf.R,
			})
		}
	}
}

// isOpen reports whether the other outcome of a decision was never seen.
func (s *substitution) isOpen(d *shadow.Decision) bool {
	_, open := s.openBranch(d, s.entry)
	return open
}

// openBranch returns the other outcome of a decision on the path of e if it was
// never seen.
func (c *campaign) openBranch(d *shadow.Decision, e *corpus.Entry) (cover.Branch, bool) {
	if !c.watched(d.Code) {
		return 0, false
	}
	b, ok := c.cover.Branch(d.Code, d.PC, !d.Taken)
	return b, ok && c.unseen(b, e.Sequence.Last()) && c.worthwhile(b) && !c.astray(b, e.Sequence.Last())
}

// wanted is the relation that turns a comparison; false for "anything else",
// which needs no help.
func wanted(c *shadow.Condition) (predict.Relation, bool) {
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

// decision proposes what would turn one conditional jump.
func (s *substitution) decision(d *shadow.Decision) {
	b, _ := s.cover.Branch(d.Code, d.PC, !d.Taken)
	s.aimAt(cover.BranchMetric(b, 0))
	s.turn(d)
}

// aimAt makes what is proposed next be for a goal.
func (s *substitution) aimAt(goal cover.Metric) {
	if s.aim = s.aims[goal]; s.aim == nil {
		s.aim = &aim{goal: goal, on: s.entry}
		s.aims[goal] = s.aim
	}
}

// turn proposes what would turn a conditional jump, on the way to the aim.
func (s *substitution) turn(d *shadow.Decision) {
	for leaf := range d.Condition.Leaves {
		s.leaf(leaf)
	}
}

// wantStorage puts the storage words that the condition depends on in demand.
func (s *substitution) wantStorage(d *shadow.Decision) {
	if wanted := storageOf(s.observer, d); len(wanted) > 0 && !s.options.NoDemand {
		s.demand.Mark(demand.CalleeOf(s.entry.Sequence.Last()), wanted)
	}
}

// storageOf lists the storage words that a condition depends on.
func storageOf(o *shadow.Observer, d *shadow.Decision) (list []evm.Slot) {
	for _, source := range o.Sets().Sources(d.Cond.Sources()) {
		if source.Kind == shadow.FromStorage && source.Offset != shadow.Anywhere {
			list = append(list, evm.Slot{Address: source.Address, Key: source.Slot})
		}
	}
	return list
}

// leaf proposes what would turn one comparison.
func (s *substitution) leaf(c *shadow.Condition) {
	if c.Form == shadow.Truthy {
		zero, one := new(uint256.Int), uint256.NewInt(1)
		if c.L.IsZero() {
			s.solve(c.Left, one)
		} else {
			s.solve(c.Left, zero)
		}
		return
	}
	for _, target := range c.Relation.Targets(&c.R, c.Holds()) {
		s.solve(c.Left, target)
	}
	for _, target := range c.Relation.Mirror().Targets(&c.L, c.Holds()) {
		s.solve(c.Right, target)
	}
}

// solve proposes inputs for which word becomes target. Where the word came
// through storage, only its sources are known, not how: a copy is the likeliest.
// It is the smallest of those that leave target as a remainder, too.
func (s *substitution) solve(word shadow.Word, target *uint256.Int) {
	linear := false
	for _, flow := range word.Flows() {
		linear = linear || flow.Source.Kind != shadow.FromStorage && !flow.Remainder
		if field, ok := flow.Solve(target); ok {
			s.assign(s.entry.Sequence, &flow, &field)
		}
	}
	if linear {
		return
	}
	for i, source := range s.observer.Sets().Sources(word.Sources()) {
		if i >= maxGuesses {
			break
		}
		copied := shadow.Flow{Source: source, Bits: 256}
		s.assign(s.entry.Sequence, &copied, target)
	}
}

// maxGuesses bounds the sources that a word is taken to be a copy of.
const maxGuesses = 3

// assign proposes the sequence in which the source of flow holds field.
func (s *substitution) assign(seq input.Sequence, flow *shadow.Flow, field *uint256.Int) {
	if child, change, ok := s.write(seq, flow, field); ok {
		s.propose(child, change)
	}
}

// propose lines up a child of the Entry.
func (s *substitution) propose(child input.Sequence, change mutate.Diff) {
	if s.made >= s.bound || !s.novel(child) {
		return
	}
	s.made++
	candidate := s.child(s.entry, child, change)
	candidate.aim = s.aim
	if s.made <= s.prompt {
		candidate.source = s.substituted
		s.queue = append(s.queue, candidate)
	} else if len(s.substitutions)*input.Words(child.Txs[change.Tx].Args) <= maxWaiting {
		s.substitutions = append(s.substitutions, candidate)
	}
}

// maxProposed bounds the sequences that are remembered as proposed.
const maxProposed = 1 << 16

// novel reports whether a sequence was never proposed before: what ran once
// has nothing new to tell.
func (c *campaign) novel(s input.Sequence) bool {
	digest := input.Digest(s)
	if c.proposed[digest] {
		return false
	}
	if len(c.proposed) == maxProposed {
		clear(c.proposed)
	}
	c.proposed[digest] = true
	return true
}

// write puts field into the source of flow.
func (s *substitution) write(seq input.Sequence, flow *shadow.Flow, field *uint256.Int) (input.Sequence, mutate.Diff, bool) {
	i := flow.Source.Tx
	if i < 0 || i >= len(seq.Txs) {
		return seq, mutate.Diff{}, false
	}
	tx := &seq.Txs[i]
	p, ok := s.parameter(i, tx, flow.Source)
	if !ok {
		return seq, mutate.Diff{}, false
	}
	word := input.Get(tx, &p)
	before := word
	switch flow.Source.Kind {
	case shadow.FromCalldata, shadow.FromCallValue:
		word = flow.Blend(&word, field)
	case shadow.FromTimestamp, shadow.FromNumber:
		if word, ok = s.later(seq, i, flow, field); !ok {
			return seq, mutate.Diff{}, false
		}
	case shadow.FromCaller, shadow.FromOrigin:
		actor, ok := input.ActorOf(field.Bytes20())
		if !ok {
			return seq, mutate.Diff{}, false
		}
		word.SetUint64(uint64(actor))
	}
	if word = p.Word.Wrap(&word); word == before {
		return seq, mutate.Diff{}, false
	}
	return seq.WithTx(i, input.Set(tx, &p, word)), mutate.Diff{Tx: i, Single: true, Param: p, First: i}, true
}

// later turns a wanted time or height into a delay of Tx i; time does not run
// backwards.
func (s *substitution) later(seq input.Sequence, i int, flow *shadow.Flow, field *uint256.Int) (delay uint256.Int, ok bool) {
	before := s.start.Block
	for k := range seq.Txs[:i] {
		before = before.After(seq.Txs[k].Delay)
	}
	now := before.Timestamp
	if flow.Source.Kind == shadow.FromNumber {
		now = before.Number
	}
	if !field.IsUint64() || field.Uint64() < now {
		return delay, false
	}
	delay.SetUint64(field.Uint64() - now)
	return delay, true
}

// parameter finds what of Tx i a source is.
func (s *substitution) parameter(i int, tx *input.Tx, source shadow.TaintSource) (input.Parameter, bool) {
	kinds := map[shadow.Kind]input.ParameterKind{
		shadow.FromCallValue: input.ParamWei,
		shadow.FromTimestamp: input.ParamSeconds,
		shadow.FromNumber:    input.ParamBlocks,
		shadow.FromCaller:    input.ParamActor,
		shadow.FromOrigin:    input.ParamActor,
	}
	if source.Kind == shadow.FromCalldata {
		m, ok := s.offsets[i]
		if !ok {
			m = input.Offsets(tx)
			s.offsets[i] = m
		}
		return m.At(int(source.Offset))
	}
	kind, ok := kinds[source.Kind]
	if !ok {
		return input.Parameter{}, false
	}
	for _, p := range input.Parameters(tx) {
		if p.Kind == kind {
			return p, true
		}
	}
	return input.Parameter{}, false
}

// substitute runs the substitutions that wait, in turn.
func (c *campaign) substitute() *candidate { return c.takeOpen(&c.substitutions) }
