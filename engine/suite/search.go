package suite

import (
	"strings"

	"leveret/engine/cheat"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/solc"
)

// What a campaign over the tests of a Suite needs to know. These methods, except
// Prepared, Targets and Senders, are safe for concurrent use.

// Config returns the configuration of the project's tests.
func (s *Suite) Config() *solc.TestConfig { return &s.options.Config }

// ConfigOf returns the configuration of one test: that of the project, with what
// comments change.
func (s *Suite) ConfigOf(t solc.Test) *solc.TestConfig {
	if s.options.Own == nil {
		return &s.options.Config
	}
	own := s.options.Own.Test(t.Name)
	return &own
}

// Prepared returns the state in which a test starts.
func (s *Suite) Prepared(t solc.Test) (exec.State, error) {
	w := s.world.Fork()
	if f := s.Function(t); f != nil {
		if err := s.prepare(w, f); err != nil {
			return exec.State{}, err
		}
	}
	return exec.State{World: w, Block: s.genesis}, nil
}

// SetUp returns the call of setUp and the state before it; nil if the test contract
// has none.
func (s *Suite) SetUp() (exec.State, *input.Tx) {
	f := s.Program.ABI(s.Program.UnderTest).Method("setUp()")
	if s.before == nil || f == nil {
		return exec.State{}, nil
	}
	return exec.State{World: s.before.Fork(), Block: s.genesis}, &input.Tx{From: input.Actor(s.Sender()), To: s.Address, Function: f}
}

// Status returns what a call that led to a world means for a test. A call that
// did not come to its end has no verdict and counts as rejected.
func (s *Suite) Status(o *evm.Outcome, w *evm.World) Status {
	status := s.statusOf(o, w)
	if status == Failed && (o.Slow || o.Unfinished()) {
		return Rejected
	}
	return status
}

// assertionFailed starts the reasons of failed assertions.
const assertionFailed = "assertion failed"

// Asserts reports whether a call failed by an assertion, not by a plain revert.
func Asserts(o *evm.Outcome) bool {
	if o.Status == evm.Success {
		return false
	}
	reason, _ := cheat.Reason(o.Return)
	code, panics := cheat.PanicCode(o.Return)
	return panics && code == 1 || o.Halt != nil && cheat.HaltName(o.Halt) == "InvalidFEOpcode" || strings.Contains(reason, assertionFailed)
}

// Failure returns the verdict on a test that a call broke, with what cheatcodes
// report about the call.
func (s *Suite) Failure(t solc.Test, o *evm.Outcome, r *cheat.Report) Verdict {
	v := ended(t, o, r)
	v.Status, v.Reason = Failed, s.failure(t, o, r)
	return v
}
