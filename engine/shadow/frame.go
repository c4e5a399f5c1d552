package shadow

import (
	"leveret/engine/bytecode"
	"leveret/engine/evm"
)

// A frame mirrors one message call or creation. Frames are reused by depth.
type frame struct {
	live     *evm.Frame // valid while the frame runs
	number   int32
	code     *program
	stack    []ref
	mem      memory
	calldata []cell
	initcode []cell // running code of a creation
	returned []cell // return data of the latest call
	out      []cell // data of RETURN or REVERT
	outSize  ref    // its length

	environment

	pending ref      // node whose value is on top of the stack at the next step
	then    func()   // called once pending has its value
	copied  copied   // bytes whose values are in memory at the next step
	call    inflight // the current or last call
	calling bool     // call's result is on top of the stack at the next step

	control  controls
	journal  int // length of Observer.journal at the start of the frame
	branches int // last JUMPI of the frame, see infer.go
}

// An environment is the words of ADDRESS, CALLER, CALLVALUE and CALLDATASIZE.
type environment struct{ self, caller, value, size ref }

// A copied is a range of memory with words of unknown value.
type copied struct {
	offset, size uint64
	first        ref // first of size/32 nodes, rounded up
}

// An inflight is a call between its instruction and the next one.
type inflight struct {
	op         bytecode.Op
	pc         uint64
	number     uint64 // index of the call within the transaction
	args       []cell
	to, value  ref
	gas        ref
	size       ref // length of args
	outSize    ref // length of the return data; 0: unknown
	offset     uint64
	room       uint64 // bytes of return data copied to memory
	result     ref
	precompile bool
	event      Call
}

func (f *frame) push(r ref) { f.stack = append(f.stack, r) }

func (f *frame) pop() ref {
	r := f.stack[len(f.stack)-1]
	f.stack = f.stack[:len(f.stack)-1]
	return r
}

func (f *frame) drop(n int) { f.stack = f.stack[:len(f.stack)-n] }

// peek returns the nth word from the top.
func (f *frame) peek(n int) ref { return f.stack[len(f.stack)-1-n] }

// open prepares a frame for reuse.
func (f *frame) open(live *evm.Frame, code *program, mem memory) {
	f.reset()
	f.live, f.number, f.code, f.mem = live, int32(live.Number), code, mem
}

// reset forgets all but the slices that the next message reuses.
func (f *frame) reset() {
	*f = frame{stack: f.stack[:0], control: controls{stack: f.control.stack[:0]}}
}
