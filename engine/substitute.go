package engine

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/engine/shadow"
)

// A substitution writes what a condition asks for straight into the input that
// the condition's operand is a linear function of (ENGINE.md section 5,
// extensions a to c). It needs one shadow run, and no second point.
//
// Proposals are made for outcomes that were never seen.
type substitution struct {
	*campaign
	entry    *corpus.Entry
	observer *shadow.Observer
	offsets  map[int]input.OffsetMap // by Tx, made when needed
	proposed map[string]bool
	made     int
	from     *source
}

// maxSubstitutions bounds the proposals of one Entry.
const maxSubstitutions = 48

// An approachRoute is a way to come near an outcome: the functions called, in
// order.
type approachRoute struct {
	outcome cover.Branch
	calls   uint64
}

// Bounds of the inspections for one outcome that was never seen, new paths
// apart: on one route, and on all.
const (
	routeInspections   = 4
	outcomeInspections = 96
)

// worth reports whether a result that is no new path is to be inspected: if it
// came nearer to an outcome that was never seen, or if transactions put in
// before it changed the distance from one.
func (c *campaign) worth(r *result, nearer bool) bool {
	route := approachRoute{calls: routeHash(r.sequence.Txs)}
	for i := range r.run.Costs {
		cost := &r.run.Costs[i]
		b, ok := cost.Metric.Branch()
		if !ok || c.corpus.Covered(b) {
			continue
		}
		if !nearer {
			if r.parent == nil || !r.change.Shape {
				return false
			}
			if was, ok := r.parent.Cost(cost.Metric); ok && was.Eq(&cost.Value) {
				continue
			}
		}
		route.outcome = b
		all := approachRoute{outcome: b}
		if c.inspections[route] < routeInspections && c.inspections[all] < outcomeInspections {
			c.inspections[route]++
			c.inspections[all]++
			return true
		}
	}
	return false
}

// routeHash identifies the functions that Txs call, in order; never 0.
func routeHash(txs []input.Tx) uint64 {
	h := uint64(14695981039346656037)
	for i := range txs {
		for _, b := range txs[i].To[16:] {
			h = (h ^ uint64(b)) * 1099511628211
		}
		for _, b := range txs[i].Function.Selector {
			h = (h ^ uint64(b)) * 1099511628211
		}
	}
	return h | 1
}

// inspect runs e in the shadow tier, learns where its conditions come from,
// and lines up substitutions.
func (c *campaign) inspect(e *corpus.Entry) {
	s := &substitution{
		campaign: c, entry: e, observer: c.observer,
		offsets: map[int]input.OffsetMap{}, proposed: map[string]bool{}, from: c.substituted,
	}
	c.observer.Attach(shadow.NewState())
	at := c.start
	last := len(e.Sequence.Txs) - 1
	for i := range e.Sequence.Txs {
		next, outcome := c.judge.executor.transact(at, &e.Sequence.Txs[i], nil, s.observer.Hooks())
		if outcome.Status == evm.Success && i < last {
			at = next
		}
	}
	decisions := make([]*shadow.Decision, len(s.observer.Branches))
	for i := range s.observer.Branches {
		decisions[i] = &s.observer.Branches[i]
	}
	c.cover.Learn(decisions)
	for _, d := range decisions {
		s.decision(d)
	}
}

// decision proposes what would turn one conditional jump.
func (s *substitution) decision(d *shadow.Decision) {
	if !s.watched(d.Code) {
		return
	}
	b, ok := s.cover.Branch(d.Code, d.PC, !d.Taken)
	if !ok || s.corpus.Covered(b) {
		return
	}
	s.wantStorage(d)
	for leaf := range d.Condition.Leaves {
		if s.made >= maxSubstitutions {
			return
		}
		s.leaf(leaf)
	}
}

// wantStorage puts the storage words that the condition depends on in demand.
func (s *substitution) wantStorage(d *shadow.Decision) {
	var wanted []demand.Slot
	for _, source := range s.observer.Sets().Sources(d.Cond.Sources()) {
		if source.Kind == shadow.FromStorage && source.Offset != shadow.Anywhere {
			wanted = append(wanted, demand.Slot{Address: source.Address, Key: source.Slot})
		}
	}
	if len(wanted) > 0 && !s.options.NoDemand {
		s.demand.Want(demand.CalleeOf(s.entry.Sequence.Last()), wanted)
	}
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
	s.hashes(c)
	s.signatures(c)
	for _, target := range targets(c.Relation, &c.R, c.Holds()) {
		s.solve(c.Left, target)
	}
	for _, target := range targets(mirror(c.Relation), &c.L, c.Holds()) {
		s.solve(c.Right, target)
	}
}

// mirror is the relation seen from the right operand.
func mirror(r shadow.Relation) shadow.Relation {
	switch r {
	case shadow.Less:
		return shadow.Greater
	case shadow.Greater:
		return shadow.Less
	}
	return r
}

// targets lists the values of one operand that turn a comparison with the
// other one, the nearest first.
func targets(rel shadow.Relation, other *uint256.Int, holds bool) []*uint256.Int {
	one := uint256.NewInt(1)
	more, less := new(uint256.Int).Add(other, one), new(uint256.Int).Sub(other, one)
	switch {
	case rel == shadow.Equal && !holds, rel == shadow.Differ && holds:
		return []*uint256.Int{other}
	case rel == shadow.Equal, rel == shadow.Differ:
		return []*uint256.Int{more, less}
	case rel == shadow.Less && !holds:
		return []*uint256.Int{less}
	case rel == shadow.Greater && !holds:
		return []*uint256.Int{more}
	}
	return []*uint256.Int{other}
}

// solve proposes inputs for which word becomes target. Where the word came
// through storage, only its sources are known, not how: a copy is the likeliest.
func (s *substitution) solve(word shadow.Word, target *uint256.Int) {
	linear := false
	for _, flow := range word.Flows() {
		linear = linear || flow.Source.Kind != shadow.FromStorage
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
func (s *substitution) propose(child input.Sequence, change mutate.Change) {
	name := string(input.AppendText(nil, child))
	if s.proposed[name] || s.made >= maxSubstitutions {
		return
	}
	s.proposed[name] = true
	s.made++
	candidate := s.child(s.entry, child, change)
	candidate.source = s.from
	s.queue = append(s.queue, candidate)
}

// write puts field into the source of flow.
func (s *substitution) write(seq input.Sequence, flow *shadow.Flow, field *uint256.Int) (input.Sequence, mutate.Change, bool) {
	i := flow.Source.Tx
	if i < 0 || i >= len(seq.Txs) {
		return seq, mutate.Change{}, false
	}
	tx := &seq.Txs[i]
	p, ok := s.parameter(i, tx, flow.Source)
	if !ok {
		return seq, mutate.Change{}, false
	}
	word := input.Get(tx, &p)
	before := word
	switch flow.Source.Kind {
	case shadow.FromCalldata, shadow.FromCallValue:
		word = blend(&word, flow, field)
	case shadow.FromTimestamp, shadow.FromNumber:
		if word, ok = s.later(i, tx, flow, field); !ok {
			return seq, mutate.Change{}, false
		}
	case shadow.FromCaller, shadow.FromOrigin:
		actor, ok := input.ActorOf(field.Bytes20())
		if !ok {
			return seq, mutate.Change{}, false
		}
		word.SetUint64(uint64(actor))
	}
	if word = p.Word.Wrap(&word); word == before {
		return seq, mutate.Change{}, false
	}
	return seq.WithTx(i, input.Set(tx, &p, word)), mutate.Change{Tx: i, Single: true, Param: p, First: i}, true
}

// blend replaces the bits of word that flow is about.
func blend(word *uint256.Int, flow *shadow.Flow, field *uint256.Int) (out uint256.Int) {
	var mask uint256.Int
	mask.SetAllOne()
	mask.Rsh(&mask, uint(256-flow.Bits))
	mask.Lsh(&mask, uint(flow.Low))
	out.Lsh(field, uint(flow.Low))
	out.And(&out, &mask)
	mask.Not(&mask)
	mask.And(&mask, word)
	out.Or(&out, &mask)
	return out
}

// later turns a wanted time or height into a delay of Tx i; time does not run
// backwards.
func (s *substitution) later(i int, tx *input.Tx, flow *shadow.Flow, field *uint256.Int) (delay uint256.Int, ok bool) {
	before := s.statesOf(s.entry)[i].block
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
func (s *substitution) parameter(i int, tx *input.Tx, source shadow.Source) (input.Parameter, bool) {
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

// hashes proposes, where two hashes are compared, to give one the preimage of
// the other [ENGINE.md section 5, b].
func (s *substitution) hashes(c *shadow.Condition) {
	if c.Relation != shadow.Equal && c.Relation != shadow.Differ {
		return
	}
	for _, pair := range [2][2]*uint256.Int{{&c.L, &c.R}, {&c.R, &c.L}} {
		mine, ok := s.observer.Preimage(common.Hash(pair[0].Bytes32()))
		if !ok {
			continue
		}
		if theirs, ok := s.preimage(common.Hash(pair[1].Bytes32())); ok {
			s.imitate(mine.Input, theirs)
		}
	}
}

// preimage returns what was hashed to hash in this run or an earlier one.
func (s *substitution) preimage(hash common.Hash) ([]byte, bool) {
	if p, ok := s.observer.Preimage(hash); ok {
		return p.Input.Value(), true
	}
	return s.demand.Preimages.Input(hash)
}

// imitate proposes an input that makes the hashed bytes equal to theirs: word
// by word if the length is right, else as the whole of a bytes or string
// argument.
func (s *substitution) imitate(mine shadow.Bytes, theirs []byte) {
	seq, have := s.entry.Sequence, mine.Value()
	for i := range seq.Txs {
		if child, ok := replaceData(seq, i, have, theirs); ok {
			s.propose(child, mutate.Change{Tx: i, First: i})
		}
	}
	if len(have) != len(theirs) {
		return
	}
	first := len(seq.Txs)
	for at := 0; at < len(theirs); at += 32 {
		var target uint256.Int
		var padded [32]byte
		copy(padded[:], theirs[at:])
		target.SetBytes32(padded[:])
		for _, flow := range mine.Word(at).Flows() {
			field, ok := flow.Solve(&target)
			if !ok {
				continue
			}
			if child, change, ok := s.write(seq, &flow, &field); ok {
				seq, first = child, min(first, change.First)
			}
		}
	}
	if first < len(seq.Txs) {
		s.propose(seq, mutate.Change{Tx: first, First: first})
	}
}

// replaceData replaces a bytes or string argument that equals have.
func replaceData(seq input.Sequence, i int, have, data []byte) (input.Sequence, bool) {
	for at := range seq.Txs[i].Args {
		v := &seq.Txs[i].Args[at]
		if (v.Type.Kind == input.KindBytes || v.Type.Kind == input.KindString) && string(v.Data) == string(have) {
			other := *v
			other.Data = data
			return seq.WithTx(i, seq.Txs[i].WithArg([]int{at}, other)), true
		}
	}
	return seq, false
}

// signatures proposes, where the signer of a message is compared with an
// actor, that actor's signature [ENGINE.md section 5, c].
func (s *substitution) signatures(c *shadow.Condition) {
	for i := range s.observer.Recoveries {
		r := &s.observer.Recoveries[i]
		if r.Result == (common.Address{}) { // not a signature at all: anybody's is better
			s.sign(r, input.Deployer)
			s.sign(r, input.User1)
		}
		for _, wanted := range [2]*uint256.Int{&c.L, &c.R} {
			if actor, ok := input.ActorOf(wanted.Bytes20()); ok && actor.Address() != r.Result {
				s.sign(r, actor)
			}
		}
	}
}

// sign proposes an actor's signature of the digest that was asked for.
func (s *substitution) sign(r *shadow.Recovery, actor input.Actor) {
	digest := r.Digest.Value()
	hash := digest.Bytes32()
	signature, err := crypto.Sign(hash[:], actor.Key())
	if err != nil {
		return
	}
	seq, first := s.entry.Sequence, len(s.entry.Sequence.Txs)
	parts := []struct {
		word  shadow.Word
		value uint256.Int
	}{
		{r.R, *new(uint256.Int).SetBytes(signature[:32])},
		{r.S, *new(uint256.Int).SetBytes(signature[32:64])},
		{r.V, *uint256.NewInt(uint64(signature[64]) + 27)},
	}
	for _, part := range parts {
		for _, flow := range part.word.Flows() {
			if field, ok := flow.Solve(&part.value); ok {
				if child, change, ok := s.write(seq, &flow, &field); ok {
					seq, first = child, min(first, change.First)
				}
				break
			}
		}
	}
	if first < len(seq.Txs) {
		s.propose(seq, mutate.Change{Tx: first, First: first})
	}
}
