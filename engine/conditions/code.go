package conditions

import (
	"encoding/binary"
	"slices"

	"leveret/engine/bytecode"
)

// A test is what a cheatcode checks, as code that runs on its calldata and leaves
// a word on the stack: not zero if the condition holds, or if it does not.
type test []byte

// word pushes the nth argument.
func word(n int) test {
	return test{bytecode.PUSH1, byte(4 + 32*n), bytecode.CALLDATALOAD}
}

// PUSH2 and PUSH8 are not constants of package bytecode.
const (
	push2 = bytecode.PUSH1 + 1
	push8 = bytecode.PUSH1 + 7
)

// op applies an instruction to operands, the topmost first.
func op(code byte, operands ...test) test {
	slices.Reverse(operands)
	return append(slices.Concat(operands...), code)
}

// hash pushes the hash of the nth argument, whose encoding has a length and then
// elements of a size in bytes.
func hash(n int, size byte) test {
	at := op(bytecode.ADD, word(n), test{bytecode.PUSH1, 4}) // of the length
	bytes := op(bytecode.MUL, op(bytecode.CALLDATALOAD, at), test{bytecode.PUSH1, size})
	data := op(bytecode.ADD, at, test{bytecode.PUSH1, 32})
	return slices.Concat(
		op(bytecode.CALLDATACOPY, test{bytecode.PUSH0}, data, bytes),
		op(bytecode.KECCAK256, test{bytecode.PUSH0}, bytes),
	)
}

// The tests of the cheatcodes.
var (
	truth         = word(0)
	equal         = op(bytecode.EQ, word(0), word(1))
	less          = op(bytecode.LT, word(0), word(1))
	greater       = op(bytecode.GT, word(0), word(1))
	signedLess    = op(bytecode.SLT, word(0), word(1))
	signedGreater = op(bytecode.SGT, word(0), word(1))
	equalBytes    = op(bytecode.EQ, hash(0, 1), hash(1, 1))
	equalLists    = op(bytecode.EQ, hash(0, 32), hash(1, 32))

	above = op(bytecode.SUB, word(0), word(1))
	below = op(bytecode.SUB, word(1), word(0))
	ether = append(test{push8}, binary.BigEndian.AppendUint64(nil, 1e18)...)
)

// far tests whether the distance of two words exceeds the third, in their unit or
// as a fraction of the second in 1e-18.
func far(signed, relative bool) []test {
	more := greater
	if signed {
		more = signedGreater
	}
	distance := func(d test) test {
		if relative {
			d = op(bytecode.DIV, op(bytecode.MUL, d, ether), word(1))
		}
		return op(bytecode.GT, d, word(2))
	}
	return []test{more, distance(above), distance(below)}
}

// program returns code that branches by tests and ends. With three tests, the
// first decides which of the others follows. Different numbers make different
// codes.
func program(number uint16, tests []test) []byte {
	code := binary.BigEndian.AppendUint16([]byte{push2}, number)
	code = append(code, bytecode.POP)
	branch := func(t test, to func() []byte) {
		code = append(code, t...)
		code = append(code, push2, 0, 0, bytecode.JUMPI)
		hole := len(code) - 3
		code = append(code, to()...)
		binary.BigEndian.PutUint16(code[hole:], uint16(len(code)))
		code = append(code, bytecode.JUMPDEST)
	}
	stop := func() []byte { return []byte{bytecode.STOP} }
	if len(tests) == 1 {
		branch(tests[0], stop)
		return append(code, bytecode.STOP)
	}
	branch(tests[0], func() []byte {
		branch(tests[2], stop)
		return []byte{bytecode.STOP}
	})
	branch(tests[1], stop)
	return append(code, bytecode.STOP)
}
