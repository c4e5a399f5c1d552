package mutate

import (
	"math/rand/v2"
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// Nested changes what bytes values of a Tx hold: a list of calls gets another one,
// loses one, or has two exchanged; other values are drawn again. Some of the calls
// are transactions of other Sequences. It returns false if no bytes value holds
// values.
func Nested(r *rand.Rand, env *Env, s input.Sequence) (input.Sequence, Diff, bool) {
	i, ok := pickTx(r, env, &s)
	if !ok {
		return s, Diff{}, false
	}
	tx := s.Txs[i]
	path, ok := pickHolder(r, &tx)
	if !ok {
		return s, Diff{}, false
	}
	v := *tx.At(path)
	if v.Type.Kind == input.KindSlice {
		v, ok = changeList(r, env, v)
	} else {
		v, ok = changeContent(r, env, v), true
	}
	if !ok {
		return s, Diff{}, false
	}
	child := input.Directed(tx.WithArg(path, v), path)
	next, first := s.WithTx(i, child), i
	if r.IntN(4) > 0 {
		next, first, _ = input.Mirrored(s, next, i)
	}
	return next, Diff{Tx: i, First: first}, !child.Oversized()
}

// pickHolder draws a bytes value that holds values or may, or, half of the time, a
// list of such.
func pickHolder(r *rand.Rand, tx *input.Tx) ([]int, bool) {
	lists, others := countHolders(tx.Args)
	switch {
	case lists > 0 && (others == 0 || r.IntN(2) == 0):
		n := r.IntN(lists)
		return holder(tx.Args, true, &n, 0), true
	case others > 0:
		n := r.IntN(others)
		return holder(tx.Args, false, &n, 0), true
	}
	return nil, false
}

// holds reports whether a value is a bytes value that holds values, or may, or a list
// of such, and whether it is a list.
func holds(v *input.Value) (held, list bool) {
	list = v.Type.Kind == input.KindSlice
	return v.Content != nil || v.Type.Kind == input.KindBytes && v.Type.MayHold() || list && v.Type.Elem.MayHold(), list
}

// countHolders counts what holds reports.
func countHolders(values []input.Value) (lists, others int) {
	for i := range values {
		switch held, list := holds(&values[i]); {
		case held && list:
			lists++
		case held:
			others++
		}
		l, o := countHolders(values[i].Elems)
		lists, others = lists+l, others+o
	}
	return lists, others
}

// holder returns the path of the nth list, or of the nth other value, that countHolders
// counts, behind depth indices that its caller sets; nil if there are no more than n, which
// becomes less by those.
func holder(values []input.Value, list bool, n *int, depth int) []int {
	for i := range values {
		var path []int
		if held, isList := holds(&values[i]); held && isList == list {
			if *n == 0 {
				path = make([]int, depth+1)
			}
			*n--
		}
		if path == nil {
			path = holder(values[i].Elems, list, n, depth+1)
		}
		if path != nil {
			path[depth] = i
			return path
		}
	}
	return nil
}

// changeList changes a list whose elements may hold values. The longer it is, the more
// likely it loses an element, so that lists have some six: each element more is another
// path, and takes longer.
func changeList(r *rand.Rand, env *Env, v input.Value) (input.Value, bool) {
	n := len(v.Elems)
	long := n / 2
	switch k := r.IntN(8+long) - long; {
	case n > 0 && k < 2:
		at := r.IntN(n)
		v.Elems = slices.Delete(slices.Clone(v.Elems), at, at+1)
	case n > 1 && k < 3:
		a, b := r.IntN(n), r.IntN(n)
		v.Elems = slices.Clone(v.Elems)
		v.Elems[a], v.Elems[b] = v.Elems[b], v.Elems[a]
		return v, a != b
	case n >= input.MaxElements:
		return v, false
	default:
		at := n // what comes last acts on what is before it
		if r.IntN(2) == 0 {
			at = r.IntN(n + 1)
		}
		v.Elems = slices.Insert(slices.Clone(v.Elems), at, newElement(r, env, &v))
	}
	return v, true
}

// newElement returns an element for a list: one of its own again, a call that
// another Sequence makes, or a new one.
func newElement(r *rand.Rand, env *Env, list *input.Value) input.Value {
	if n := len(list.Elems); n > 0 && r.IntN(3) == 0 {
		return list.Elems[r.IntN(n)]
	}
	if list.Type.Elem.Kind == input.KindBytes && r.IntN(2) == 0 {
		if v, ok := donated(r, env, list.Type.Elem); ok {
			return v
		}
	}
	return input.Random(r, list.Type.Elem, env.Pool(nil))
}

// changeContent returns a bytes value that holds something else.
func changeContent(r *rand.Rand, env *Env, v input.Value) input.Value {
	if v.Content != nil && r.IntN(4) == 0 {
		if broken, ok := broken(r, env, &v); ok {
			return broken
		}
	}
	if r.IntN(2) == 0 {
		if other, ok := donated(r, env, v.Type); ok {
			return other
		}
	}
	return input.Random(r, v.Type, env.Pool(nil))
}

// broken returns the encoding of what a bytes value holds as plain bytes, with another
// word in it: lengths and offsets may be any there. It returns false if there is none.
func broken(r *rand.Rand, env *Env, v *input.Value) (input.Value, bool) {
	data, start := slices.Clone(v.Bytes()), 0
	if v.Content.Function != nil {
		start = 4
	}
	words := (len(data) - start) / 32
	if words <= 0 {
		return *v, false
	}
	word := input.RandomWord(r, input.WordType{Bits: 256}, env.Pool(nil))
	if r.IntN(2) == 0 { // as lengths and offsets must not be
		word.Lsh(uint256.NewInt(1), uint(r.IntN(256)))
	}
	word.PutUint256(data[start+32*r.IntN(words):])
	return input.Value{Type: v.Type, Data: data}, true
}

// donated returns a bytes value that holds the call of a transaction of another
// Sequence; false if the code does not take the type for calls of it.
func donated(r *rand.Rand, env *Env, t *input.Type) (v input.Value, ok bool) {
	if env.Donor == nil {
		return v, false
	}
	donor, ok := env.Donor(r)
	if !ok || len(donor.Txs) == 0 {
		return v, false
	}
	tx := &donor.Txs[r.IntN(len(donor.Txs))]
	f := tx.Function
	if f == nil || f.Raw {
		return v, false
	}
	for _, c := range t.Contents {
		if c.Function != nil && c.Signature == f.Signature {
			return input.Value{Type: t, Content: c, Elems: tx.Args}, true
		}
	}
	if !t.Calls {
		return v, false
	}
	to := Target{To: tx.To, Function: f}
	return input.Value{Type: t, Content: to.call(), Elems: tx.Args}, true
}
