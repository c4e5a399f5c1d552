package lookahead

import "slices"

// A wordPair is a known storage word.
type wordPair struct{ key, word wordID }

// A fact is an expression with a known constant value, from a branch that
// tested it.
type fact struct{ expression, constant wordID }

// maxFacts and maxSlots bound the size of a state; the oldest entries are
// dropped.
const (
	maxFacts = 48
	maxSlots = 48
)

// A state is the abstract state before an instruction.
type state struct {
	stack     []wordID // top is last
	memory    memory
	storage   []wordPair
	transient []wordPair
	returned  wordID // size of the return data
	facts     []fact
}

// copyTo makes to a deep copy of s.
func (s *state) copyTo(to *state) {
	to.stack = append(to.stack[:0], s.stack...)
	to.memory.cells = append(to.memory.cells[:0], s.memory.cells...)
	to.memory.dirty = s.memory.dirty
	to.storage = append(to.storage[:0], s.storage...)
	to.transient = append(to.transient[:0], s.transient...)
	to.facts = append(to.facts[:0], s.facts...)
	to.returned = s.returned
}

func (s *state) push(w wordID) { s.stack = append(s.stack, w) }

func (s *state) pop() wordID {
	w := s.stack[len(s.stack)-1]
	s.stack = s.stack[:len(s.stack)-1]
	return w
}

// resolve returns the constant value of w according to a fact, else w.
func (s *state) resolve(w wordID) wordID {
	if w < symbols {
		for i := len(s.facts) - 1; i >= 0; i-- {
			if s.facts[i].expression == w {
				return s.facts[i].constant
			}
		}
	}
	return w
}

func (s *state) learn(f fact) {
	if len(s.facts) >= maxFacts {
		s.facts = slices.Delete(s.facts, 0, 1)
	}
	s.facts = append(s.facts, f)
}

// find returns the word at a storage key; unknown if none is known.
func find(store []wordPair, key wordID) wordID {
	for _, s := range store {
		if s.key == key {
			return s.word
		}
	}
	return unknown
}

// put writes to a storage and drops all words whose keys may be equal. Only two
// different constants are surely different keys.
func put(n *nodes, store []wordPair, key, w wordID) []wordPair {
	constant := n.value(key) != nil
	store = slices.DeleteFunc(store, func(s wordPair) bool {
		return s.key == key || !constant || n.value(s.key) == nil
	})
	return remember(store, key, w)
}

// remember records the word at a storage key without a write.
func remember(store []wordPair, key, w wordID) []wordPair {
	if len(store) >= maxSlots {
		store = slices.Delete(store, 0, 1)
	}
	return append(store, wordPair{key, w})
}
