package engine

import (
	"math/rand/v2"

	"github.com/holiman/uint256"

	"leveret/engine/input"
	"leveret/engine/search"
)

// ranges learn between which values of each argument a fuzz test accepts inputs, and
// move words that sources draw there, as forge-std's bound does. So what vm.assume
// compares with a constant is seldom drawn in vain. Some words are left alone: a range
// may be wider than what was accepted so far.
type ranges struct {
	random  *rand.Rand
	rejects func(*search.Result) bool
	words   []wordRange // by the index of an argument
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

// argument returns the argument of one word that a parameter is, and its range; false
// for others.
func (r *ranges) argument(p *input.Parameter) (*wordRange, bool) {
	if p.Kind != input.ParamArg || len(p.Path) != 1 {
		return nil, false
	}
	for len(r.words) <= p.Path[0] {
		r.words = append(r.words, wordRange{})
	}
	return &r.words[p.Path[0]], true
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
	accepted, tx := !r.rejects(result), result.Sequence.Last()
	for _, p := range input.Parameters(tx) {
		if w, ok := r.argument(&p); ok {
			word := input.Get(tx, &p)
			ordinal := p.Word.Ordinal(&word)
			w.note(&ordinal, accepted)
		}
	}
}

// move moves words of a candidate into their ranges. If it was made by changing one
// word of another input, only that one may move.
func (r *ranges) move(next *search.Candidate) {
	tx := next.Sequence.Last()
	for _, p := range input.Parameters(tx) {
		w, ok := r.argument(&p)
		if !ok || !w.holds() {
			continue
		}
		if changed := &next.Change.Param; next.Change.Single && (changed.Kind != p.Kind || changed.Path[0] != p.Path[0]) {
			continue
		}
		word := input.Get(tx, &p)
		ordinal := p.Word.Ordinal(&word)
		if w.contains(&ordinal) || r.random.IntN(leftAlone) == 0 {
			continue
		}
		moved := w.within(&ordinal)
		next.Sequence = next.Sequence.WithTx(0, input.Set(next.Sequence.Last(), &p, p.Word.Word(&moved)))
	}
}
