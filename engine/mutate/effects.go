package mutate

import "leveret/engine/input"

// idleAfter is how often a word may be changed in vain before it counts as
// one without effect: once would do for AFL's flip of all bits, but a branch
// like x < 2^255 needs a few different values to show.
const idleAfter = 6

// An EffectMap remembers, for one Entry, which of its words ever changed what
// an execution did: AFL's effector map with a word of the calldata in place of
// a byte, as in sFuzz, section 3.3. It belongs to the Entry's owner, who
// records; a nil map knows nothing.
type EffectMap struct {
	words map[wordIndex]effect
}

type wordIndex struct{ tx, param int }

type effect struct {
	changes   int
	effective bool
}

// Record notes whether a change of a single word had effect: another path, or
// costs other than the parent's.
func (m *EffectMap) Record(c Diff, had bool) {
	if m == nil || !c.Single {
		return
	}
	if m.words == nil {
		m.words = map[wordIndex]effect{}
	}
	key := wordIndex{c.Tx, c.Param.Index}
	e := m.words[key]
	e.effective = e.effective || had
	e.changes++
	m.words[key] = e
}

// Idle tells whether a word was changed several times and never mattered.
func (m *EffectMap) Idle(tx int, p *input.Parameter) bool {
	if m == nil || m.words == nil {
		return false
	}
	e := m.words[wordIndex{tx, p.Index}]
	return !e.effective && e.changes >= idleAfter
}
