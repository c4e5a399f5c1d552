package engine

import (
	"math/rand/v2"

	"github.com/holiman/uint256"

	"leveret/engine/input"
	"leveret/engine/search"
)

// ranges learn between which values of each argument a fuzz test accepts inputs, and which
// of two arguments has to be larger. They move words that sources draw there, as
// forge-std's bound does, so that what vm.assume compares is seldom drawn in vain. Some
// words are left alone: more may be accepted than what was so far.
type ranges struct {
	random  *rand.Rand
	rejects func(*search.Result) bool
	needed  bool // an input was rejected
	words   [mostArguments]wordRange
	orders  [mostArguments][mostArguments]wordOrder // of two arguments of one type, the first one first
}

// mostArguments bounds the arguments that are learned about.
const mostArguments = 8

// An argument is an argument of one word.
type argument struct {
	input.Parameter
	ordinal uint256.Int
}

// arguments returns the first arguments of one word of a transaction, by index.
func arguments(tx *input.Tx) (list [mostArguments]*argument) {
	for _, p := range input.Parameters(tx) {
		if p.Kind == input.ParamArg && p.Call == 0 && len(p.Path) == 1 && p.Path[0] < mostArguments {
			word := input.Get(tx, &p)
			list[p.Path[0]] = &argument{p, p.Word.Ordinal(&word)}
		}
	}
	return list
}

// A wordRange is about an argument of one word.
type wordRange struct {
	known     bool        // lo and hi are set
	lo, hi    uint256.Int // ordinals: the least and the largest that were accepted
	tried     int         // latest inputs beyond them
	extending int         // of those, the ones that were accepted
}

// A range holds if at most one in so many of the latest inputs beyond it was accepted,
// of at least leastBeyond. One in leftAlone of the others is executed as it is.
const (
	mostAccepted = 4
	leastBeyond  = 8
	mostBeyond   = 64
	leftAlone    = 24
)

// holds reports whether words are moved into the range.
func (w *wordRange) holds() bool {
	return w.known && w.tried >= leastBeyond && w.extending*mostAccepted < w.tried
}

func (w *wordRange) contains(o *uint256.Int) bool { return !o.Lt(&w.lo) && !o.Gt(&w.hi) }

// note learns from a word that was accepted or rejected.
func (w *wordRange) note(o *uint256.Int, accepted bool) {
	if w.known && w.contains(o) || !w.known && !accepted {
		return
	}
	if w.known {
		if w.tried++; w.tried > mostBeyond {
			w.tried, w.extending = w.tried/2, w.extending/2
		}
	}
	switch {
	case !accepted:
		return
	case !w.known:
		w.known, w.lo, w.hi = true, *o, *o
		return
	case o.Lt(&w.lo):
		w.lo = *o
	default:
		w.hi = *o
	}
	w.extending++
}

// within moves an ordinal into the range.
func (w *wordRange) within(o *uint256.Int) (moved uint256.Int) {
	size := new(uint256.Int).Sub(&w.hi, &w.lo)
	size.AddUint64(size, 1)
	moved.Mod(o, size)
	return *moved.Add(&moved, &w.lo)
}

// A wordOrder is about the order of two arguments of the same type.
type wordOrder struct {
	tried, accepted [2]int // latest inputs in which the second one is larger, or the first one
}

// side is how two arguments are ordered.
func side(a, b *argument) int {
	if a.ordinal.Lt(&b.ordinal) {
		return 0
	}
	return 1
}

// note learns from two arguments that were accepted or rejected.
func (w *wordOrder) note(side int, accepted bool) {
	if w.tried[side]++; accepted {
		w.accepted[side]++
	}
	if w.tried[side] > mostBeyond {
		w.tried[side], w.accepted[side] = w.tried[side]/2, w.accepted[side]/2
	}
}

// swaps reports whether arguments in this order are swapped: it is mostly rejected, and
// the other one mostly not.
func (w *wordOrder) swaps(side int) bool {
	return w.tried[side] >= leastBeyond && w.accepted[side]*mostAccepted < w.tried[side] && w.accepted[1-side]*2 > w.tried[1-side]
}

// moved returns a source whose candidates are moved.
func (r *ranges) moved(next func() *search.Candidate) func() *search.Candidate {
	return func() *search.Candidate {
		c := next()
		if c != nil {
			r.move(c)
		}
		return c
	}
}

// learn learns from a result.
func (r *ranges) learn(result *search.Result) {
	if !result.Real() {
		return
	}
	accepted := !r.rejects(result)
	if r.needed = r.needed || !accepted; !r.needed {
		return
	}
	list := arguments(result.Sequence.Last())
	for i, a := range list {
		if a == nil {
			continue
		}
		r.words[i].note(&a.ordinal, accepted)
		for j, b := range list[:i] {
			if b != nil && b.Word == a.Word && a.ordinal != b.ordinal {
				r.orders[j][i].note(side(b, a), accepted)
			}
		}
	}
}

// move moves words of a candidate. If it was made by changing one word of another input,
// only that one moves into its range.
func (r *ranges) move(next *search.Candidate) {
	if !r.needed {
		return
	}
	for i, a := range arguments(next.Sequence.Last()) {
		w, changed := &r.words[i], &next.Change.Param
		if a == nil || !w.holds() || w.contains(&a.ordinal) || next.Change.Single && (changed.Kind != a.Kind || changed.Path[0] != i) || r.leaves() {
			continue
		}
		moved := w.within(&a.ordinal)
		r.set(next, a, &moved)
	}
	list := arguments(next.Sequence.Last())
	for i, a := range list {
		for j, b := range list[:i] {
			if a == nil || b == nil || b.Word != a.Word || a.ordinal == b.ordinal || !r.orders[j][i].swaps(side(b, a)) || r.leaves() {
				continue
			}
			r.set(next, a, &b.ordinal)
			r.set(next, b, &a.ordinal)
			a.ordinal, b.ordinal = b.ordinal, a.ordinal
			next.Change.Single = false
		}
	}
}

// leaves draws whether a word is left alone.
func (r *ranges) leaves() bool { return r.random.IntN(leftAlone) == 0 }

// set sets an argument of a candidate.
func (r *ranges) set(next *search.Candidate, a *argument, ordinal *uint256.Int) {
	next.Sequence = next.Sequence.WithTx(0, input.Set(next.Sequence.Last(), &a.Parameter, a.Word.Word(ordinal)))
}
