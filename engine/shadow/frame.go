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
	initcode []cell // bytes of the running code, of creations
	returned []cell // return data of the latest call
	out      []cell // what RETURN or REVERT hands back

	self, caller, value, size ref // ADDRESS, CALLER, CALLVALUE, CALLDATASIZE

	pending ref      // node whose value is on top of the stack at the next step
	then    func()   // what to do once pending has its value
	copied  copied   // bytes whose values are in memory at the next step
	call    inflight // the call that runs or ran last
	calling bool     // call's result is on top of the stack at the next step

	control  controls
	journal  int // length of Observer.journal when the frame opened
	branches int // last JUMPI of the frame, see infer.go
}

// copied is a range of memory that holds words of unknown value.
type copied struct {
	offset, size uint64
	first        ref // of size/32 nodes, rounded up
}

// inflight is a call between its instruction and what follows.
type inflight struct {
	op         bytecode.Op
	pc         uint64
	number     uint64 // of the call within the transaction
	args       []cell
	to, value  ref
	gas        ref
	size       ref // length of args
	offset     uint64
	room       uint64 // bytes of return data that go to memory
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

// open readies a frame for reuse.
func (f *frame) open(live *evm.Frame, code *program) {
	*f = frame{
		live: live, number: int32(live.Number), code: code,
		stack: f.stack[:0], mem: f.mem[:0],
		control: controls{stack: f.control.stack[:0]},
	}
}
