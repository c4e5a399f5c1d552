package lookahead

import (
	"leveret/engine/bytecode"
)

// advance executes the path abstractly up to the entry of visit i: prefix
// inference [IV-C]. It returns false if the trace contradicts the code.
func (w *walk) advance(i int) bool {
	f := w.a.machineFor(w.p)
	f.fresh = func(int, bool) wordID { return f.symbol() }
	if w.at == 0 {
		w.state.returned = f.number(0)
	}
	for w.at < i && !w.broken {
		w.broken = !w.execute(&f.machine, w.visits[w.at].block, w.visits[w.at+1].block)
		w.at++
	}
	return !w.broken
}

// execute runs a block of the path, given the block after it.
func (w *walk) execute(m *machine, block, next int) bool {
	b := w.p.code.Blocks[block]
	w.a.Stats.Steps += int(b.Last-b.First) + 1
	for i := b.First; i < b.Last || i == b.Last && b.Flow == bytecode.Next; i++ {
		if !m.step(&w.state, int(i)) {
			return false
		}
	}
	return w.leave(m, block, next)
}

// leave goes from one block of the path to the next and learns from the branch.
func (w *walk) leave(m *machine, block, next int) bool {
	s, b := &w.state, w.p.code.Blocks[block]
	switch b.Flow {
	case bytecode.Jumps:
		return len(s.stack) >= 1 && w.went(m, s.pop(), next)
	case bytecode.Branches:
		if len(s.stack) < 2 {
			return false
		}
		to, cond := s.pop(), s.pop()
		if next != block+1 {
			return w.went(m, to, next) && m.assume(s, cond, true, 0)
		}
		if v := m.value(to); v != nil && !v.Eq(m.value(m.number(uint64(b.End)))) {
			return m.assume(s, cond, false, 0)
		}
	}
	return true // both outcomes of a jump to the next instruction are equal
}

// went records that a jump led to a block.
func (w *walk) went(m *machine, to wordID, block int) bool {
	return m.learn(&w.state, to, m.number(uint64(w.p.code.Blocks[block].Start)), 0)
}
