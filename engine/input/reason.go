package input

import (
	"fmt"

	"github.com/ethereum/go-ethereum/accounts/abi"
)

// WordType returns the integers that words of an elementary type stand for.
func (t *Type) WordType() WordType { return wordTypeOf(t) }

// Reason describes revert data: the string of a require, a panic code, or a
// custom error of the contract with its arguments; empty if unknown.
func (a *ABI) Reason(data []byte) string {
	if reason, err := abi.UnpackRevert(data); err == nil {
		return reason
	}
	if len(data) < 4 {
		return ""
	}
	for _, e := range a.Errors {
		if e.Selector != [4]byte(data) {
			continue
		}
		if values, err := Decode(e.Inputs, data[4:]); err == nil {
			return e.Name + string((*Names)(nil).appendList(nil, "()", values))
		}
		return e.Name
	}
	return fmt.Sprintf("0x%x", data[:4])
}
