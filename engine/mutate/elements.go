package mutate

import (
	"math/rand/v2"
	"slices"

	"leveret/engine/input"
)

// changeValue builds a mutator that replaces a Value of one or more words.
func changeValue(r *rand.Rand, env *Env, s input.Sequence, change func(v input.Value) (input.Value, bool)) (input.Sequence, Diff, bool) {
	i, ok := pickTx(r, env, &s)
	if !ok {
		return s, Diff{}, false
	}
	tx := s.Txs[i]
	path, ok := pickPath(r, tx.Args)
	if !ok {
		return s, Diff{}, false
	}
	v, ok := change(*tx.At(path))
	if !ok {
		return s, Diff{}, false
	}
	return env.with(s, i, tx.WithArg(path, v)), Diff{Tx: i, First: i}, true
}

// pickPath draws a Value at any depth.
func pickPath(r *rand.Rand, values []input.Value) ([]int, bool) {
	if len(values) == 0 {
		return nil, false
	}
	path := []int{r.IntN(len(values))}
	v := &values[path[0]]
	for len(v.Elems) > 0 && r.IntN(2) == 0 {
		k := r.IntN(len(v.Elems))
		path, v = append(path, k), &v.Elems[k]
	}
	return path, true
}

func isList(v *input.Value) bool {
	return v.Type.Kind == input.KindArray || v.Type.Kind == input.KindSlice
}

// swapElements exchanges two elements of an array.
func swapElements(r *rand.Rand, env *Env, s input.Sequence) (input.Sequence, Diff, bool) {
	return changeValue(r, env, s, func(v input.Value) (input.Value, bool) {
		if !isList(&v) || len(v.Elems) < 2 {
			return v, false
		}
		i, j := r.IntN(len(v.Elems)), r.IntN(len(v.Elems))
		if v.Elems[i].Equal(&v.Elems[j]) {
			return v, false
		}
		v.Elems = slices.Clone(v.Elems)
		v.Elems[i], v.Elems[j] = v.Elems[j], v.Elems[i]
		return v, true
	})
}

// copyElement overwrites an element of an array with another: code that
// iterates over lists often overlooks duplicates.
func copyElement(r *rand.Rand, env *Env, s input.Sequence) (input.Sequence, Diff, bool) {
	return changeValue(r, env, s, func(v input.Value) (input.Value, bool) {
		if !isList(&v) || len(v.Elems) < 2 {
			return v, false
		}
		i, j := r.IntN(len(v.Elems)), r.IntN(len(v.Elems))
		if v.Elems[i].Equal(&v.Elems[j]) {
			return v, false
		}
		v.Elems = slices.Clone(v.Elems)
		v.Elems[i] = v.Elems[j]
		return v, true
	})
}

// redrawValue replaces a Value, struct, field or array by a random one.
func redrawValue(r *rand.Rand, env *Env, s input.Sequence) (input.Sequence, Diff, bool) {
	return changeValue(r, env, s, func(v input.Value) (input.Value, bool) {
		fresh := input.Random(r, v.Type, env.Pool(nil))
		return fresh, !fresh.Equal(&v)
	})
}

// redrawArguments draws all arguments and the wei of a Tx.
func redrawArguments(r *rand.Rand, env *Env, s input.Sequence) (input.Sequence, Diff, bool) {
	i, ok := pickTx(r, env, &s)
	if !ok || s.Txs[i].Function == nil {
		return s, Diff{}, false
	}
	tx := &s.Txs[i]
	fresh := input.RandomTx(r, tx.Function, tx.To, env.Pool(tx.Function))
	fresh.Script = tx.Script
	return env.with(s, i, fresh), Diff{Tx: i, First: i}, true
}
