package input

// An OffsetMap maps the words of a Tx's calldata to Parameters.
type OffsetMap struct {
	params []Parameter
	at     []int // byte offset of each Parameter's word; -1 if it is not in the calldata
}

// Offsets maps the calldata of tx, lengths included.
func Offsets(tx *Tx) OffsetMap {
	params := Parameters(tx)
	return OffsetMap{params, locate(tx, params)}
}

// At returns the Parameter whose word starts at an offset.
func (m OffsetMap) At(offset int) (Parameter, bool) {
	for i, at := range m.at {
		if at == offset && at >= 0 {
			return m.params[i], true
		}
	}
	return Parameter{}, false
}

func locate(tx *Tx, params []Parameter) []int {
	l := locator{at: make([]int, 0, len(params))}
	if f := tx.Function; f != nil && f.Raw {
		for i := range params {
			at := -1
			if params[i].Kind == ParamRaw {
				at, _ = chunkRange(len(tx.Data), params[i].Chunk)
			}
			l.at = append(l.at, at)
		}
		return l.at
	}
	base := 4
	if tx.Function != nil && tx.Function.Constructor {
		base = 0
	}
	l.list(tx.Args, base)
	for len(l.at) < len(params) {
		l.at = append(l.at, -1)
	}
	return l.at
}

// A locator follows the encoding of AppendValues without writing it.
type locator struct{ at []int }

// list locates values whose heads start at base and returns the end of their
// encoding.
func (l *locator) list(values []Value, base int) (end int) {
	head := base
	for i := range values {
		base += values[i].Type.headSize()
	}
	end = base
	for i := range values {
		v := &values[i]
		if v.Type.Dynamic() {
			end = l.tail(v, end)
			head += 32
		} else {
			head = l.static(v, head)
		}
	}
	return end
}

func (l *locator) static(v *Value, at int) (end int) {
	if v.Type.Kind != KindArray && v.Type.Kind != KindTuple {
		l.at = append(l.at, at)
		return at + 32
	}
	for i := range v.Elems {
		at = l.static(&v.Elems[i], at)
	}
	return at
}

func (l *locator) tail(v *Value, at int) (end int) {
	switch v.Type.Kind {
	case KindBytes, KindString:
		l.at = append(l.at, at)
		at += 32
		for i, done := 0, 0; done < len(v.Data); i++ {
			var start int
			start, done = chunkRange(len(v.Data), i)
			l.at = append(l.at, at+start)
		}
		return at + (len(v.Data)+31)/32*32
	case KindSlice:
		l.at = append(l.at, at)
		at += 32
	}
	return l.list(v.Elems, at)
}
