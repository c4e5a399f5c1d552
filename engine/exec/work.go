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

// Costs, measured on the real contracts in November 2026: an execution has a fixed
// part and a part by instruction. That depends on what observes it: a Recorder,
// hooks, taint tracking, or the lookahead analysis.
const (
	CallCost     = 5_000
	RecordedStep = 9
	HookedStep   = 65
	TaintedStep  = 300
	AbstractStep = 120
)

// Cost returns the work of the last Call of a Machine, at so much for each
// instruction. Gas does not tell it: an instruction that fails takes all gas, and
// a write of storage as much as thousands of other instructions.
func Cost(m *evm.Machine, perStep uint64) uint64 {
	return CallCost + perStep*uint64(max(m.Instructions(), 0))
}
