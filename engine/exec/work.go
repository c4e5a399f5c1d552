package exec

import "leveret/engine/evm"

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
// part by gas; a hook for each instruction takes about four times as long, the
// shadow tier twenty times; an abstract instruction of the lookahead analysis
// takes a few dozen concrete ones.
const (
	CallCost   = 6_000
	HooksCost  = 4
	ShadowCost = 20
	StepCost   = 120
)

// Cost returns the work of executing a transaction.
func Cost(o *evm.Outcome) uint64 { return CallCost + o.GasUsed/2 }
