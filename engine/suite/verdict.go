package suite

import (
	"fmt"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/cheat"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/solc"
)

// A Status is how a test ended.
type Status string

// The ways a test ends. Rejected is an input that vm.assume does not allow: no
// verdict.
const (
	Passed   Status = "passed"
	Failed   Status = "failed"
	Skipped  Status = "skipped"
	Rejected Status = "rejected"
)

// A Verdict is what became of one run of a test.
type Verdict struct {
	Test   solc.Test
	Status Status
	Reason string        // why it failed or was skipped; may be empty
	Gas    uint64        // used, without the intrinsic gas, after refunds
	Lines  []string      // of console.log, those of setUp first
	Args   []input.Value // that the test ran with
	// Executed are the functions of the project that the test and its set-up ran, as
	// program.Location.FunctionOf names them; nil: not recorded.
	Executed []string
	Took     time.Duration
}

// verdict judges a call of the test contract that led to a world.
func (s *Suite) verdict(t solc.Test, o *evm.Outcome, w *evm.World) Verdict {
	v := ended(t, o, &s.cheats.Report)
	switch v.Status = s.statusOf(o, w); {
	case v.Status == Skipped:
		reason, _ := cheat.Skipped(o.Return)
		v.Reason = cut(reason)
	case v.Status == Failed:
		v.Reason = s.failure(t, o, &s.cheats.Report)
	}
	return v
}

// failure says why a call failed a test: by a revert, as a property that does not hold, or
// by an assertion that does not revert but prints.
func (s *Suite) failure(t solc.Test, o *evm.Outcome, r *cheat.Report) string {
	switch {
	case o.Status != evm.Success:
		return s.Reason(o)
	case t.Kind == solc.InvariantTest && len(o.Return) >= 32 && !Holds(o):
		return "returned false"
	}
	return cut(printedFailure(r.Lines))
}

// ended returns what a verdict says about a call, without the status.
func ended(t solc.Test, o *evm.Outcome, r *cheat.Report) Verdict {
	return Verdict{Test: t, Lines: r.Lines, Gas: gasOf(t, o)}
}

// statusOf returns what a call that led to a world means for a test.
func (s *Suite) statusOf(o *evm.Outcome, w *evm.World) Status {
	if o.Status == evm.Success {
		if w.Storage(cheat.Address, cheat.FailSlot) != (common.Hash{}) || s.options.Config.LegacyAssertions && s.saysFailed(w) {
			return Failed
		}
		return Passed
	}
	if _, skipped := cheat.Skipped(o.Return); skipped {
		return Skipped
	}
	if cheat.Rejected(o.Return) {
		return Rejected
	}
	return Failed
}

// saysFailed asks the test contract whether it failed, as ds-test's failed() does.
func (s *Suite) saysFailed(w *evm.World) bool {
	if s.Program.ABI(s.Program.UnderTest).Method("failed()") == nil {
		return false
	}
	s.asking.Lock()
	defer s.asking.Unlock()
	o := s.ask(w, signatureData("failed()"))
	return o.Status == evm.Success && len(o.Return) == 32 && common.BytesToHash(o.Return) != common.Hash{}
}

// gasOf returns the gas of a unit test after refunds, which are at most a fifth of
// the gas with the intrinsic gas of a transaction [EIP-2028, EIP-3529].
func gasOf(t solc.Test, o *evm.Outcome) uint64 {
	intrinsic := evm.IntrinsicGas(signatureData(t.Signature), false)
	return o.GasUsed - min(o.Refund, (o.GasUsed+intrinsic)/5, o.GasUsed)
}

// Because adds to the reason of a failed test what a Tracer of its failure knows.
func (s *Suite) Because(v *Verdict, t *Tracer) {
	if v.Status != Failed {
		return
	}
	if said := t.Said(); said != "" {
		v.Reason = cut(v.Reason + ": " + said)
	}
	a, ok := t.Absent()
	if !ok {
		return
	}
	v.Reason += fmt.Sprintf(": %s has no code", a)
	if s.options.Fork == nil {
		v.Reason += "; contracts of a live chain exist only on a fork"
	}
}

// maxReason bounds what contracts say about a failure, in bytes.
const maxReason = 4 << 10

// Reason says why a call failed, in forge's words; the first part of a long text.
func (s *Suite) Reason(o *evm.Outcome) string { return cut(s.reason(o)) }

func cut(text string) string {
	if len(text) <= maxReason {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes in all)", strings.ToValidUTF8(text[:maxReason], ""), len(text))
}

func (s *Suite) reason(o *evm.Outcome) string {
	switch {
	case o.Halt == evm.ErrCancelled:
		return "stopped before it ended"
	case o.Unfinished(): // the state of a fork cannot be read
		return o.Halt.Error()
	case o.Halt == evm.ErrHeld:
		return fmt.Sprintf("keeps more than %d MB of storage, events, code and what cheatcodes remember: an endless loop?", maxHeld>>20)
	case o.Slow:
		return fmt.Sprintf("did not end within %d instructions, or as much work of copies, hashes, precompiled contracts and cheatcodes: an endless loop?", maxSteps)
	case o.Halt == evm.ErrMemory:
		return cheat.Explain(nil, o.Halt, nil) + ": the test " + s.memoryReason()
	case o.Halt != nil:
		return cheat.Explain(nil, o.Halt, nil)
	case o.Short && len(o.Return) == 0: // what reverts in Solidity when a call runs out of something
		return cheat.Explain(nil, evm.ErrReverted, nil) + ": a call " + s.memoryReason()
	}
	return cheat.Explain(o.Return, evm.ErrReverted, s.customError)
}

// memoryReason says why a frame halted with ErrMemory.
func (s *Suite) memoryReason() string {
	return fmt.Sprintf("needs more than %d MB of memory; memory_limit of foundry.toml sets the limit, up to %d MB", memoryLimit(&s.options.Config.Chain)>>20, maxMemory>>20)
}

// customError describes an error that a contract of the project declares; empty
// for other data.
func (s *Suite) customError(output []byte) string {
	known := s.Program.Find(func(c *solc.Contract) bool {
		for _, e := range s.Program.ABI(c).Errors {
			if len(output) >= 4 && e.Selector == [4]byte(output) {
				return true
			}
		}
		return false
	})
	if known == nil {
		return ""
	}
	return s.Program.ABI(known).Reason(output)
}
