package lookahead

import (
	"fmt"

	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// A valuation gives words concrete values, as met in a run.
type valuation map[wordID]uint256.Int

// meets notes that w has a value; false if it had another.
func (v valuation) meets(n *nodes, w wordID, value *uint256.Int) bool {
	if c := n.value(w); c != nil {
		return c.Eq(value)
	}
	if old, ok := v[w]; ok {
		return old.Eq(value)
	}
	v[w] = *value
	return true
}

// contains reports whether an abstract state contains a concrete one; an
// empty answer means yes.
func (v valuation) contains(m *machine, s *state, c *moment) string {
	if len(s.stack) != len(c.stack) {
		return fmt.Sprintf("stack of %d words, abstract %d", len(c.stack), len(s.stack))
	}
	for i, w := range s.stack {
		if !v.meets(&m.nodes, w, &c.stack[i]) {
			return fmt.Sprintf("slot %d holds %s, abstract %s", i, c.stack[i].Hex(), m.describe(w))
		}
	}
	if !c.quiet && (c.memory != nil || !s.memory.dirty) {
		if why := v.containsMemory(m, &s.memory, c.memory); why != "" {
			return why
		}
	}
	for i, slots := range [][]wordPair{s.storage, s.transient} {
		if c.quiet {
			break
		}
		for _, e := range slots {
			key, ok := v.evaluate(m, e.key)
			held, recorded := c.stored[key]
			if ok && recorded && !v.meets(&m.nodes, e.word, &held[i]) {
				return fmt.Sprintf("storage %d at %s holds %s, abstract %s", i, key.Hex(), held[i].Hex(), m.describe(e.word))
			}
		}
	}
	return v.consistent(m, s)
}

func (v valuation) containsMemory(m *machine, abstract *memory, concrete []byte) string {
	for at := 0; at < len(concrete); at += 32 {
		c := abstract.cell(&m.nodes, uint32(at))
		word := new(uint256.Int).SetBytes(concrete[at : at+32])
		if c.mask == full {
			if !v.meets(&m.nodes, c.word, word) {
				return fmt.Sprintf("memory at %#x holds %s, abstract %s", at, word.Hex(), m.describe(c.word))
			}
			continue
		}
		known := m.value(c.word).Bytes32()
		for i := range 32 {
			if c.mask>>i&1 == 1 && known[i] != concrete[at+i] {
				return fmt.Sprintf("memory at %#x is %#x, abstract %#x", at+i, concrete[at+i], known[i])
			}
		}
	}
	return ""
}

// consistent evaluates every expression and fact whose parts have values.
func (v valuation) consistent(m *machine, s *state) string {
	for _, w := range s.stack {
		if got, ok := v.evaluate(m, w); ok && !v.meets(&m.nodes, w, &got) {
			return fmt.Sprintf("%s is %s", m.describe(w), got.Hex())
		}
	}
	for _, f := range s.facts {
		if got, ok := v.evaluate(m, f.expression); ok && !m.value(f.constant).Eq(&got) {
			return fmt.Sprintf("fact %s = %s, but is %s", m.describe(f.expression), m.describe(f.constant), got.Hex())
		}
	}
	return ""
}

func (v valuation) evaluate(m *machine, w wordID) (uint256.Int, bool) {
	if c := m.value(w); c != nil {
		return *c, true
	}
	x := m.at(w)
	if x == nil || !bytecode.Ops[x.op].Pure {
		value, ok := v[w]
		return value, ok
	}
	args := make([]uint256.Int, bytecode.Ops[x.op].Pops)
	for i := range args {
		value, ok := v.evaluate(m, x.args[i])
		if !ok {
			value, ok := v[w]
			return value, ok
		}
		args[i] = value
	}
	return execute(x.op, args)
}

func (m *machine) describe(w wordID) string {
	x := m.at(w)
	switch {
	case x == nil:
		return fmt.Sprintf("s%d", w-symbols)
	case x.constant:
		return x.value.Hex()
	}
	text := bytecode.Ops[x.op].Name
	for _, a := range x.args {
		if a != unknown {
			text += " " + m.describe(a)
		}
	}
	return "(" + text + ")"
}
