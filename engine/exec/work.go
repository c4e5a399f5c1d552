package exec

import (
	"errors"

	"leveret/engine/evm"
)

// A Budget limits a part of a campaign to a share of the work of executing
// inputs. Work is counted in units of about a nanosecond, not measured by a
// clock, so that campaigns are deterministic.
type Budget struct {
	Share   float64 // of the work for inputs
	Initial uint64  // available at the start
	Spent   uint64
}

// Allows reports whether there is budget left after so much work.
func (p *Budget) Allows(work uint64) bool {
	return p.Spent <= p.Initial+uint64(p.Share*float64(work))
}

// Costs, measured on the real contracts: an execution has a fixed part and a
// part by gas; the shadow tier takes about twenty times as long; an abstract
// instruction of the lookahead analysis takes a few dozen concrete ones. The
// costs of hooks and of the shadow tier are also known by instruction.
const (
	CallCost       = 6_000
	ShadowCost     = 20
	StepCost       = 120
	HookStepCost   = 65
	ShadowStepCost = 330
)

// haltedGas is what a transaction is taken to use if it halts on an instruction:
// that takes all its gas, whatever it executed before.
const haltedGas = 30_000

// Cost returns the work of executing a transaction.
func Cost(o *evm.Outcome) uint64 {
	gas := o.GasUsed
	if o.Status == evm.Halt && !o.Slow && !errors.Is(o.Halt, evm.ErrOutOfGas) {
		gas = min(gas, haltedGas)
	}
	return CallCost + gas/2
}
