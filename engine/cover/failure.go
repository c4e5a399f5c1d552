package cover

import (
	"encoding/binary"
	"math/bits"

	"github.com/holiman/uint256"

	"leveret/engine/evm"
)

// A Failure is a check that failed in a frame of watched code. Failures that are
// equal belong to the same check of the source: From differs between the callers
// of code that checks share.
type Failure struct {
	Code *evm.Code
	PC   uint64 // of the REVERT, INVALID or LOG
	Kind uint64 // code of Panic(uint256), or one of the kinds below
	From uint64 // hash of the called function and of the way to PC
}

// The kinds of failures without a panic code.
const (
	FailedInvalid uint64 = 1<<64 - 1 - iota // INVALID ran
	FailedEvent                             // an event has a watched topic
)

// maxFailures bounds the failures that a run records.
const maxFailures = 16

// AllFailures reports whether a run recorded all its failures.
func (r *Run) AllFailures() bool { return len(r.Failures) < maxFailures }

// A way is how the running frame comes to its end.
type way struct {
	panicked uint64  // what the latest callee panicked with, plus 1; 0: it did not
	failing  Failure // at the latest REVERT that may be a panic
}

// fail records a failure.
func (r *Recorder) fail(f Failure) {
	if len(r.run.Failures) < maxFailures {
		r.run.Failures = append(r.run.Failures, f)
	}
}

// failure returns the failure of the running frame at an instruction. Between the
// check of the source and the instruction that fails, compilers run only code of
// their own: it is entered from the last branch or from one of the last two jump
// destinations, and its return addresses are on the stack. Optimizers let calls that end
// alike share those, so the function that the frame was called with counts, too.
func (r *Recorder) failure(pc uint64, stack []uint256.Int, passed evm.Passed, kind uint64) Failure {
	c := r.current.code
	h := uint64(passed.Jumpdests[1])
	if passed.Branch != 0 {
		h |= uint64(c.jumps[passed.Branch-1].pc) << 32
	}
	h = hashed(hashed(h, uint64(passed.Jumpdests[0])), r.current.called)
	for to := range c.JumpdestsOn(stack) {
		h = hashed(h, to)
	}
	return Failure{Code: c.of, PC: pc, Kind: kind, From: h}
}

func hashed(h, x uint64) uint64 {
	high, low := bits.Mul64(h^x*0xa0761d6478bd642f, 0xe7037ed1a0b428db)
	return high ^ low
}

// panics records the end of a frame that reverted. A frame that passes on the
// panic of its callee did not fail itself.
func (r *Recorder) panics(ret []byte) {
	code, ok := panicCode(ret)
	if way := &r.current.way; ok && r.current.code != nil && way.panicked != code+1 {
		way.failing.Kind = code
		r.fail(way.failing)
	}
}

// panicSize is the length of the revert data of Panic(uint256).
const panicSize = 36

// isPanic reports whether ret is the revert data of Panic(uint256), which
// solc 0.8 and later use for failed assertions and built-in checks.
func isPanic(ret []byte) bool {
	return len(ret) == panicSize && ret[0] == 0x4e && ret[1] == 0x48 && ret[2] == 0x7b && ret[3] == 0x71
}

// panicCode returns the code of the revert data of Panic(uint256).
func panicCode(ret []byte) (uint64, bool) {
	if !isPanic(ret) {
		return 0, false
	}
	var code uint256.Int
	code.SetBytes(ret[4:])
	return binary.BigEndian.Uint64(ret[panicSize-8:]), code.IsUint64()
}
