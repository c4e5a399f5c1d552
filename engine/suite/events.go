package suite

import (
	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/cheat"
	"leveret/engine/evm"
	"leveret/solc"
)

// Observed returns an Inspector of calls of a harness in place of another one. For
// Echidna, an event that stands for a failed assertion counts in calls that
// revert, too: they revert with a failed assertion then.
func (h *Harness) Observed(i evm.Inspector) evm.Inspector {
	if h.Configuration.Tool != solc.Echidna || !h.Configuration.Checks.Assertions {
		return i
	}
	return &eventInspector{Inspector: i, assertions: h.assertions}
}

// An eventInspector looks for events that stand for failed assertions.
type eventInspector struct {
	evm.Inspector
	assertions map[common.Hash]bool // topics
	seen       bool                 // in this Call
}

// Begin implements evm.Inspector.
func (i *eventInspector) Begin(s *evm.State, env *evm.Env) {
	i.seen = false
	i.Inspector.Begin(s, env)
}

// Log implements evm.Inspector.
func (i *eventInspector) Log(f *evm.Frame, l *evm.Log) {
	i.seen = i.seen || len(l.Topics) > 0 && i.assertions[l.Topics[0]]
	i.Inspector.Log(f, l)
}

// After implements evm.Inspector.
func (i *eventInspector) After(parent *evm.Frame, m *evm.Message, end *evm.Ending) {
	i.Inspector.After(parent, m, end)
	if parent == nil && i.seen && end.Err == evm.ErrReverted {
		end.Output = cheat.PanicData(assertionPanic)
	}
}

// assertionPanic is the code of assert.
const assertionPanic = 0x01
