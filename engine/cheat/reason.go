package cheat

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/input"
)

// Reason returns the text of a revert by a cheatcode or by a failed check; false
// if the data is something else.
func Reason(output []byte) (string, bool) {
	if len(output) < 4 {
		return "", false
	}
	if s := [4]byte(output); s == selectorError || s == selectorCheatcodeError {
		return decodeText(output[4:])
	}
	text, ok := decodeText(output) // of a missing event
	return text, ok && text != ""
}

// decodeText decodes a string.
func decodeText(data []byte) (string, bool) {
	values, err := input.Decode([]input.Field{{Type: stringType}}, data)
	if err != nil {
		return "", false
	}
	return string(values[0].Data), true
}

// Selectors of Error(string), CheatcodeError(string) and Panic(uint256).
var (
	selectorError          = [4]byte{0x08, 0xc3, 0x79, 0xa0}
	selectorCheatcodeError = [4]byte{0xee, 0xaa, 0x9e, 0x6f}
	selectorPanic          = [4]byte{0x4e, 0x48, 0x7b, 0x71}
)

// errorString encodes a reason as Error(string).
func errorString(text string) []byte { return encodeReason(selectorError, text) }

// cheatcodeError encodes a reason as CheatcodeError(string).
func cheatcodeError(text string) []byte { return encodeReason(selectorCheatcodeError, text) }

func encodeReason(selector [4]byte, text string) []byte {
	return input.AppendValues(selector[:], []input.Value{textValue(text)})
}

// Explain says why a call failed, in forge's words. It takes the data of a revert,
// and the error of a halt or ErrReverted. custom explains errors of contracts; it
// may be nil, and returns "" for others.
func Explain(output []byte, halt error, custom func(output []byte) string) string {
	if text, ok := Reason(output); ok && text != "" {
		return text
	}
	if code, ok := PanicCode(output); ok {
		return panicText(code)
	}
	if custom != nil {
		if text := custom(output); text != "" {
			return text
		}
	}
	switch {
	case len(output) > 0 && ascii(output):
		return string(output)
	case len(output) > 4 && utf8.Valid(output[4:]):
		return "custom error 0x" + hex.EncodeToString(output[:4]) + ": " + string(output[4:])
	case len(output) > 4:
		return "custom error 0x" + hex.EncodeToString(output[:4]) + ": " + hex.EncodeToString(output[4:])
	case len(output) == 4:
		return "custom error 0x" + hex.EncodeToString(output)
	case halt != nil:
		return "EvmError: " + HaltName(halt)
	}
	return "<empty revert data>"
}

func ascii(data []byte) bool {
	for _, b := range data {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// plain shows data as text if it is one, otherwise in hexadecimal.
func plain(data []byte) string {
	if text, ok := decodeText(data); ok {
		return text
	}
	if ascii(data) {
		return string(data)
	}
	return "0x" + hex.EncodeToString(data)
}

// panics are the kinds of Panic(uint256).
var panics = map[uint64]string{
	0x00: "generic/unspecified error",
	0x01: "assertion failed",
	0x11: "arithmetic underflow or overflow",
	0x12: "division or modulo by zero",
	0x21: "failed to convert value into enum type",
	0x22: "storage byte array incorrectly encoded",
	0x31: "called `.pop()` on an empty array",
	0x32: "array out-of-bounds access",
	0x41: "memory allocation error",
	0x51: "called an invalid internal function",
}

// PanicCode returns the code of a Panic(uint256); false if the data is something
// else.
func PanicCode(output []byte) (uint64, bool) {
	if len(output) != 36 || [4]byte(output) != selectorPanic {
		return 0, false
	}
	code := new(uint256.Int).SetBytes(output[4:])
	return code.Uint64(), code.IsUint64()
}

// PanicData is what a frame that panics returns.
func PanicData(code uint64) []byte {
	word := uint256.NewInt(code).Bytes32()
	return append(selectorPanic[:len(selectorPanic):len(selectorPanic)], word[:]...)
}

func panicText(code uint64) string {
	if text, ok := panics[code]; ok {
		return fmt.Sprintf("panic: %s (0x%02x)", text, code)
	}
	return fmt.Sprintf("panic: unknown code (0x%02x)", code)
}

// HaltName names the error of a frame as forge does; ErrReverted is "Revert".
func HaltName(err error) string {
	if err == evm.ErrReverted {
		return "Revert"
	}
	text := err.Error()
	for _, row := range []struct{ has, name string }{
		{"out of gas", "OutOfGas"}, {"gas uint64 overflow", "OutOfGas"}, {"invalid opcode: INVALID", "InvalidFEOpcode"},
		{"invalid opcode", "OpcodeNotFound"}, {"stack underflow", "StackUnderflow"}, {"stack limit", "StackOverflow"},
		{"invalid jump", "InvalidJump"}, {"write protection", "StateChangeDuringStaticCall"}, {"return data out of bounds", "OutOfOffset"},
		{"collision", "CreateCollision"}, {"max code size", "CreateContractSizeLimit"}, {"invalid code", "CreateContractStartingWithEF"},
		{"insufficient balance", "OutOfFunds"}, {"max call depth", "CallTooDeep"}, {"memory limit", "MemoryLimitOOG"},
	} {
		if strings.Contains(text, row.has) {
			return row.name
		}
	}
	return text
}

// rejects reports whether a message failed in one of the ways that revm counts as
// a revert: halts, of which no gas comes back, are others.
func rejects(e *evm.Ending) bool {
	return e.Err == evm.ErrReverted || errors.Is(e.Err, evm.ErrBalance) || e.Err != nil && HaltName(e.Err) == "CallTooDeep"
}

// fail makes a message revert with a reason.
func fail(e *evm.Ending, text string) { e.Err, e.Output = evm.ErrReverted, cheatcodeError(text) }
