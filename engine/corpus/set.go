package corpus

import (
	"crypto/sha256"
	"encoding/hex"
)

// An ID names an input in its readable form, wherever it is stored: its SHA-256.
// Newlines at its ends do not count.
type ID [sha256.Size]byte

// IDOf returns the ID of an input.
func IDOf(in []byte) ID { return sha256.Sum256(trim(in)) }

// String returns the first 8 hexadecimal digits.
func (id ID) String() string { return hex.EncodeToString(id[:4]) }

// A Set holds inputs in their readable form, each once, in order of arrival. It
// knows no files. The zero value is empty.
type Set struct {
	Inputs [][]byte // without newlines at their ends
	ids    map[ID]bool
}

// Add adds an input, and reports whether it is new. Empty ones are not.
func (s *Set) Add(in []byte) bool {
	in = trim(in)
	id := IDOf(in)
	if len(in) == 0 || s.ids[id] {
		return false
	}
	if s.ids == nil {
		s.ids = map[ID]bool{}
	}
	s.ids[id] = true
	s.Inputs = append(s.Inputs, in)
	return true
}

// AddAll adds inputs, and returns how many are new.
func (s *Set) AddAll(list [][]byte) (added int) {
	for _, in := range list {
		if s.Add(in) {
			added++
		}
	}
	return added
}
