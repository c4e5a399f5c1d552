package input

import "slices"

// Mirrored returns child, which differs from parent in the arguments of its ith Tx,
// with other Txs changed alike: those that have the same argument in parent get the
// new one. What is scheduled has to be what is executed. The int is the index of the
// first changed Tx; it returns false if there is no other Tx to change.
func Mirrored(parent, child Sequence, i int) (_ Sequence, first int, ok bool) {
	first = i
	if len(parent.Txs) != len(child.Txs) || len(parent.Txs[i].Args) != len(child.Txs[i].Args) {
		return child, first, false
	}
	for k := range parent.Txs[i].Args {
		was, is := &parent.Txs[i].Args[k], &child.Txs[i].Args[k]
		if was.Equal(is) {
			continue
		}
		for j := range child.Txs {
			if at := slices.IndexFunc(child.Txs[j].Args, func(v Value) bool { return v.Equal(was) }); j != i && at >= 0 {
				v := *is
				v.Type = child.Txs[j].Args[at].Type
				child = child.WithTx(j, child.Txs[j].WithArg([]int{at}, v))
				first, ok = min(first, j), true
			}
		}
	}
	return child, first, ok
}

// Nests reports whether the code takes bytes in the arguments of f for more than
// bytes.
func (f *Function) Nests() bool {
	return f != nil && slices.ContainsFunc(f.Inputs, func(f Field) bool { return f.Type.nests() })
}

func (t *Type) nests() bool {
	switch t.Kind {
	case KindBytes:
		return len(t.Contents) > 0 || t.Calls
	case KindArray, KindSlice:
		return t.Elem.nests()
	case KindTuple:
		return slices.ContainsFunc(t.Fields, func(f Field) bool { return f.Type.nests() })
	}
	return false
}

// MayHold reports whether values of the type have bytes, not in lists, that the code
// takes for more than bytes.
func (t *Type) MayHold() bool { return t.Kind != KindArray && t.Kind != KindSlice && t.nests() }
