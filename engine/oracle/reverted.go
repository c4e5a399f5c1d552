package oracle

import (
	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
)

// Reverted is not a weakness: it reports where a transaction reverted, to
// explain failures. It is not in All.
var Reverted = Oracle{
	Name: "reverted", Severity: finding.Hint,
	Title: "The transaction was stopped",
	Watch: func(env *Env) Watcher {
		var last *Report
		note := func(f *evm.Frame) {
			if project(env, f) {
				last = &Report{Trail: env.trail(), Contract: f.Self}
			}
		}
		return Watcher{
			Begin: func(*input.Tx, *evm.World) { last = nil },
			Ops:   []byte{bytecode.REVERT},
			Step: func(s *evm.Step) {
				if size := s.Top(1); last == nil || size.IsZero() || size.Uint64() != uint64(len(s.ReturnData)) {
					note(s.Frame)
				}
			},
			Fault: func(s *evm.Step, _ error) { note(s.Frame) },
			End: func(o *evm.Outcome, _ *evm.World, report func(Report)) {
				if last != nil && o.Status != evm.Success {
					report(*last)
				}
			},
		}
	},
}
