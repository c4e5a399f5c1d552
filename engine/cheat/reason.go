package cheat

import "leveret/engine/input"

// Reason returns the text of a revert by a cheatcode or by a failed check; false
// if the data is something else.
func Reason(output []byte) (string, bool) {
	if len(output) < 4 {
		return "", false
	}
	if s := [4]byte(output); s != selectorError && s != selectorCheatcodeError {
		return "", false
	}
	values, err := input.Decode([]input.Field{{Type: stringType}}, output[4:])
	if err != nil {
		return "", false
	}
	return string(values[0].Data), true
}

// Selectors of Error(string) and CheatcodeError(string).
var (
	selectorError          = [4]byte{0x08, 0xc3, 0x79, 0xa0}
	selectorCheatcodeError = [4]byte{0xee, 0xaa, 0x9e, 0x6f}
)

// errorString encodes a reason as Error(string).
func errorString(text string) []byte { return encodeReason(selectorError, text) }

// cheatcodeError encodes a reason as CheatcodeError(string).
func cheatcodeError(text string) []byte { return encodeReason(selectorCheatcodeError, text) }

func encodeReason(selector [4]byte, text string) []byte {
	return input.AppendValues(selector[:], []input.Value{textValue(text)})
}
