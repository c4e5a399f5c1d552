package input

import "bytes"

// An OffsetMap tells which Parameter of a Tx the words of its calldata come
// from.
type OffsetMap struct {
	words map[int]Parameter // by offset in the calldata
}

// Offsets maps the calldata of tx. It finds out by encoding: every Parameter
// is changed in turn and what moves in the calldata is its word.
func Offsets(tx *Tx) OffsetMap {
	m := OffsetMap{words: map[int]Parameter{}}
	base := tx.Calldata()
	for _, p := range Parameters(tx) {
		switch p.Kind {
		case ParamArg, ParamChunk, ParamRaw:
		default:
			continue
		}
		other := Get(tx, &p)
		other.Not(&other)
		changed := Set(tx, &p, p.Word.Wrap(&other))
		data := changed.Calldata()
		if len(data) != len(base) || bytes.Equal(data, base) {
			continue
		}
		at := 0
		for data[at] == base[at] {
			at++
		}
		if word := wordStart(tx, at); word >= 0 {
			if _, taken := m.words[word]; !taken {
				m.words[word] = p
			}
		}
	}
	return m
}

// wordStart is where the word of the calldata begins that holds a byte.
func wordStart(tx *Tx, at int) int {
	if at < 4 {
		return -1
	}
	return 4 + (at-4)/32*32
}

// At returns the Parameter whose word begins at an offset.
func (m OffsetMap) At(offset int) (Parameter, bool) {
	p, ok := m.words[offset]
	return p, ok
}
