package replay

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
)

// A Source answers what only those know who have the sources. Any function may
// be nil, and all of them answer with nothing for code that is not the
// project's.
type Resolver struct {
	Name     func(common.Address) string                                                      // how people call an account
	Contract func(*evm.Code) string                                                           // the name of the contract that code is compiled from
	Function func(code *evm.Code, data []byte) (f *input.Function, args []byte)               // what data calls, and the encoded arguments
	Event    func(code *evm.Code, l *evm.Log) *input.Event                                    // that a log may be
	Error    func(code *evm.Code, data []byte) *input.CustomError                             // that revert data may be
	Enum     func(code *evm.Code, internalType string, value uint64) string                   // "State.Open" for "enum Pool.State" and 1
	Define   func(code *evm.Code, f *input.Function) *finding.Place                           // where f is written
	Locate   func(code *evm.Code, pc uint64) *Location                                        // what an instruction stands for; nil: nothing of the user's
	Changes  func(code *evm.Code, before, after uint256.Int, at StorageSlot) []VariableChange // the variables of a slot that differ; code is whose layout counts
}

// A Location is what an instruction stands for in the user's source.
type Location struct {
	Place finding.Place // of the expression or statement
	Text  string        // on one line, shortened
	Whole bool          // a whole function or modifier, for code that the compiler adds

	Step     finding.Place // the statement that a person steps through; without a File: none
	StepText string
}

// A Slot is a storage word, with what was hashed to reach it.
type StorageSlot struct {
	Key       uint256.Int
	Preimages func(uint256.Int) (preimage []byte, offset uint256.Int, ok bool) // see layout.Preimages
}

// A Variable is a change of one variable in words.
type VariableChange struct{ Path, Before, After string }
