package evm

import (
	"github.com/ethereum/go-ethereum/params"
)

// The limits on the size of code and creation code are off, as in every test
// tool: contracts are often fuzzed unoptimised. go-ethereum has no setting for
// that, but it hands the rules it goes by to the transfer function, by
// reference.

// liftInitLimit keeps the rules and lifts the limit on creation code. The
// interpreter asks for Shanghai at no other time once an EVM is made.
func (m *Machine) liftInitLimit(rules *params.Rules) {
	m.rules = rules
	rules.IsShanghai = false
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
