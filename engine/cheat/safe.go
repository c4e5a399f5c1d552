package cheat

import (
	"encoding/hex"
	"fmt"
	"maps"
	"strings"

	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/input"
)

// A span is a range of memory, its end excluded.
type span struct{ start, end uint64 }

// safeMemory are the ranges of memory that frames may write to, by depth; a depth
// without any may write everywhere.
type safeMemory map[int][]span

func (m safeMemory) clone() safeMemory { return maps.Clone(m) }

var safeRows = []row{
	{"expectSafeMemory(uint64,uint64)", "", func(c *call) error { return c.safe(c.depth()) }, "lets the frame write only to a range of memory"},
	{"expectSafeMemoryCall(uint64,uint64)", "", func(c *call) error { return c.safe(c.depth() + 1) }, "lets the calls of the frame write only to a range of their memory"},
	{"stopExpectSafeMemory()", "", func(c *call) error { delete(c.memory.safe, c.depth()); return c.observe() }, "ends expectSafeMemory"},
}

func (c *call) safe(depth int) error {
	start, end := c.number(0), c.number(1)
	if start >= end {
		return fmt.Errorf("memory range start (%d) is greater than end (%d)", start, end)
	}
	if c.memory.safe == nil {
		c.memory.safe = safeMemory{}
	}
	list := c.memory.safe[depth]
	if list == nil {
		list = []span{{0, 0x60}} // the scratch space and the free memory pointer
	}
	c.rememberArgs()
	c.memory.safe[depth] = append(list[:len(list):len(list)], span{start, end})
	return c.observe()
}

// A memoryAccess says where an instruction finds its range of memory on the stack.
type memoryAccess struct {
	offset, size int // size is negative for a fixed one
	writes       bool
}

var memoryAccesses = map[byte]memoryAccess{
	bytecode.MSTORE: {0, -32, true}, bytecode.MSTORE8: {0, -1, true}, bytecode.MLOAD: {0, -32, false},
	bytecode.CALL: {5, 6, true}, bytecode.CALLCODE: {5, 6, true}, bytecode.STATICCALL: {4, 5, true}, bytecode.DELEGATECALL: {4, 5, true},
	bytecode.CALLDATACOPY: {0, 2, true}, bytecode.CODECOPY: {0, 2, true}, bytecode.RETURNDATACOPY: {0, 2, true}, bytecode.EXTCODECOPY: {1, 3, true},
	bytecode.KECCAK256: {0, 1, false}, bytecode.LOG0: {0, 1, false}, bytecode.LOG1: {0, 1, false}, bytecode.LOG2: {0, 1, false},
	bytecode.LOG3: {0, 1, false}, bytecode.LOG4: {0, 1, false}, bytecode.CREATE: {1, 2, false}, bytecode.CREATE2: {1, 2, false},
	bytecode.RETURN: {0, 1, false}, bytecode.REVERT: {0, 1, false},
}

// watched returns the instructions to be told of.
func (m safeMemory) watched() []byte {
	if len(m) == 0 {
		return nil
	}
	ops := make([]byte, 0, len(memoryAccesses))
	for op := range memoryAccesses {
		ops = append(ops, op)
	}
	return ops
}

// within reports whether one of the ranges holds some bytes.
func within(list []span, offset, size uint64) bool {
	last := offset + max(size, 1) - 1
	for _, r := range list {
		if r.start <= offset && offset < r.end && r.start <= last && last < r.end {
			return true
		}
	}
	return false
}

// step makes a frame revert that is about to write where it may not.
func (m safeMemory) step(state *evm.State, s *evm.Step) {
	list := m[s.Frame.Depth]
	access, ok := memoryAccesses[s.Op]
	if list == nil || !ok {
		return
	}
	state.Work(uint64(len(list)))
	offset, size := saturated(s.Top(access.offset)), uint64(-access.size)
	if access.size >= 0 {
		size = saturated(s.Top(access.size))
	}
	if within(list, offset, size) {
		return
	}
	if expands := offset >= uint64(len(s.Memory)) || access.size >= 0 && offset+max(size, 1)-1 >= uint64(len(s.Memory)); !access.writes && !expands {
		return
	}
	if stopsSafeMemory(s) {
		return
	}
	var ranges []string
	for _, r := range list {
		ranges = append(ranges, fmt.Sprintf("[0x%02X, 0x%02X)", r.start, r.end))
	}
	state.Fail([]byte(fmt.Sprintf("memory write at offset 0x%02X of size 0x%02X not allowed; safe range: %s", offset, size, strings.Join(ranges, " U "))))
}

func saturated(w *uint256.Int) uint64 {
	if !w.IsUint64() {
		return ^uint64(0) >> 1
	}
	return w.Uint64()
}

// stopSafeMemory is the selector of stopExpectSafeMemory, which may be written to
// memory and called at any time.
var stopSafeMemory = func() string {
	f, err := input.ParseSignature("stopExpectSafeMemory()")
	if err != nil {
		panic(err)
	}
	return hex.EncodeToString(f.Selector[:])
}()

// stopsSafeMemory reports whether an instruction belongs to a call of
// stopExpectSafeMemory.
func stopsSafeMemory(s *evm.Step) bool {
	switch s.Op {
	case bytecode.MSTORE:
		word := s.Top(1).Bytes32()
		return hex.EncodeToString(word[:4]) == stopSafeMemory
	case bytecode.CALL:
		return s.Top(1).Bytes20() == Address && hex.EncodeToString(memoryAt(s, saturated(s.Top(3)), 4)) == stopSafeMemory
	}
	return false
}
