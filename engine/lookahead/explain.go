package lookahead

import (
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// A Reach is what a call can reach in a code, for any state and input that
// fits, as far as the analysis can tell.
type Reach struct {
	Blocks  []BlockReach // all of the code's, in order
	Reasons []Reason     // what was met on the way, but Unreachable; none: no target can be reached
	Steps   int          // instructions executed abstractly
}

// A BlockReach is one basic block in a Reach.
type BlockReach struct {
	Start, End uint32
	Target     bool // contains one
	Calls      bool // opens frames, from which targets may be reached
	Contexts   int  // abstract states that enter it; 0: proved unreachable, unless Reasons hold Unresolved or Exhausted
}

// Calls say what calldata is looked at; the zero value means any.
type Calls struct {
	Selector *[4]byte // calls with this selector; nil: with any
	Short    bool     // calls with too little data for a selector
	Free     bool     // calls without wei
}

// Explain tells which blocks of a code calls may reach from its beginning. It
// returns false if the code is not known.
func (a *Analyzer) Explain(code int, calls Calls) (Reach, bool) {
	p := a.program(code)
	if p == nil {
		return Reach{}, false
	}
	a.flow.nodes.reset()
	f := a.machineFor(p)
	f.relevant, f.gather = nil, true
	s := &state{returned: f.number(0)}
	f.restrict(s, calls)
	f.start(0, s)
	f.run()
	r := Reach{Steps: f.steps}
	for reason := Reached; reason <= Exhausted; reason++ {
		if f.reasons[reason] {
			r.Reasons = append(r.Reasons, reason)
		}
	}
	for b, blk := range p.code.Blocks {
		r.Blocks = append(r.Blocks, BlockReach{blk.Start, blk.End, p.goals[b], p.graph.calls[b], int(f.per[b])})
	}
	return r, true
}

// restrict lets s contain only some calls.
func (m *machine) restrict(s *state, calls Calls) {
	if calls.Free {
		s.learn(fact{m.intern(bytecode.CALLVALUE, [3]wordID{}), m.number(0)})
	}
	if calls.Selector == nil && !calls.Short {
		return
	}
	size := m.intern(bytecode.CALLDATASIZE, [3]wordID{})
	short := m.apply(bytecode.LT, [3]wordID{size, m.number(4)})
	if calls.Short {
		s.learn(fact{short, m.number(1)})
		return
	}
	s.learn(fact{short, m.number(0)})
	m.selects(s, *calls.Selector)
}

// selects lets s contain only calls with a selector. Compilers shift the
// first word of the calldata, or divide it.
func (m *machine) selects(s *state, selector [4]byte) {
	head := m.intern(bytecode.CALLDATALOAD, [3]wordID{m.number(0)})
	number := m.constant(new(uint256.Int).SetBytes(selector[:]))
	divisor := m.constant(new(uint256.Int).Lsh(uint256.NewInt(1), 224))
	s.learn(fact{m.apply(bytecode.SHR, [3]wordID{m.number(224), head}), number})
	s.learn(fact{m.apply(bytecode.DIV, [3]wordID{head, divisor}), number})
}
