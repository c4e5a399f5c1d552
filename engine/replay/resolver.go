package replay

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
)

// A Resolver maps code and accounts to the source. Any function may be nil; all
// return zero values for code that is not the project's.
type Resolver struct {
	Name     func(common.Address) string                                                      // name of an account
	Account  func(name string) (common.Address, bool)                                         // the account with a name
	Contract func(*evm.Code) string                                                           // name of a code's contract
	Function func(code *evm.Code, data []byte) (f *input.Function, args []byte)               // the called function and the encoded arguments
	Event    func(code *evm.Code, l *evm.Log) *input.Event                                    // the event of a log
	Error    func(code *evm.Code, data []byte) *input.CustomError                             // the error of revert data
	Enum     func(code *evm.Code, internalType string, value uint64) string                   // "State.Open" for "enum Pool.State" and 1
	Define   func(code *evm.Code, f *input.Function) *finding.Place                           // definition of f
	Locate   func(code *evm.Code, pc uint64) *Location                                        // source of an instruction; nil: none
	Changes  func(code *evm.Code, before, after uint256.Int, at StorageSlot) []VariableChange // variables of a slot that differ, by the layout of code
	Answered func(to common.Address, data []byte) *input.Function                             // the function of a call that ran no code, such as a cheatcode
	Explain  func(data []byte) string                                                         // revert data that is no error of a contract
}

// A Location is the source of an instruction.
type Location struct {
	Place finding.Place // of the expression or statement
	Text  string        // on one line, shortened
	Whole bool          // a whole function or modifier: code that the compiler added

	Step     finding.Place // the statement, for stepping; without a File: none
	StepText string
}

// A StorageSlot is a storage word with its preimages.
type StorageSlot struct {
	Key       uint256.Int
	Preimages func(uint256.Int) (preimage []byte, offset uint256.Int, ok bool) // see layout.Preimages
}

// A VariableChange is the change of one variable, as text.
type VariableChange struct{ Path, Before, After string }
