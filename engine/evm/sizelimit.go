package evm

import (
	"github.com/ethereum/go-ethereum/params"
)

// The limits on code and creation code size are lifted, as in other test tools:
// contracts are often fuzzed unoptimised. go-ethereum has no setting for that,
// but it passes its rules to the transfer function by reference.

// keepRules runs with every transfer, so before the first instruction of a
// Call. It disables Shanghai, whose limit on creation code is its only use in
// the traced loop. The fast loop has other uses for it, so it keeps the limit,
// and Execute falls back on the traced loop.
func (m *Machine) keepRules(rules *params.Rules) {
	m.rules = rules
	rules.IsShanghai = m.evm.Config.Tracer == nil
}

// liftCodeLimit lifts the limit on deployed code for the frame about to RETURN
// size bytes of it. Until the frame exits only that check uses the rule; then
// enforceCodeLimit must follow, because the rule has other uses.
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
