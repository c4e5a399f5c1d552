package suite

import (
	"strings"

	"github.com/ethereum/go-ethereum/common"

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

// Status returns what a call that led to a world means for a test. A call that
// did not come to its end has no verdict and counts as rejected.
func (s *Suite) Status(o *evm.Outcome, w *evm.World) Status {
	if o.Status == evm.Success {
		if w.Storage(cheat.Address, cheat.FailSlot) != (common.Hash{}) {
			return Failed
		}
		return Passed
	}
	_, skipped := cheat.Skipped(o.Return)
	switch {
	case skipped:
		return Skipped
	case o.Slow, o.Unfinished(), cheat.Rejected(o.Return):
		return Rejected
	}
	return Failed
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

// Reason says why a call failed, in forge's words.
func (s *Suite) Reason(o *evm.Outcome) string { return s.reason(o) }

// Fixtures returns the values of a parameter's fixture, which fuzz tests try; none
// without one.
func (s *Suite) Fixtures(p input.Field) []input.Value {
	values, err := s.fixture(p)
	if err != nil {
		return nil
	}
	return values
}
