package lookahead

import (
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// Calls restricts the calldata of an analysis; the zero value allows any.
type Calls struct {
	Selector *[4]byte // with this selector; nil: any
	Short    bool     // with too little data for a selector
	Free     bool     // without wei
}

// restrict restricts s to some calls.
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

// selects restricts s to calls with a selector. Compilers shift or divide the
// first word of the calldata.
func (m *machine) selects(s *state, selector [4]byte) {
	head := m.intern(bytecode.CALLDATALOAD, [3]wordID{m.number(0)})
	number := m.constant(new(uint256.Int).SetBytes(selector[:]))
	divisor := m.constant(new(uint256.Int).Lsh(uint256.NewInt(1), 224))
	s.learn(fact{m.apply(bytecode.SHR, [3]wordID{m.number(224), head}), number})
	s.learn(fact{m.apply(bytecode.DIV, [3]wordID{head, divisor}), number})
}
