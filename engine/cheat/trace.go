package cheat

import (
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/input"
)

// Names are what traces call the addresses of this package.
var Names = map[common.Address]string{Address: "vm", Console: "console"}

// Called returns the function of a call to one of the addresses of this package; nil
// for other calls. A cheatcode without parameters that are known is Raw.
func Called(to common.Address, data []byte) *input.Function {
	if len(data) < 4 {
		return nil
	}
	selector := [4]byte(data)
	switch to {
	case Address:
		if code := cheatcodes()[selector]; code != nil {
			return &input.Function{Name: code.name, Signature: code.signature, Selector: selector, Inputs: code.inputs, Outputs: code.outputs}
		}
		if signature := unsupported()[selector]; signature != "" {
			name, _, _ := strings.Cut(signature, "(")
			return &input.Function{Name: name, Signature: signature, Selector: selector, Raw: true}
		}
	case Console:
		if f := consoleFunctions()[selector]; f != nil {
			name := "log"
			if f.table {
				name = "table"
			}
			return &input.Function{Name: name, Selector: selector, Inputs: f.inputs}
		}
	}
	return nil
}

// Explained says what the data of a revert by a cheatcode means; empty for other
// data.
func Explained(data []byte) string {
	if Rejected(data) {
		return "vm.assume rejects the input"
	}
	text, ok := Reason(data)
	if !ok {
		return ""
	}
	if reason, skipped := strings.CutPrefix(text, string(magicSkip)); skipped {
		return strings.TrimSuffix("vm.skip: "+reason, ": ")
	}
	return text
}
