package replay

import (
	"maps"
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// A Shrinking looks for the shortest and simplest Sequence that still fails:
// fewer Txs, then simpler Parameters, again until nothing changes. What follows
// removed Txs keeps its block as long as nothing shows that it may be earlier. The
// caller executes the attempts; it may stop after any attempt and continue later.
type Shrinking struct {
	best    input.Sequence
	budget  int             // attempts left
	refuted map[uint64]bool // digests of attempts that do not fail

	drop      *dropping[input.Tx] // nil: no Tx can be dropped any more
	pair      [2]int              // two Txs to drop together, in order; the second one is 0 if none is left
	tx        int                 // Tx that is simplified; -1: what occurs repeatedly
	parameter int                 // of that Tx, or one of the steps before; or the index in repeated and, after them, accounts
	repeated  []input.Value
	accounts  []input.Actor
	attempts  []Attempt   // not yet tried at this place
	low       uint256.Int // the largest number at this place that does not fail
	halvings  int         // of the numbers between it and the one of the best Sequence
	plainer   bool        // this round made something simpler
	done      bool
	whole     bool // the length stays; equal Txs in a row change together
}

// The steps before the Parameters of a Tx are simplified one at a time.
const (
	merged = -4 + iota
	plainerScript
	allTogether
	shorterLists
)

// An Attempt is a Sequence that may still fail.
type Attempt struct {
	Sequence input.Sequence
	First    int // index of the first Tx that differs from the best Sequence so far
}

// NewShrinking returns the start of shrinking s, which fails, with at most budget
// attempts.
func NewShrinking(s input.Sequence, budget int) *Shrinking {
	all := &Shrinking{best: recognized(s), budget: budget, refuted: map[uint64]bool{}}
	all.restart()
	return all
}

// recognized returns s with values in place of bytes that encode them.
func recognized(s input.Sequence) input.Sequence {
	s.Txs = slices.Clone(s.Txs)
	for i := range s.Txs {
		s.Txs[i] = s.Txs[i].Typed()
	}
	return s
}

// restart starts a round.
func (s *Shrinking) restart() {
	s.drop, s.pair = newParts(s.best.Txs), [2]int{}
	s.drop.repeat = s.whole
	s.tx, s.parameter, s.plainer = -1, -1, false
}

// newParts starts to drop Txs. What follows them keeps its block.
func newParts(txs []input.Tx) *dropping[input.Tx] {
	d := newDropping(txs)
	d.join = func(removed []input.Tx, next input.Tx) input.Tx { return next.After(removed) }
	return d
}

// maxPaired is the longest Sequence of which every two Txs are dropped together,
// such as what opens something and what closes it.
const maxPaired = 20

// nextPair goes on to the next two Txs to drop together.
func (s *Shrinking) nextPair() {
	n := len(s.best.Txs)
	if s.pair[1]++; s.pair[1] >= n {
		s.pair[0]++
		s.pair[1] = s.pair[0] + 1
	}
	if n > maxPaired || s.whole || s.pair[1] >= n {
		s.pair[1] = 0
	}
}

// NewRunShrinking is NewShrinking for sequences that fail only at their length: calls
// become repetitions of others in place of being dropped.
func NewRunShrinking(s input.Sequence, budget int) *Shrinking {
	all := &Shrinking{best: s, budget: budget, refuted: map[uint64]bool{}, whole: true}
	all.restart()
	return all
}

// Best returns the simplest Sequence so far that fails.
func (s *Shrinking) Best() input.Sequence { return s.best }

// Left returns how many attempts are left.
func (s *Shrinking) Left() int { return s.budget }

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
	if s.pair[1] > 0 {
		rest := newParts(s.best.Txs)
		rest.seq = rest.without(s.pair[1], s.pair[1]+1)
		return Attempt{input.Sequence{Deployment: s.best.Deployment, Txs: rest.without(s.pair[0], s.pair[0]+1)}, s.pair[0]}, true
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
	switch {
	case s.drop != nil:
		s.drop.tell(true)
		return
	case s.pair[1] > 0:
		s.restart()
		return
	}
	s.attempts, s.plainer = nil, true
	s.halve()
	switch s.parameter {
	case merged, plainerScript, shorterLists:
		s.parameter-- // the Tx that comes up here may be merged as well, its script made plainer, or its lists shorter
	}
}

// refute goes on to the next attempt at the current place.
func (s *Shrinking) refute() {
	switch {
	case s.drop != nil:
		s.drop.tell(false)
	case s.pair[1] > 0:
		s.nextPair()
	default:
		if size, _, ok := s.number(&s.attempts[0].Sequence); ok && size.Gt(&s.low) {
			s.low = size
		}
		if s.attempts = s.attempts[1:]; len(s.attempts) == 0 {
			s.halve()
		}
	}
}

// maxHalvings bounds the attempts at one place to come nearer to the least number
// that fails.
const maxHalvings = 64

// halve adds an attempt with the number in the middle between the largest one that
// does not fail and the least one that does.
func (s *Shrinking) halve() {
	size, with, ok := s.number(&s.best)
	if !ok || s.halvings == maxHalvings {
		return
	}
	var middle uint256.Int
	middle.Sub(&size, &s.low)
	if !size.Gt(&s.low) || middle.IsUint64() && middle.Uint64() == 1 {
		return
	}
	s.halvings++
	middle.Add(middle.Rsh(&middle, 1), &s.low)
	tx := &s.best.Txs[s.tx]
	s.attempts = append(s.attempts, Attempt{s.with(input.Set(tx, &input.Parameters(tx)[s.parameter], with(&middle))), s.tx})
}

// number returns the number at the current place of a Sequence and a function that
// returns the word of another one; false if there is none.
func (s *Shrinking) number(of *input.Sequence) (size uint256.Int, with func(*uint256.Int) uint256.Int, ok bool) {
	if s.tx < 0 || s.parameter < 0 {
		return size, nil, false
	}
	tx := &of.Txs[s.tx]
	list := input.Parameters(tx)
	if s.parameter >= len(list) || !isNumber(&list[s.parameter]) {
		return size, nil, false
	}
	p := &list[s.parameter]
	size, with = magnitude(p.Word, input.Get(tx, p))
	return size, with, true
}

// turn goes on to the next place.
func (s *Shrinking) turn() {
	switch {
	case s.drop != nil:
		s.drop = nil
		s.nextPair()
		return
	case s.tx < 0:
		if s.parameter++; s.parameter == 0 {
			s.repeated, s.accounts = repeated(s.best), accounts(s.best)
		}
		if s.parameter >= len(s.repeated)+len(s.accounts) {
			s.tx, s.parameter = 0, merged
		}
	default:
		if s.parameter++; s.parameter >= len(input.Parameters(&s.best.Txs[s.tx])) {
			s.tx, s.parameter = s.next(), merged
		}
	}
	if s.tx == len(s.best.Txs) {
		if s.plainer {
			s.restart()
		} else {
			s.done, s.refuted = true, nil
		}
		return
	}
	s.attempts, s.halvings = s.simpler(), 0
	s.low.Clear()
}

// simpler lists the attempts at the current place, the simplest first.
func (s *Shrinking) simpler() (list []Attempt) {
	if s.tx < 0 {
		if i := s.parameter - len(s.repeated); i >= 0 {
			return s.renamed(s.accounts[i])
		}
		return s.together(&s.repeated[s.parameter])
	}
	tx := s.best.Txs[s.tx]
	try := func(tx input.Tx) { list = append(list, Attempt{s.with(tx), s.tx}) }
	switch s.parameter {
	case merged:
		if attempt, ok := s.merge(); ok && !s.whole {
			list = append(list, attempt)
		}
	case plainerScript:
		for _, script := range plainerScripts(tx.Script) {
			tx.Script = script
			try(tx)
		}
	case allTogether:
		if simplest, ok := simplest(tx); ok {
			try(simplest)
		}
	case shorterLists:
		for _, shorter := range withShorterLists(tx) {
			try(shorter)
		}
	default:
		p := input.Parameters(&tx)[s.parameter]
		for _, w := range plainerWords(&tx, &p) {
			try(input.Set(&tx, &p, w))
		}
		for _, v := range withoutOne(&tx, &p) {
			try(tx.WithArg(p.Path, v))
		}
	}
	return list
}

// withoutOne lists what a list of calls is without each of its elements, but for the
// last one, which a shorter length drops.
func withoutOne(tx *input.Tx, p *input.Parameter) (list []input.Value) {
	if p.Kind != input.ParamLength || p.Of.Kind != input.KindSlice || !p.Of.Elem.MayHold() {
		return nil
	}
	v := *tx.At(p.Path)
	for i := range max(0, len(v.Elems)-1) {
		v.Elems = slices.Delete(slices.Clone(tx.At(p.Path).Elems), i, i+1)
		list = append(list, v)
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
		if !slices.EqualFunc(from, input.Parameters(&next), samePlace) {
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

// samePlace reports whether two Parameters are at one place: lists, values in bytes and
// scripts of calls of one function can differ.
func samePlace(a, b input.Parameter) bool {
	return a.Kind == b.Kind && a.Call == b.Call && a.Chunk == b.Chunk && slices.Equal(a.Path, b.Path)
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

// withShorterLists lists what tx is without an element at one place in all lists of one
// length: functions demand that lists whose elements belong together are equally long.
func withShorterLists(tx input.Tx) (list []input.Tx) {
	places := map[int][]int{} // of the lists, by length
	for i, v := range tx.Args {
		if v.Type.Kind == input.KindSlice {
			places[len(v.Elems)] = append(places[len(v.Elems)], i)
		}
	}
	for _, length := range slices.Sorted(maps.Keys(places)) {
		for k := 0; k < length && len(places[length]) > 1; k++ {
			shorter := tx
			for _, i := range places[length] {
				v := tx.Args[i]
				v.Elems = slices.Delete(slices.Clone(v.Elems), k, k+1)
				shorter = shorter.WithArg([]int{i}, v)
			}
			list = append(list, shorter)
		}
	}
	return list
}

// together lists attempts with a plainer value in every argument that has it: the secret of a
// commit-reveal scheme, or the number of a token, can only change in all Txs at once.
func (s *Shrinking) together(v *input.Value) (list []Attempt) {
	old, _ := sharedOf(v)
	for _, plainer := range plainerValues(v) {
		q, first := s.best, 0
		q.Txs = slices.Clone(q.Txs)
		for i := range q.Txs {
			q.Txs[i].Args = replaceAll(q.Txs[i].Args, old, &plainer)
		}
		for q.Txs[first].Equal(&s.best.Txs[first]) {
			first++
		}
		list = append(list, Attempt{q, first})
	}
	return list
}

// renamed lists attempts with a plainer actor in place of an account, as sender and in
// arguments. Both have to change at once if a contract compares them.
func (s *Shrinking) renamed(who input.Actor) (list []Attempt) {
	own := func(tx input.Tx) bool { return tx.From == who }
	for _, plainer := range plainestFirst {
		if plainer == who {
			break
		}
		refused := func(tx input.Tx) bool {
			_, may := tx.Function.Sender(plainer.Address())
			return own(tx) && !may
		}
		if slices.ContainsFunc(s.best.Txs, refused) {
			continue
		}
		q := s.best
		q.Txs = slices.Clone(q.Txs)
		for i := range q.Txs {
			tx := &q.Txs[i]
			if tx.Args, _ = input.Renamed(tx.Args, who.Address(), plainer.Address()); own(*tx) {
				tx.From = plainer
			}
		}
		first := slices.IndexFunc(s.best.Txs, func(tx input.Tx) bool {
			_, named := input.Renamed(tx.Args, who.Address(), plainer.Address())
			return named || own(tx)
		})
		list = append(list, Attempt{q, first})
	}
	return list
}
