package dap

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-dap"

	"leveret/engine/bytecode"
	"leveret/engine/debug"
	"leveret/engine/evm"
)

// Addresses are the number of a code and a pc in it, so that the codes of a recording
// are in one space: the first 32 bits and the others.
const pcBits = 32

// maxInstructions bounds the instructions of one response.
const maxInstructions = 20_000

// address writes the address of an instruction.
func address(s *debug.Session, code *evm.Code, pc uint64) string {
	return fmt.Sprintf("0x%x", uint64(s.CodeNumber(code)+1)<<pcBits|pc)
}

// far bounds offsets.
const far = 1 << 31

var errFar = errors.New("the offset is too large")

// parseAddress is the inverse of address. It adds an offset in bytes, which may lead
// out of the code.
func parseAddress(s *debug.Session, text string, offset int) (code *evm.Code, pc int, err error) {
	at, err := strconv.ParseUint(strings.TrimPrefix(text, "0x"), 16, 63)
	if code = s.Code(int(at>>pcBits) - 1); err != nil || code == nil {
		return nil, 0, errors.New("not an address of the recording; stackTrace and disassemble tell addresses")
	}
	if offset < -far || offset > far {
		return nil, 0, errFar
	}
	return code, int(at&(1<<pcBits-1)) + offset, nil
}

// isInstruction reports whether an instruction begins at a pc.
func isInstruction(code *evm.Code, pc int) bool {
	_, found := slices.BinarySearchFunc(code.Analysis().Instructions, pc, func(in bytecode.Instruction, pc int) int { return int(in.PC) - pc })
	return found
}

// disassemble lists instructions around an address: exactly as many as are asked for,
// as the protocol demands.
func (w *view) disassemble(a *dap.DisassembleArguments) (any, error) {
	if a.InstructionCount < 0 || a.InstructionCount > maxInstructions {
		return nil, fmt.Errorf("instructionCount must be from 0 to %d", maxInstructions)
	}
	code, pc, err := parseAddress(w.Session, a.MemoryReference, a.Offset)
	if err != nil {
		return nil, err
	}
	if a.InstructionOffset < -far || a.InstructionOffset > far {
		return nil, errFar
	}
	instructions := code.Analysis().Instructions
	first := 0
	for first < len(instructions) && int(instructions[first].PC) < pc {
		first++
	}
	first += a.InstructionOffset
	list := make([]dap.DisassembledInstruction, 0, a.InstructionCount)
	for i := first; i < first+a.InstructionCount; i++ {
		list = append(list, w.instruction(code, instructions, i))
	}
	return dap.DisassembleResponseBody{Instructions: list}, nil
}

// instruction describes the ith instruction of a code, or that there is none.
func (w *view) instruction(code *evm.Code, all []bytecode.Instruction, i int) dap.DisassembledInstruction {
	if i < 0 || i >= len(all) {
		before := uint64(w.CodeNumber(code)+1)<<pcBits + uint64(int64(i)&(1<<pcBits-1))
		return dap.DisassembledInstruction{Address: fmt.Sprintf("0x%x", before), Instruction: "(no code)"}
	}
	in := all[i]
	info := bytecode.Ops[in.Op]
	text := info.Name
	end := min(len(code.Bytes), int(in.PC)+1+int(info.Immediate))
	if text == "" {
		text = fmt.Sprintf("INVALID 0x%02x", byte(in.Op))
	}
	if info.Immediate > 0 {
		text += " 0x" + hex.EncodeToString(code.Bytes[in.PC+1:end])
	}
	out := dap.DisassembledInstruction{
		Address: address(w.Session, code, uint64(in.PC)), Instruction: text, InstructionBytes: hex.EncodeToString(code.Bytes[in.PC:end]),
	}
	if place, ok := w.PlaceOf(code, uint64(in.PC)); ok {
		out.Location = w.sourceOf(place)
		out.Line, out.Column = place.Start.Line-w.client.zeroLine, place.Start.Column-w.client.zeroColumn
		out.EndLine, out.EndColumn = place.End.Line-w.client.zeroLine, place.End.Column-w.client.zeroColumn
	}
	return out
}
