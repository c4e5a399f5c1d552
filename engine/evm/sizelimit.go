package evm

import (
	"github.com/ethereum/go-ethereum/params"
)

// The limits on the size of code and creation code are off, as in every test
// tool: contracts are often fuzzed unoptimised. go-ethereum has no setting for
// that, but it hands the rules it goes by to the transfer function, by
// reference.

// keepRules is called with every transfer, thus before the first instruction
// of a Call. It lifts the limit on creation code, which comes with Shanghai:
// the traced loop asks for Shanghai at no other time. The fast loop does, so
// it keeps its limits, and Execute falls back on the traced one.
func (m *Machine) keepRules(rules *params.Rules) {
	m.rules = rules
	rules.IsShanghai = m.evm.Config.Tracer == nil
}

// liftCodeLimit lifts the limit on deployed code for the frame that is about
// to RETURN size bytes of it. Nothing but that check happens until the frame
// exits, when enforceCodeLimit must follow: the same rule decides other
// things everywhere else.
func (m *Machine) liftCodeLimit(size uint64) {
	if size > params.MaxCodeSize {
		m.rules.IsEIP158 = false
	}
}

func (m *Machine) enforceCodeLimit() {
	if m.rules != nil {
		m.rules.IsEIP158 = true
	}
}
