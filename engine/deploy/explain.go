package deploy

import (
	"errors"
	"fmt"
	"strings"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/program"
	"leveret/engine/shadow"
	"leveret/solc"
)

// explain returns an error that says which check made a call fail, and where.
func explain(p *program.Program, h *chain, what, how string, c *solc.Contract, call evm.Call, tx *input.Tx) error {
	panel := oracle.NewMonitor([]*oracle.Oracle{&oracle.Reverted}, &oracle.Env{
		Project: p.IsProject,
		Blame:   p.Blame,
	}, shadow.New(shadow.NewState()))
	world := h.made.World.Fork()
	panel.Begin(tx, world)
	outcome := h.machine.Execute(world, h.made.Block, call, panel.Hooks())
	why := "reverts"
	if outcome.Halt != nil {
		why = "halts (" + outcome.Halt.Error() + ")"
	}
	where := ""
	for _, report := range panel.End(&outcome, world) {
		if b, ok := p.Locate(report.Trail); ok {
			where = fmt.Sprintf(" at %s:%d: %s", b.Place.File, b.Place.Start.Line, b.Text)
		}
	}
	if reason := p.ABI(c).Reason(outcome.Return); reason != "" && !strings.Contains(where, reason) {
		where += " (" + reason + ")"
	}
	return errors.New(what + " " + why + how + where)
}
