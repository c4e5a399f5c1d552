package evmtest

import (
	"errors"
	"fmt"
	"hash/maphash"
	"strings"

	"leveret/engine/evm"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/holiman/uint256"
)

// An event is an instruction, or the start or the end of a frame.
type event struct {
	kind   eventKind
	op     byte
	depth  int
	pc     uint64
	gas    uint64 // before the instruction, given to the frame, or used by it
	height int    // words on the stack
	memory int    // bytes
	top    uint256.Int
	digest uint64 // of words, memory and return data; see trace
	err    string
}

type eventKind uint8

const (
	eventStep eventKind = iota
	eventFault
	eventEnter
	eventExit
)

func (e event) String() string {
	switch e.kind {
	case eventStep:
		return fmt.Sprintf("depth %d pc %d %v gas %d, %d words, top %s, %d bytes of memory, digest %x",
			e.depth, e.pc, vm.OpCode(e.op), e.gas, e.height, e.top.Hex(), e.memory, e.digest)
	case eventFault:
		return fmt.Sprintf("fault: depth %d pc %d %v gas %d: %s", e.depth, e.pc, vm.OpCode(e.op), e.gas, e.err)
	case eventEnter:
		return fmt.Sprintf("enter: depth %d gas %d digest %x", e.depth, e.gas, e.digest)
	default:
		return fmt.Sprintf("exit: depth %d gas used %d digest %x: %s", e.depth, e.gas, e.digest, e.err)
	}
}

// A trace lists the events of a Call, up to keptEvents, and counts them all.
// Digests are of at most digestedWords words of the stack and digestedBytes
// bytes of memory and return data, because whole ones would take most of the
// time.
type trace struct {
	events []event
	count  int
	hash   maphash.Hash
	ops    *[256]int      // counts of steps; may be nil
	halts  map[string]int // counts of halted frames; may be nil

	recording *recording // what a Recorder is to be told; only on a Reference
}

const (
	keptEvents    = 1 << 14
	digestedWords = 5
	digestedBytes = 512
)

func newTrace(seed maphash.Seed) *trace {
	t := &trace{recording: newRecording()}
	t.hash.SetSeed(seed)
	return t
}

func (t *trace) reset() {
	t.events, t.count = t.events[:0], 0
	t.recording.Begin()
}

func (t *trace) add(e event) {
	if t.count++; len(t.events) < keptEvents {
		t.events = append(t.events, e)
	}
}

func (t *trace) step(depth int, pc uint64, op byte, gas uint64, stack []uint256.Int, memory, returned []byte) {
	if t.ops != nil {
		t.ops[op]++
	}
	if len(t.events) >= keptEvents {
		t.count++
		return
	}
	e := event{kind: eventStep, op: op, depth: depth, pc: pc, gas: gas, height: len(stack), memory: len(memory)}
	t.hash.Reset()
	if n := len(stack); n > 0 {
		e.top = stack[n-1]
		for i := max(0, n-digestedWords); i < n; i++ {
			word := stack[i].Bytes32()
			t.hash.Write(word[:])
		}
	}
	t.hash.Write(memory[:min(len(memory), digestedBytes)])
	t.data(returned)
	e.digest = t.hash.Sum64()
	t.add(e)
}

// data digests bytes and their number.
func (t *trace) data(b []byte) {
	t.hash.Write([]byte{byte(len(b)), byte(len(b) >> 8), byte(len(b) >> 16)})
	t.hash.Write(b[:min(len(b), digestedBytes)])
}

func (t *trace) fault(depth int, pc uint64, op byte, gas uint64, err error) {
	t.add(event{kind: eventFault, op: op, depth: depth, pc: pc, gas: gas, err: err.Error()})
}

func (t *trace) enter(depth int, to common.Address, gas uint64, input []byte) {
	t.hash.Reset()
	t.hash.Write(to[:])
	t.data(input)
	t.add(event{kind: eventEnter, depth: depth, gas: gas, digest: t.hash.Sum64()})
}

// exit notes the end of a frame. What a halted frame returns is not data.
func (t *trace) exit(depth int, gasUsed uint64, output []byte, err error) {
	e := event{kind: eventExit, depth: depth, gas: gasUsed}
	if err != nil {
		e.err = err.Error()
		if t.halts != nil {
			kind, _, _ := strings.Cut(e.err, " (")
			kind, _, _ = strings.Cut(kind, ":")
			t.halts[kind]++
		}
	}
	if err == nil || err == vm.ErrExecutionReverted {
		t.hash.Reset()
		t.data(output)
		e.digest = t.hash.Sum64()
	}
	t.add(e)
}

// hooks writes the events of a Machine to t.
func (t *trace) hooks() *evm.Hooks {
	return &evm.Hooks{
		Step: func(s *evm.Step) {
			t.step(s.Frame.Depth, s.PC, s.Op, s.Gas, s.Stack, s.Memory, s.ReturnData)
		},
		Fault: func(s *evm.Step, err error) { t.fault(s.Frame.Depth, s.PC, s.Op, s.Gas, err) },
		Enter: func(f *evm.Frame) { t.enter(f.Depth, f.To, f.Gas, f.Input) },
		Exit: func(f *evm.Frame, status evm.Status, ret []byte, gasUsed uint64, halt error) {
			if status == evm.Revert {
				halt = vm.ErrExecutionReverted
			}
			t.exit(f.Depth, gasUsed, ret, halt)
		},
	}
}

// compareTraces describes the first difference; nil if there is none.
func compareTraces(got, want *trace) error {
	for i := range min(len(got.events), len(want.events)) {
		if got.events[i] != want.events[i] {
			before := ""
			for _, e := range want.events[max(0, i-8):i] {
				before += "\n     " + e.String()
			}
			return fmt.Errorf("event %d%s\n got %v\nwant %v", i, before, got.events[i], want.events[i])
		}
	}
	if got.count != want.count {
		return fmt.Errorf("%d events, want %d", got.count, want.count)
	}
	return nil
}

// cause unwraps an error that go-ethereum wrapped for tracers.
func cause(err error) error {
	if wrapped, ok := err.(*vm.VMError); ok {
		return errors.Unwrap(wrapped)
	}
	return err
}
