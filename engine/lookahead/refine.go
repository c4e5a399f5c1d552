package lookahead

import (
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// maxRefine bounds the depth of refined conditions.
const maxRefine = 2 * maxDepth

// assume restricts s to executions in which w is nonzero, or zero. It returns
// false if there are none.
func (m *machine) assume(s *state, w wordID, nonzero bool, depth int) bool {
	if v := m.value(w); v != nil {
		return v.IsZero() != nonzero
	}
	x := m.at(w)
	if x == nil || depth > maxRefine {
		return nonzero || m.learn(s, w, m.number(0), depth)
	}
	op, a, b := x.op, x.args[0], x.args[1]
	if r := m.conditions[op]; r != nil && !r(m, s, a, b, nonzero, depth+1) {
		return false
	}
	switch {
	case !nonzero:
		return m.settle(s, w, m.number(0))
	case m.boolean(w):
		return m.settle(s, w, m.number(1))
	}
	return true
}

// A refinement refines a state by an expression of a and b being zero or
// nonzero; false if that is impossible.
type refinement func(m *machine, s *state, a, b wordID, nonzero bool, depth int) bool

// refinements are the opcodes of conditions. Optimisers write a != b as a
// subtraction or an exclusive or.
var refinements = [256]refinement{
	bytecode.ISZERO: func(m *machine, s *state, a, _ wordID, nonzero bool, depth int) bool {
		return m.assume(s, a, !nonzero, depth)
	},
	bytecode.EQ: func(m *machine, s *state, a, b wordID, nonzero bool, depth int) bool {
		if nonzero {
			return m.equate(s, a, b, depth)
		}
		return m.differ(s, a, b, depth)
	},
	bytecode.SUB: inequality,
	bytecode.XOR: inequality,
	bytecode.LT: func(m *machine, s *state, a, b wordID, nonzero bool, depth int) bool {
		return m.below(s, a, b, nonzero, depth)
	},
	bytecode.GT: func(m *machine, s *state, a, b wordID, nonzero bool, depth int) bool {
		return m.below(s, b, a, nonzero, depth)
	},
	bytecode.AND: func(m *machine, s *state, a, b wordID, nonzero bool, depth int) bool {
		if nonzero {
			return m.assume(s, a, true, depth) && m.assume(s, b, true, depth)
		}
		return true
	},
	bytecode.OR: func(m *machine, s *state, a, b wordID, nonzero bool, depth int) bool {
		if !nonzero {
			return m.assume(s, a, false, depth) && m.assume(s, b, false, depth)
		}
		return true
	},
}

func inequality(m *machine, s *state, a, b wordID, nonzero bool, depth int) bool {
	if nonzero {
		return m.differ(s, a, b, depth)
	}
	return m.equate(s, a, b, depth)
}

// below refines by a < b, or a >= b.
func (m *machine) below(s *state, a, b wordID, holds bool, depth int) bool {
	zero, top := m.number(0), m.constant(new(uint256.Int).SetAllOne())
	switch {
	case holds && (b == zero || a == top || a == b):
		return false
	case holds && b == m.number(1):
		return m.learn(s, a, zero, depth)
	case !holds && a == zero:
		return m.learn(s, b, zero, depth)
	}
	return true
}

// differ refines by a != b.
func (m *machine) differ(s *state, a, b wordID, depth int) bool {
	if a == b {
		return false
	}
	if m.value(a) != nil {
		a, b = b, a
	}
	if v := m.value(b); v != nil && m.boolean(a) && v.LtUint64(2) {
		return m.learn(s, a, m.number(1-v.Uint64()), depth)
	}
	if m.isZero(b) {
		return m.assume(s, a, true, depth)
	}
	return true
}

// equate refines by a == b.
func (m *machine) equate(s *state, a, b wordID, depth int) bool {
	if m.value(a) != nil {
		a, b = b, a
	}
	if m.value(b) != nil {
		return m.learn(s, a, b, depth)
	}
	// Neither is constant: replace a by b everywhere.
	if a >= symbols {
		m.substitute(s, a, b)
	} else if b >= symbols {
		m.substitute(s, b, a)
	}
	return true
}

// learn refines w and its subexpressions by w being a constant.
func (m *machine) learn(s *state, w, constant wordID, depth int) bool {
	if m.value(w) != nil {
		return w == constant
	}
	if x := m.at(w); x != nil && depth <= maxRefine {
		if !m.invert(s, *x, constant, depth+1) {
			return false
		}
	}
	return m.settle(s, w, constant)
}

// invert derives operands from the value of an expression.
func (m *machine) invert(s *state, x node, constant wordID, depth int) bool {
	if x.boolean {
		v := m.value(constant)
		if !v.LtUint64(2) {
			return false
		}
		r := m.conditions[x.op]
		return r == nil || r(m, s, x.args[0], x.args[1], !v.IsZero(), depth)
	}
	a, b := x.args[0], x.args[1]
	switch x.op {
	case bytecode.NOT:
		return m.learn(s, a, m.apply(bytecode.NOT, [3]wordID{constant}), depth)
	case bytecode.ADD, bytecode.XOR:
		back := map[bytecode.Op]bytecode.Op{bytecode.ADD: bytecode.SUB, bytecode.XOR: bytecode.XOR}[x.op]
		if m.value(a) != nil {
			a, b = b, a
		}
		if m.value(b) != nil {
			return m.learn(s, a, m.apply(back, [3]wordID{constant, b}), depth)
		}
	case bytecode.SUB:
		if m.value(b) != nil {
			return m.learn(s, a, m.apply(bytecode.ADD, [3]wordID{constant, b}), depth)
		}
		if m.value(a) != nil {
			return m.learn(s, b, m.apply(bytecode.SUB, [3]wordID{a, constant}), depth)
		}
	}
	return true
}

// settle replaces w by a constant in the state, and records the fact for when
// the same expression is computed again.
func (m *machine) settle(s *state, w, constant wordID) bool {
	if known := s.resolve(w); known != w && known != constant {
		return false
	}
	m.substitute(s, w, constant)
	if w < symbols && s.resolve(w) == w {
		s.learn(fact{w, constant})
	}
	return true
}

// substitute replaces a word by an equal one in the state.
func (m *machine) substitute(s *state, old, new wordID) {
	for i, w := range s.stack {
		s.stack[i] = m.rebuild(w, old, new)
	}
	for i := range s.memory.cells {
		if c := &s.memory.cells[i]; c.mask == full {
			c.word = m.rebuild(c.word, old, new)
		}
	}
	for i := range s.storage {
		s.storage[i].word = m.rebuild(s.storage[i].word, old, new)
	}
	for i := range s.transient {
		s.transient[i].word = m.rebuild(s.transient[i].word, old, new)
	}
	s.returned = m.rebuild(s.returned, old, new)
}

// rebuild returns w with old replaced by new in it.
func (m *machine) rebuild(w, old, new wordID) wordID {
	switch {
	case w == old:
		return new
	case w >= symbols || old < symbols && w < old:
		return w // a symbol, or older than the replaced word
	}
	return m.rebuildParts(w, old, new)
}

func (m *machine) rebuildParts(w, old, new wordID) wordID {
	x := &m.all[w]
	if x.depth == 0 && old < symbols {
		return w
	}
	args := x.args
	for i, a := range args {
		if a != unknown {
			args[i] = m.rebuild(a, old, new)
		}
	}
	if args == x.args {
		return w
	}
	op := x.op
	var r wordID
	if bytecode.Ops[op].Pure {
		r = m.apply(op, args)
	} else {
		r = m.intern(op, args)
	}
	if r == unknown {
		return w
	}
	return r
}
