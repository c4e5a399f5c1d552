package mutate

import "leveret/engine/input"

// idleAfter is the number of changes without effect after which a word counts
// as idle. One suffices for AFL's flip of all bits, but a branch like x < 2^255
// may need a few different values.
const idleAfter = 6

// An EffectMap records which words of one Entry affect its execution: AFL's
// effector map with words of calldata in place of bytes, as in sFuzz, section
// 3.3. The Entry's owner writes it; a nil map has no data.
type EffectMap struct {
	words map[wordIndex]effect
}

type wordIndex struct{ tx, param int }

type effect struct {
	changes   int
	effective bool
}

// Record records whether a change of a single word had an effect: another path,
// or other costs than the parent's.
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

// Idle reports whether a word was changed several times without effect.
func (m *EffectMap) Idle(tx int, p *input.Parameter) bool {
	if m == nil || m.words == nil {
		return false
	}
	e := m.words[wordIndex{tx, p.Index}]
	return !e.effective && e.changes >= idleAfter
}
