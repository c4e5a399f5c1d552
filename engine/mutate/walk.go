package mutate

import (
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// A Walk is the deterministic stage of an Entry: it enumerates small changes
// of every word, as AFL does, but orders them by how much they tell. All words
// go through one row before the next row begins, so that words without effect
// are known, and skipped, before the long rows.
type Walk struct {
	ctx  *Context
	s    input.Sequence
	txs  []int
	row  int // of walkRows
	tx   int // of txs
	par  int // of the Tx's Parameters
	next int // of the row's changes of that word
	list []uint256.Int
}

// NewWalk enumerates changes of ctx.Tx, or of all Txs from the last to the
// first if that is negative.
func NewWalk(ctx *Context, s input.Sequence) *Walk {
	w := &Walk{ctx: ctx, s: s}
	for i := len(s.Txs) - 1; i >= 0; i-- {
		if ctx.Tx < 0 || ctx.Tx == i {
			w.txs = append(w.txs, i)
		}
	}
	return w
}

// Next returns the next child; not ok means that the Walk is over.
func (w *Walk) Next() (input.Sequence, Change, bool) {
	for w.row < len(walkRows) && len(w.txs) > 0 {
		i := w.txs[w.tx]
		tx := &w.s.Txs[i]
		params := input.Parameters(tx)
		if w.par >= len(params) {
			w.advance(&w.par)
			continue
		}
		p := &params[w.par]
		row := &walkRows[w.row]
		if !row.accept(p) || w.row > 0 && w.ctx.Effects.Idle(i, p) {
			w.skip()
			continue
		}
		before := input.Get(tx, p)
		if w.next == 0 {
			w.list = row.words(w.ctx, tx, p, &before)
		}
		if w.next >= len(w.list) {
			w.skip()
			continue
		}
		word := w.list[w.next]
		w.next++
		if child, change, ok := setWord(w.s, i, *p, &before, word); ok {
			return child, change, true
		}
	}
	return w.s, Change{}, false
}

// skip goes on to the next word, forgetting the list of this one.
func (w *Walk) skip() {
	w.par++
	w.next, w.list = 0, nil
}

// advance goes on to the next Tx, and to the next row behind the last.
func (w *Walk) advance(par *int) {
	*par = 0
	if w.tx++; w.tx == len(w.txs) {
		w.tx = 0
		w.row++
	}
}

// A walkRow lists the words to try in place of one.
type walkRow struct {
	name   string
	accept filter
	words  func(ctx *Context, tx *input.Tx, p *input.Parameter, w *uint256.Int) []uint256.Int
}

func isAny(*input.Parameter) bool { return true }

func isDelay(p *input.Parameter) bool {
	return p.Kind == input.ParamBlocks || p.Kind == input.ParamSeconds
}

var walkRows = []walkRow{
	{"probe", isAny, probe},
	{"limits", isNumber, func(_ *Context, _ *input.Tx, p *input.Parameter, _ *uint256.Int) []uint256.Int { return limits(p.Word) }},
	{"step", isNumber, steps},
	{"addresses", isAddress, everyAddress},
	{"actors", isActor, upTo(uint64(input.ActorCount - 1))},
	{"lengths", isLength, upTo(5)},
	{"delays", isDelay, everyDelay},
	{"dictionary", isNumber, everyWord},
	{"bytes 1", isNumber, everyFlip(8, 8)},
	{"bytes 2", isNumber, everyFlip(16, 8)},
	{"bytes 4", isNumber, everyFlip(32, 8)},
	{"bits 1", isNumber, everyFlip(1, 1)},
	{"bits 2", isNumber, everyFlip(2, 1)},
	{"bits 4", isNumber, everyFlip(4, 1)},
	{"interest 1", isNumber, everyInterest(1)},
	{"interest 2", isNumber, everyInterest(2)},
	{"interest 4", isNumber, everyInterest(4)},
	{"arith 1", isNumber, everyArith(1)},
	{"arith 2", isNumber, everyArith(2)},
	{"arith 4", isNumber, everyArith(4)},
}

// probe changes a word as much as possible in a few ways: whether any of them
// matters decides on the longer rows.
func probe(_ *Context, _ *input.Tx, p *input.Parameter, w *uint256.Int) []uint256.Int {
	top := p.Word.MaxOrdinal()
	low, one := p.Word.Ordinal(w), uint256.NewInt(1)
	flipped := low
	flipped.Xor(&flipped, &top)
	half := top
	half.Rsh(&half, 1)
	next := low
	next.Add(&next, one)
	list := []uint256.Int{p.Word.Word(&flipped), p.Word.Word(&next)}
	return append(list, p.Word.Wrap(one), p.Word.Word(&uint256.Int{}), p.Word.Word(&half), p.Word.Word(&top))
}

func steps(_ *Context, _ *input.Tx, p *input.Parameter, w *uint256.Int) []uint256.Int {
	var list []uint256.Int
	top := p.Word.MaxOrdinal()
	for delta := uint64(1); delta <= maxArith; delta++ {
		o := p.Word.Ordinal(w)
		up, down := o, o
		if up.AddUint64(&o, delta); !up.Gt(&top) && up.Gt(&o) {
			list = append(list, p.Word.Word(&up))
		}
		if down.SubUint64(&o, delta); down.Lt(&o) {
			list = append(list, p.Word.Word(&down))
		}
	}
	return list
}

func everyAddress(ctx *Context, _ *input.Tx, _ *input.Parameter, _ *uint256.Int) []uint256.Int {
	var list []uint256.Int
	for _, a := range ctx.Addresses.All() {
		list = append(list, addressWord(a))
	}
	return list
}

func everyDelay(*Context, *input.Tx, *input.Parameter, *uint256.Int) []uint256.Int {
	return []uint256.Int{{1}, {12}, {3600}, {86400}, {7 * 86400}, {365 * 86400}}
}

// everyWord lists the dictionary as far as it fits the type, up to a bound
// that keeps the stage affordable.
func everyWord(ctx *Context, tx *input.Tx, p *input.Parameter, _ *uint256.Int) []uint256.Int {
	const most = 256
	var list []uint256.Int
	name := ""
	if tx.Function != nil {
		name = tx.Function.Signature
	}
	for _, w := range ctx.Dictionary.Words(name) {
		if p.Word.Left && p.Word.Wrap(&w) != w {
			w.Lsh(&w, uint(256-p.Word.Bits))
		}
		if p.Word.Wrap(&w) == w && len(list) < most {
			list = append(list, w)
		}
	}
	return list
}

func upTo(n uint64) func(*Context, *input.Tx, *input.Parameter, *uint256.Int) []uint256.Int {
	return func(*Context, *input.Tx, *input.Parameter, *uint256.Int) []uint256.Int {
		list := make([]uint256.Int, n+1)
		for i := range list {
			list[i].SetUint64(uint64(i))
		}
		return list
	}
}

// everyFlip flips n bits at every position that is a multiple of stride.
func everyFlip(n, stride int) func(*Context, *input.Tx, *input.Parameter, *uint256.Int) []uint256.Int {
	return func(_ *Context, _ *input.Tx, p *input.Parameter, w *uint256.Int) []uint256.Int {
		var list []uint256.Int
		for at := 0; at+n <= p.Word.Bits; at += stride {
			list = append(list, flipBitsAt(p.Word, w, n, at))
		}
		return list
	}
}

func everyInterest(n int) func(*Context, *input.Tx, *input.Parameter, *uint256.Int) []uint256.Int {
	return func(_ *Context, _ *input.Tx, p *input.Parameter, w *uint256.Int) []uint256.Int {
		var list []uint256.Int
		for at := 0; 8*(at+n) <= p.Word.Bits; at++ {
			for _, v := range interesting[n] {
				list = append(list, setSegment(p.Word, w, n, at, uint64(v)))
			}
		}
		return list
	}
}

func everyArith(n int) func(*Context, *input.Tx, *input.Parameter, *uint256.Int) []uint256.Int {
	return func(_ *Context, _ *input.Tx, p *input.Parameter, w *uint256.Int) []uint256.Int {
		var list []uint256.Int
		for at := 0; 8*(at+n) <= p.Word.Bits; at++ {
			for delta := int64(1); delta <= maxArith; delta++ {
				list = append(list, addAt(p.Word, w, n, at, delta), addAt(p.Word, w, n, at, -delta))
			}
		}
		return list
	}
}
