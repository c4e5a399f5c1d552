package replay

import (
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// A Shrinking looks for the shortest and simplest Sequence that still fails:
// fewer Txs, then simpler Parameters. The caller executes the
// attempts; it may stop after any attempt and continue later.
type Shrinking struct {
	best    input.Sequence
	budget  int             // attempts left
	refuted map[uint64]bool // digests of attempts that do not fail

	drop      *dropping[input.Tx] // nil: no Tx can be dropped any more
	tx        int                 // Tx that is simplified; after the last one, data that occurs repeatedly
	parameter int                 // of that Tx, or one of the steps before; or the index in data
	data      [][]byte
	attempts  []Attempt // not yet tried at this place
	plainer   bool      // this round made something simpler
	done      bool
	whole     bool // the length stays; equal Txs in a row change together
}

// The steps before the Parameters of a Tx are simplified one at a time.
const (
	merged = -3 + iota
	withoutScript
	allTogether
)

// An Attempt is a Sequence that may still fail.
type Attempt struct {
	Sequence input.Sequence
	First    int // index of the first Tx that differs from the best Sequence so far
}

// NewShrinking returns the start of shrinking s, which fails, with at most budget
// attempts.
func NewShrinking(s input.Sequence, budget int) *Shrinking {
	return &Shrinking{
		best: s, budget: budget, refuted: map[uint64]bool{}, drop: newDropping(s.Txs), parameter: merged,
	}
}

// NewRunShrinking is NewShrinking for sequences that fail only at their length: calls
// become repetitions of others in place of being dropped.
func NewRunShrinking(s input.Sequence, budget int) *Shrinking {
	all := NewShrinking(s, budget)
	all.whole, all.drop.repeat = true, true
	return all
}

// Best returns the simplest Sequence so far that fails.
func (s *Shrinking) Best() input.Sequence { return s.best }

// Next returns the next attempt, the same until Tell; false if there is none or
// the budget is spent.
func (s *Shrinking) Next() (Attempt, bool) {
	for s.budget > 0 && !s.done {
		attempt, ok := s.candidate()
		switch {
		case !ok:
			s.turn()
		case len(attempt.Sequence.Txs) == 0 || s.refuted[digest(&attempt)] || s.whole && digest(&attempt) == digest(&Attempt{Sequence: s.best}):
			s.refute()
		default:
			return attempt, true
		}
	}
	return Attempt{}, false
}

func digest(a *Attempt) uint64 { return input.Digest(input.Sequence{Txs: a.Sequence.Txs}) }

// candidate returns the attempt at the current place, tried or not; false if none
// is left there.
func (s *Shrinking) candidate() (Attempt, bool) {
	if s.drop != nil {
		txs, ok := s.drop.next()
		return Attempt{input.Sequence{Deployment: s.best.Deployment, Txs: txs}, s.drop.at}, ok
	}
	if len(s.attempts) == 0 {
		return Attempt{}, false
	}
	return s.attempts[0], true
}

// Tell says whether the attempt that Next returned fails.
func (s *Shrinking) Tell(fails bool) {
	attempt, ok := s.candidate()
	if !ok {
		return
	}
	s.budget--
	if !fails {
		s.refuted[digest(&attempt)] = true
		s.refute()
		return
	}
	s.best = attempt.Sequence
	if s.drop != nil {
		s.drop.tell(true)
		return
	}
	s.attempts, s.plainer = nil, true
	if s.parameter == merged {
		s.parameter-- // the Tx that comes up here may be merged as well
	}
}

// refute goes on to the next attempt at the current place.
func (s *Shrinking) refute() {
	if s.drop != nil {
		s.drop.tell(false)
		return
	}
	s.attempts = s.attempts[1:]
}

// turn goes on to the next place.
func (s *Shrinking) turn() {
	switch {
	case s.drop != nil:
		s.drop = nil
	case s.tx < len(s.best.Txs):
		if s.parameter++; s.parameter >= len(input.Parameters(&s.best.Txs[s.tx])) {
			s.tx, s.parameter = s.next(), merged
		}
		if s.tx == len(s.best.Txs) {
			s.data, s.parameter = repeated(s.best), 0
		}
	case s.parameter < len(s.data):
		s.parameter++
	case s.plainer:
		s.tx, s.parameter, s.plainer = 0, merged, false
	default:
		s.done, s.refuted = true, nil
		return
	}
	s.attempts = s.simpler()
}

// simpler lists the attempts at the current place, the simplest first.
func (s *Shrinking) simpler() (list []Attempt) {
	if s.tx == len(s.best.Txs) {
		if s.parameter < len(s.data) {
			return s.together(s.data[s.parameter])
		}
		return nil
	}
	tx := s.best.Txs[s.tx]
	try := func(tx input.Tx) { list = append(list, Attempt{s.with(tx), s.tx}) }
	switch s.parameter {
	case merged:
		if attempt, ok := s.merge(); ok && !s.whole {
			list = append(list, attempt)
		}
	case withoutScript:
		if tx.Script != nil {
			tx.Script = nil
			try(tx)
		}
	case allTogether:
		if simplest, ok := simplest(tx); ok {
			try(simplest)
		}
	default:
		p := input.Parameters(&tx)[s.parameter]
		for _, w := range plainerWords(&tx, &p) {
			try(input.Set(&tx, &p, w))
		}
	}
	return list
}

// next returns the index of the Tx that is simplified after the current one.
func (s *Shrinking) next() int {
	at, current := s.tx+1, input.DigestTx(input.NoTxs, &s.best.Txs[s.tx])
	for s.whole && at < len(s.best.Txs) && input.DigestTx(input.NoTxs, &s.best.Txs[at]) == current {
		at++
	}
	return at
}

// with replaces the current Tx.
func (s *Shrinking) with(tx input.Tx) input.Sequence {
	q, end := s.best, s.next()
	q.Txs = slices.Clone(q.Txs)
	for i := s.tx; i < end; i++ {
		q.Txs[i] = tx
	}
	return q
}

// merge drops the current Tx and adds its numbers to those of the next Tx that
// calls the same function: deposits that matter by their sum become one.
func (s *Shrinking) merge() (Attempt, bool) {
	tx := &s.best.Txs[s.tx]
	for j := s.tx + 1; j < len(s.best.Txs); j++ {
		next := s.best.Txs[j]
		if next.To != tx.To || next.Function != tx.Function {
			continue
		}
		from := input.Parameters(tx)
		if len(from) != len(input.Parameters(&next)) {
			return Attempt{}, false
		}
		for i := range from {
			p := &from[i]
			number := p.Kind == input.ParamWei || p.Kind == input.ParamArg && p.Of != nil && (p.Of.Kind == input.KindUint || p.Of.Kind == input.KindInt)
			if number {
				var sum uint256.Int
				a, b := input.Get(tx, p), input.Get(&next, p)
				next = input.Set(&next, p, *sum.Add(&a, &b))
			}
		}
		return Attempt{s.best.WithTx(j, next).Without(s.tx), s.tx}, true
	}
	return Attempt{}, false
}

// simplest returns a Tx with the simplest word for each Parameter; false if it has
// them.
func simplest(tx input.Tx) (_ input.Tx, ok bool) {
	for i := 0; i < len(input.Parameters(&tx)); i++ {
		p := input.Parameters(&tx)[i]
		if words := plainerWords(&tx, &p); len(words) > 0 {
			tx, ok = input.Set(&tx, &p, words[0]), true
		}
	}
	return tx, ok
}

// together lists attempts with shorter data in every place that has it: the
// secret of a commit-reveal scheme can only change in both Txs at once.
func (s *Shrinking) together(data []byte) (list []Attempt) {
	first := slices.IndexFunc(s.best.Txs, func(tx input.Tx) bool {
		return slices.ContainsFunc(tx.Args, func(v input.Value) bool { return isData(&v) && string(v.Data) == string(data) })
	})
	for _, shorter := range shorterData(data) {
		list = append(list, Attempt{replaceAll(s.best, data, shorter), max(first, 0)})
	}
	return list
}
