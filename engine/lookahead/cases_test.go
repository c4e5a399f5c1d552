package lookahead

import (
	"strings"
	"testing"

	"leveret/engine/bytecode"
)

// assemble makes code of opcodes (bytes), numbers to push (ints), labels
// ("name:") and pushes of labels ("name").
func assemble(parts ...any) (code []byte, labels map[string]uint32) {
	labels = map[string]uint32{}
	uses := map[int]string{}
	for _, p := range parts {
		switch p := p.(type) {
		case bytecode.Op:
			code = append(code, p)
		case int:
			code = append(code, bytecode.PUSH2, byte(p>>8), byte(p))
		case string:
			if name, ok := strings.CutSuffix(p, ":"); ok {
				labels[name] = uint32(len(code))
				code = append(code, bytecode.JUMPDEST)
			} else {
				uses[len(code)+1] = p
				code = append(code, bytecode.PUSH2, 0, 0)
			}
		}
	}
	for at, name := range uses {
		code[at], code[at+1] = byte(labels[name]>>8), byte(labels[name])
	}
	return code, labels
}

const (
	jump  = bytecode.JUMP
	jumpi = bytecode.JUMPI
	eq    = bytecode.EQ
	dup1  = bytecode.DUP1
	load  = bytecode.CALLDATALOAD
	stop  = bytecode.STOP
)

// TestReachable are small programs whose block "hit" some call reaches, or
// none does: where it depends on one rule of the analysis.
func TestReachable(t *testing.T) {
	rows := []struct {
		name  string
		hit   bool
		parts []any
	}{
		{"storage written on one way only", true, []any{
			1, 0, bytecode.SSTORE, 0, load, "join", jumpi, 2, 0, bytecode.SSTORE, "join:",
			0, bytecode.SLOAD, 2, eq, "hit", jumpi, stop}},
		{"storage that is the same on both ways", false, []any{
			1, 0, bytecode.SSTORE, 0, load, "join", jumpi, 2, 1, bytecode.SSTORE, "join:",
			0, bytecode.SLOAD, 2, eq, "hit", jumpi, stop}},
		{"storage at an unknown key", true, []any{
			1, 0, bytecode.SSTORE, 5, 0, load, bytecode.SSTORE,
			0, bytecode.SLOAD, 5, eq, "hit", jumpi, stop}},
		{"storage at an unknown key, read there", false, []any{
			5, 0, load, bytecode.SSTORE, 0, load, bytecode.SLOAD, 6, eq, "hit", jumpi, stop}},
		{"storage that another frame writes", true, []any{
			1, 0, bytecode.SSTORE, 0, 0, 0, 0, 0, 0, load, bytecode.GAS, bytecode.CALL,
			0, bytecode.SLOAD, 2, eq, "hit", jumpi, stop}},
		{"storage that another frame can only read", false, []any{
			1, 0, bytecode.SSTORE, 0, 0, 0, 0, 0, load, bytecode.GAS, bytecode.STATICCALL,
			0, bytecode.SLOAD, 2, eq, "hit", jumpi, stop}},
		{"a fact of one way only", true, []any{
			0, load, 7, eq, "seven", jumpi, "join:", 0, load, 7, eq, bytecode.ISZERO, "hit", jumpi, stop,
			"seven:", "join", jump}},
		{"a fact of the other way only", true, []any{
			0, load, 7, eq, "seven", jumpi, "join:", 0, load, 7, eq, "hit", jumpi, stop,
			"seven:", "join", jump}},
		{"a fact of the only way", false, []any{
			0, load, 7, eq, "seven", jumpi, stop,
			"seven:", 0, load, 7, eq, bytecode.ISZERO, "hit", jumpi, stop}},
		{"memory written at an unknown offset", true, []any{
			9, 0, load, bytecode.MSTORE, 0, bytecode.MLOAD, 9, eq, "hit", jumpi, stop}},
		{"memory written on one way only", true, []any{
			0, load, "write", jumpi, "join:", 0, bytecode.MLOAD, 9, eq, "hit", jumpi, stop,
			"write:", 9, 0, bytecode.MSTORE, "join", jump}},
		{"memory below a copy", false, []any{
			9, 0, bytecode.MSTORE, bytecode.CALLDATASIZE, 0, 32, bytecode.CALLDATACOPY, 0, bytecode.MLOAD, 8, eq, "hit", jumpi, stop}},
		{"memory under a copy", true, []any{
			9, 32, bytecode.MSTORE, bytecode.CALLDATASIZE, 0, 32, bytecode.CALLDATACOPY, 32, bytecode.MLOAD, 8, eq, "hit", jumpi, stop}},
		{"what a call returns", true, []any{
			32, 0, 0, 0, 0, 0, load, bytecode.GAS, bytecode.CALL, 0, bytecode.MLOAD, 9, eq, "hit", jumpi, stop}},
		// The second time around, the older of two values is no longer the newer.
		{"a value and its predecessor in a loop", true, []any{
			0, 0, "loop:", bytecode.POP, dup1, bytecode.GAS, bytecode.SWAP1,
			// stack: last, new, last
			bytecode.DUP3, bytecode.DUP3, bytecode.SUB, 0, load, bytecode.AND, "hit", jumpi,
			bytecode.POP, bytecode.SWAP1, bytecode.POP, dup1, "loop", jump}},
		{"two equal values in a loop", false, []any{
			bytecode.GAS, dup1, "loop:", 1, bytecode.ADD, bytecode.SWAP1, 1, bytecode.ADD, bytecode.SWAP1,
			bytecode.DUP2, bytecode.DUP2, bytecode.SUB, "hit", jumpi, "loop", jump}},
		{"a loop with a constant bound", false, []any{
			0, load, "loop:", dup1, 9, eq, "end", jumpi, 1, bytecode.ADD, "loop", jump,
			"end:", 9, bytecode.SUB, "hit", jumpi, stop}},
		{"x - c == 0 where x was tested", false, []any{
			0, load, dup1, 9, bytecode.SUB, "other", jumpi, 8, eq, "hit", jumpi, "other:", stop}},
		{"c - x == d", true, []any{
			0, load, dup1, 9, bytecode.SUB, 4, eq, "five", jumpi, stop, "five:", 5, eq, "hit", jumpi, stop}},
		{"an internal function called twice", false, []any{
			"first", 3, "double", jump, "first:", 6, bytecode.SUB, "hit", jumpi,
			"second", 4, "double", jump, "second:", 8, bytecode.SUB, "hit", jumpi, stop,
			"double:", dup1, bytecode.ADD, bytecode.SWAP1, jump}},
		{"a jump to an unknown place", true, []any{0, load, jump}},
	}
	for _, row := range rows {
		code, labels := assemble(append(row.parts, "hit:", bytecode.INVALID)...)
		a := &Analyzer{}
		a.AddCode(0, bytecode.New(code))
		a.SetTargets([]Target{{0, labels["hit"]}})
		r, _ := a.explain(0, Calls{})
		hit := r.Blocks[len(r.Blocks)-1].Contexts > 0
		for _, reason := range r.Reasons {
			hit = hit || reason == Unresolved || reason == Exhausted
		}
		if hit != row.hit {
			t.Errorf("%s: reached is %v (%v)", row.name, hit, r.Reasons)
		}
	}
}
