package attacker

import (
	"fmt"
	"math/big"
	"strings"

	"leveret/engine/bytecode"
)

// opcodes maps mnemonics to opcodes.
var opcodes = func() map[string]bytecode.Op {
	names := map[string]bytecode.Op{}
	for op := range bytecode.Ops {
		if name := bytecode.Ops[op].Name; name != "" {
			names[name] = bytecode.Op(op)
		}
	}
	return names
}()

// assemble turns a program into bytecode. A program is a list of words
// separated by blanks; a semicolon starts a comment that ends with the line. A
// word is
//
//	ADD       an instruction
//	0x2a 42   a number: the shortest PUSH that holds it, leading zeros kept
//	@label    a PUSH of the position of a label
//	label:    a label, which is a JUMPDEST
//
// It panics on anything else: programs are part of this package.
func assemble(program string) []byte {
	code, places, wanted := []byte{}, map[string]int{}, map[int]string{}
	for line := range strings.Lines(program) {
		line, _, _ = strings.Cut(line, ";")
		for _, word := range strings.Fields(line) {
			label, isLabel := strings.CutSuffix(word, ":")
			op, isOp := opcodes[word]
			switch {
			case isLabel:
				places[label] = len(code)
				code = append(code, bytecode.JUMPDEST)
			case isOp:
				code = append(code, op)
			case word[0] == '@':
				wanted[len(code)+1] = word[1:]
				code = append(code, bytecode.PUSH1+1, 0, 0)
			default:
				code = appendNumber(code, word)
			}
		}
	}
	for at, label := range wanted {
		place, ok := places[label]
		if !ok {
			panic("attacker: no label " + label)
		}
		code[at], code[at+1] = byte(place>>8), byte(place)
	}
	return code
}

// appendNumber appends the shortest PUSH of a number. Leading hexadecimal zeros
// count, so that selectors and addresses keep their width.
func appendNumber(code []byte, word string) []byte {
	n, ok := new(big.Int).SetString(word, 0)
	if !ok || n.Sign() < 0 {
		panic(fmt.Sprintf("attacker: %q is neither an instruction nor a number", word))
	}
	size := (n.BitLen() + 7) / 8
	if digits, hex := strings.CutPrefix(word, "0x"); hex {
		size = (len(digits) + 1) / 2
	}
	code = append(code, bytecode.PUSH0+byte(size))
	return append(code, n.FillBytes(make([]byte, size))...)
}
