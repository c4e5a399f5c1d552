package input

import (
	"cmp"
	"slices"
)

// An OffsetMap maps the words of a Tx's calldata to Parameters.
type OffsetMap struct {
	params []Parameter
	words  []CalldataWord // of each Parameter; of size 0 if it is not in the calldata
}

// A CalldataWord is where the word of a Parameter is in the calldata.
type CalldataWord struct {
	Offset int // in bytes
	Size   int // in bytes: 32, but for chunks of bytes and packed values
	Right  bool
}

// Words lists the words of the Parameters that are in the calldata, by offset.
func (m OffsetMap) Words() []CalldataWord {
	list := slices.DeleteFunc(slices.Clone(m.words), func(w CalldataWord) bool { return w.Size == 0 })
	slices.SortStableFunc(list, func(a, b CalldataWord) int { return cmp.Compare(a.Offset, b.Offset) })
	return list
}

// Offsets maps the calldata of tx, lengths included.
func Offsets(tx *Tx) OffsetMap {
	params := Parameters(tx)
	return OffsetMap{params, locate(tx, params)}
}

// At returns the Parameter whose word starts at an offset.
func (m OffsetMap) At(offset int) (Parameter, bool) {
	for i, w := range m.words {
		if w.Offset == offset && w.Size > 0 {
			return m.params[i], true
		}
	}
	return Parameter{}, false
}

func locate(tx *Tx, params []Parameter) []CalldataWord {
	l := locator{words: make([]CalldataWord, 0, len(params))}
	if f := tx.Function; f != nil && f.Raw {
		for i := range params {
			w := CalldataWord{}
			if params[i].Kind == ParamRaw {
				start, end := chunkRange(len(tx.Data), params[i].Chunk)
				w = CalldataWord{Offset: start, Size: end - start}
			}
			l.words = append(l.words, w)
		}
		return l.words
	}
	base := 4
	if tx.Function != nil && tx.Function.Constructor {
		base = 0
	}
	l.list(tx.Args, base)
	for len(l.words) < len(params) {
		l.words = append(l.words, CalldataWord{})
	}
	return l.words
}

// A locator follows the encoding of AppendValues without writing it.
type locator struct{ words []CalldataWord }

func (l *locator) add(at, size int, right bool) {
	l.words = append(l.words, CalldataWord{at, size, right})
}

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
		l.add(at, 32, true)
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
		if v.Content != nil {
			size := l.content(v, at+32) - (at + 32)
			return at + 32 + (size+31)/32*32
		}
		l.add(at, 32, true)
		l.chunks(v.Data, at+32)
		return at + 32 + (len(v.Data)+31)/32*32
	case KindSlice:
		l.add(at, 32, true)
		at += 32
	}
	return l.list(v.Elems, at)
}

// chunks locates the chunks of plain bytes.
func (l *locator) chunks(data []byte, at int) {
	for i, done := 0, 0; done < len(data); i++ {
		var start int
		start, done = chunkRange(len(data), i)
		l.add(at+start, done-start, false)
	}
}

// content locates what a bytes value holds. It has no Parameter for the length.
func (l *locator) content(v *Value, at int) (end int) {
	switch c := v.Content; {
	case c.Packed:
		for i := range v.Elems {
			at = l.packed(&v.Elems[i], at)
		}
		return at
	case c.Function != nil:
		at += 4
	}
	return l.list(v.Elems, at)
}

func (l *locator) packed(v *Value, at int) (end int) {
	switch {
	case v.Content != nil:
		return l.content(v, at)
	case v.Type.Elementary():
		w := wordTypeOf(v.Type)
		l.add(at, w.bytes(), !w.Left)
		return at + w.bytes()
	}
	l.add(at, 0, false) // the length is not encoded
	l.chunks(v.Data, at)
	return at + len(v.Data)
}
