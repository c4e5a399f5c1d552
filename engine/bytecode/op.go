package bytecode

import "fmt"

// An Info is the static description of an opcode.
type Info struct {
	Name      string
	Pops      uint8 // words it needs on the stack
	Pushes    uint8 // words it pushes after popping those
	Immediate uint8 // bytes that follow it
	Fork      Fork  // that introduced it
	Flow      Flow  // where execution goes next
	Pure      bool  // its result depends only on its operands
}

// A Fork is a hard fork that introduced opcodes.
type Fork uint8

// The forks that introduced opcodes, oldest first.
const (
	Frontier Fork = iota
	Homestead
	Byzantium
	Constantinople
	Istanbul
	London
	Shanghai
	Cancun
	Osaka
)

// A Flow is where execution continues after an instruction.
type Flow uint8

// The kinds of control flow.
const (
	Next     Flow = iota // at the next instruction
	Jumps                // at the popped destination
	Branches             // at the popped destination or the next instruction
	Calls                // in another frame, then at the next instruction
	Ends                 // nowhere: the frame ends
)

// validate describes unassigned opcodes and panics if a row contradicts the
// numbering of the opcodes.
func validate(table [256]Info) [256]Info {
	for i := range table {
		op, row := Op(i), &table[i]
		if row.Name == "" {
			*row = Info{Flow: Ends}
			continue
		}
		if err := check(op, *row); err != "" {
			panic(fmt.Sprintf("bytecode: opcode %#02x %s: %s", op, row.Name, err))
		}
	}
	return table
}

func check(op Op, row Info) string {
	grown := int(row.Pushes) - int(row.Pops)
	switch {
	case op >= PUSH0 && op <= PUSH32:
		if row.Immediate != op-PUSH0 || row.Pops != 0 || row.Pushes != 1 {
			return "a push takes its own number of bytes and leaves one word"
		}
	case row.Immediate != 0:
		return "only pushes have immediates"
	case op >= DUP1 && op <= DUP16:
		if row.Pops != op-DUP1+1 || grown != 1 {
			return "a dup reaches its own number of words and adds one"
		}
	case op >= SWAP1 && op <= SWAP16:
		if row.Pops != op-SWAP1+2 || grown != 0 {
			return "a swap reaches one word more than its number and adds none"
		}
	case op >= LOG0 && op <= LOG4:
		if row.Pops != op-LOG0+2 || row.Pushes != 0 {
			return "a log takes a range and its topics"
		}
	case row.Pushes > 1:
		return "leaves more than one word"
	case row.Pure && (row.Pushes != 1 || row.Pops == 0 || row.Flow != Next):
		return "a pure opcode maps operands to one result"
	case row.Flow != Next && row.Flow != Calls && row.Pushes != 0:
		return "a jump or end leaves nothing"
	case row.Flow == Calls && row.Pushes != 1:
		return "a call leaves its success"
	}
	return ""
}

// IsPush reports whether op puts a constant of the code on the stack.
func IsPush(op Op) bool { return op >= PUSH0 && op <= PUSH32 }

// IsDup reports whether op is one of DUP1 to DUP16.
func IsDup(op Op) bool { return op >= DUP1 && op <= DUP16 }

// IsSwap reports whether op is one of SWAP1 to SWAP16.
func IsSwap(op Op) bool { return op >= SWAP1 && op <= SWAP16 }
