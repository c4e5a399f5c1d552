package oracle

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/bytecode"
	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
)

// SelfDestruct reports contracts that any actor can destroy.
var SelfDestruct = Oracle{
	Name: "selfdestruct", SWC: "SWC-106", Severity: finding.Error,
	Title:        "Anyone can destroy the contract",
	Hint:         succeeded(saw(cover.Destroyed)),
	Unexportable: noEffect,
	Watch: func(env *Env) Watcher {
		d := &destructions{env: env}
		return Watcher{
			Begin: d.begin,
			Enter: func(*evm.Frame) { d.open = append(d.open, len(d.reports)) },
			Exit: func(_ *evm.Frame, status evm.Status, _ []byte, _ error) {
				last := len(d.open) - 1
				if status != evm.Success {
					d.reports = d.reports[:d.open[last]]
				}
				d.open = d.open[:last]
			},
			Ops: []byte{bytecode.SELFDESTRUCT}, Step: d.step,
			End: func(o *evm.Outcome, _ *evm.World, report func(Report)) {
				for _, r := range d.reports {
					if o.Status == evm.Success {
						report(r)
					}
				}
			},
		}
	},
}

type destructions struct {
	env     *Env
	start   *evm.World // before the first transaction
	reports []Report
	open    []int // len(reports) at the start of each open frame
}

func (d *destructions) begin(_ *input.Tx, w *evm.World) {
	if d.start == nil {
		d.start = w
	}
	d.reports, d.open = d.reports[:0], d.open[:0]
}

// step records a destroyed contract. A contract created by the same transaction
// belongs to its sender.
func (d *destructions) step(s *evm.Step) {
	if !project(d.env, s.Frame) || d.start.Code(s.Frame.Self) == nil {
		return
	}
	trail := d.env.trail()
	to := common.Address(s.Top(0).Bytes20())
	d.reports = append(d.reports, Report{
		Trail: trail, Contract: s.Frame.Self, Unprivileged: true,
		Message:  fmt.Sprintf("anyone can destroy this contract, and its wei goes to %s: %s", d.env.Name(to), d.env.Blame(trail).name()),
		Evidence: []finding.Evidence{{Name: "beneficiary", Value: d.env.Name(to)}},
		Effect:   finding.Destroyed{Contract: s.Frame.Self},
	})
}
