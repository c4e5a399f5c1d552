package suite

import (
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/cheat"
	"leveret/engine/evm"
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
	Test    solc.Test
	Status  Status
	Reason  string         // why it failed or was skipped; may be empty
	Gas     uint64         // used, without the intrinsic gas, after refunds
	Lines   []string       // of console.log, those of setUp first
	Missing *cheat.Missing // the first cheatcode that is not there; nil: none
	Labels  map[common.Address]string
	Took    time.Duration
}

// failedSlot is the storage slot at the cheatcode address that ds-test's fail sets.
var failedSlot = common.BytesToHash(append([]byte("failed"), make([]byte, 26)...))

// verdict judges a call of the test contract that led to a world.
func (s *Suite) verdict(t solc.Test, o *evm.Outcome, w *evm.World) Verdict {
	r := &s.cheats.Report
	v := Verdict{Test: t, Status: Passed, Lines: r.Lines, Missing: r.Missing, Labels: r.Labels, Gas: gasOf(o)}
	if o.Status != evm.Success {
		reason, skipped := cheat.Skipped(o.Return)
		switch {
		case skipped:
			v.Status, v.Reason = Skipped, reason
		case cheat.Rejected(o.Return):
			v.Status = Rejected
		default:
			v.Status, v.Reason = Failed, s.reason(o)
		}
		return v
	}
	if w.Storage(cheat.Address, failedSlot) != (common.Hash{}) || s.options.Config.LegacyAssertions && s.saysFailed(w) {
		v.Status = Failed
	}
	return v
}

// saysFailed asks the test contract whether it failed, as ds-test's failed() does.
func (s *Suite) saysFailed(w *evm.World) bool {
	if s.Program.ABI(s.Program.UnderTest).Method("failed()") == nil {
		return false
	}
	kept := s.cheats.Report
	defer func() { s.cheats.Report = kept }()
	o := s.call(w.Fork(), signatureData("failed()"))
	return o.Status == evm.Success && len(o.Return) == 32 && common.BytesToHash(o.Return) != common.Hash{}
}

// gasOf returns the gas of a transaction after refunds [EIP-3529].
func gasOf(o *evm.Outcome) uint64 { return o.GasUsed - min(o.Refund, o.GasUsed/5) }

// reason says why a call failed, in forge's words.
func (s *Suite) reason(o *evm.Outcome) string {
	switch {
	case o.Halt == evm.ErrCancelled:
		return "stopped before it ended"
	case o.Unfinished(): // the state of a fork cannot be read
		return o.Halt.Error()
	case o.Slow:
		return fmt.Sprintf("ran %d instructions without an end: an endless loop?", maxSteps)
	case o.Halt != nil:
		return "EvmError: " + haltName(o.Halt)
	case len(o.Return) == 0:
		return "EvmError: Revert"
	}
	if text, ok := cheat.Reason(o.Return); ok {
		return text
	}
	if code, ok := panicCode(o.Return); ok {
		if text, known := panics[code]; known {
			return fmt.Sprintf("panic: %s (0x%02x)", text, code)
		}
		return fmt.Sprintf("panic: unknown code (0x%02x)", code)
	}
	known := s.Program.Find(func(c *solc.Contract) bool {
		for _, e := range s.Program.ABI(c).Errors {
			if len(o.Return) >= 4 && e.Selector == [4]byte(o.Return) {
				return true
			}
		}
		return false
	})
	if known != nil {
		return s.Program.ABI(known).Reason(o.Return)
	}
	if printable(o.Return) {
		return string(o.Return)
	}
	return "custom error 0x" + hex.EncodeToString(o.Return)
}

// panics are forge's words for the codes of Panic(uint256).
var panics = map[uint64]string{
	0x00: "generic/unspecified error", 0x01: "assertion failed", 0x11: "arithmetic underflow or overflow", 0x12: "division or modulo by zero",
	0x21: "failed to convert value into enum type", 0x22: "storage byte array incorrectly encoded", 0x31: "called `.pop()` on an empty array",
	0x32: "array out-of-bounds access", 0x41: "memory allocation error", 0x51: "called an invalid internal function",
}

// panicCode returns the code of a Panic(uint256).
func panicCode(output []byte) (uint64, bool) {
	if len(output) != 36 || [4]byte(output) != [4]byte{0x4e, 0x48, 0x7b, 0x71} {
		return 0, false
	}
	code := new(uint256.Int).SetBytes(output[4:])
	return code.Uint64(), code.IsUint64()
}

// printable reports whether data is text of ASCII.
func printable(data []byte) bool {
	for _, b := range data {
		if b < ' ' || b > '~' {
			return false
		}
	}
	return true
}

// haltName names a halt as revm does.
func haltName(err error) string {
	text := err.Error()
	for _, row := range []struct{ has, name string }{
		{"out of gas", "OutOfGas"}, {"invalid opcode: INVALID", "InvalidFEOpcode"}, {"invalid opcode", "OpcodeNotFound"},
		{"stack underflow", "StackUnderflow"}, {"stack limit", "StackOverflow"}, {"invalid jump", "InvalidJump"},
		{"write protection", "StateChangeDuringStaticCall"}, {"return data out of bounds", "OutOfOffset"},
		{"collision", "CreateCollision"}, {"max code size", "CreateContractSizeLimit"}, {"invalid code", "CreateContractStartingWithEF"},
		{"insufficient balance", "OutOfFunds"}, {"max call depth", "CallTooDeep"},
	} {
		if strings.Contains(text, row.has) {
			return row.name
		}
	}
	return text
}
