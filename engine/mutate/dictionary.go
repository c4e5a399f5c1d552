package mutate

import (
	"bytes"
	"math/rand/v2"

	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// A WordOrigin is where a word of the Dictionary comes from.
type WordOrigin uint8

// The origins. Words of the first two are constants of the program and are
// never dropped; the others may be replaced by words of newer runs.
const (
	FromCode       WordOrigin = iota // PUSH constants
	FromAST                          // literals and constant expressions
	FromComparison                   // operands
	FromStorage                      // values and slots
	FromReturn                       // return data, of calls too
	FromEvent                        // topics and data
)

// Bounds of the Dictionary's shelves.
const (
	maxConstants     = 4096
	maxGlobalWords   = 512
	maxFunctionWords = 128
	maxBlobs         = 256
	smallest         = 4 // smaller numbers are drawn without a dictionary
)

// A Dictionary holds candidate words and byte strings, per function and
// globally. It has no duplicates, drops the words of runs that were not seen
// for longest, and depends only on the order of its inputs. One goroutine
// writes it while no other reads.
type Dictionary struct {
	constants  shelf // of all functions
	global     shelf
	byFunction map[string]*functionWords
	blobs      [][]byte
}

type functionWords struct{ constants, seen shelf }

// NewDictionary returns an empty Dictionary.
func NewDictionary() *Dictionary {
	return &Dictionary{
		constants:  shelf{limit: maxConstants},
		global:     shelf{limit: maxGlobalWords},
		byFunction: map[string]*functionWords{},
	}
}

// Add adds w for a function, given by signature, and globally; an empty
// function means only globally.
func (d *Dictionary) Add(function string, source WordOrigin, w uint256.Int) {
	if w.LtUint64(smallest + 1) {
		return
	}
	constant := source <= FromAST
	if constant {
		d.constants.add(w)
	} else {
		d.global.add(w)
	}
	if function == "" {
		return
	}
	f := d.byFunction[function]
	if f == nil {
		f = &functionWords{shelf{limit: maxConstants}, shelf{limit: maxFunctionWords}}
		d.byFunction[function] = f
	}
	if constant {
		f.constants.add(w)
	} else {
		f.seen.add(w)
	}
}

// AddBytes adds a byte string, such as a string literal. The Dictionary keeps
// b; callers must not change it.
func (d *Dictionary) AddBytes(b []byte) {
	if len(d.blobs) == maxBlobs || len(b) == 0 || len(b) > input.MaxBytes {
		return
	}
	for _, have := range d.blobs {
		if bytes.Equal(have, b) {
			return
		}
	}
	d.blobs = append(d.blobs, b)
}

// Words lists the words for a function without duplicates, its own first.
func (d *Dictionary) Words(function string) []uint256.Int {
	if d == nil {
		return nil
	}
	var all []uint256.Int
	known := map[uint256.Int]bool{}
	take := func(s *shelf) {
		for _, e := range s.words {
			if !known[e.word] {
				known[e.word] = true
				all = append(all, e.word)
			}
		}
	}
	if f := d.byFunction[function]; f != nil {
		take(&f.constants)
		take(&f.seen)
	}
	take(&d.constants)
	take(&d.global)
	return all
}

// draw draws a shelf, the function's own first, and a word of it.
func (d *Dictionary) draw(r *rand.Rand, function string) (uint256.Int, bool) {
	shelves := [4]*shelf{2: &d.constants, 3: &d.global}
	if f := d.byFunction[function]; f != nil {
		shelves[0], shelves[1] = &f.constants, &f.seen
	}
	first := 0
	if r.IntN(3) == 0 {
		first = 2
	}
	first += r.IntN(2)
	for k := range shelves {
		if s := shelves[(first+k)%len(shelves)]; s != nil && len(s.words) > 0 {
			return s.words[r.IntN(len(s.words))].word, true
		}
	}
	return uint256.Int{}, false
}

// A shelf is a bounded set of words in insertion order. A new word replaces one
// that was not seen again since the hand last passed it (the clock algorithm).
type shelf struct {
	limit int
	words []shelved
	index map[uint256.Int]int
	hand  int
}

type shelved struct {
	word  uint256.Int
	again bool
}

func (s *shelf) add(w uint256.Int) {
	if i, ok := s.index[w]; ok {
		s.words[i].again = true
		return
	}
	if s.index == nil {
		s.index = map[uint256.Int]int{}
	}
	if len(s.words) < s.limit {
		s.index[w] = len(s.words)
		s.words = append(s.words, shelved{word: w})
		return
	}
	for s.words[s.hand].again {
		s.words[s.hand].again = false
		s.hand = (s.hand + 1) % s.limit
	}
	delete(s.index, s.words[s.hand].word)
	s.words[s.hand] = shelved{word: w}
	s.index[w] = s.hand
	s.hand = (s.hand + 1) % s.limit
}

// fitWord converts a constant to a word of type t: unchanged, shifted to the
// type's bits, or truncated.
func fitWord(r *rand.Rand, t input.WordType, w uint256.Int) (uint256.Int, bool) {
	if t.Left {
		if t.Wrap(&w) != w || w.BitLen() <= t.Bits && r.IntN(2) == 0 {
			w.Lsh(&w, uint(256-t.Bits))
		}
	} else if t.Signed && r.IntN(4) == 0 {
		w.Neg(&w)
	}
	clean := t.Wrap(&w)
	if t.Limit != 0 && !w.LtUint64(t.Limit) {
		return clean, false
	}
	return clean, clean == w || r.IntN(8) == 0
}
