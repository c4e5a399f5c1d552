package finding

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// An Observable is how a weakness can be observed by a test that sends the
// transactions of the Witness and sees only their results and the state. The
// zero value means that it cannot.
type Observable struct {
	Property string // signature of the property of the contract under test that fails afterwards
	Event    string // signature of the event that the last transaction emits
	Fails    bool   // the last transaction fails
	Data     []byte // return or revert data of the last transaction; empty if all gas is lost

	Effect     Effect          // the observable effect; nil if a field above suffices, or if there is none
	Instead    *input.Sequence // shows the Effect if the Witness does not; nil: the Witness does
	Attacker   bool            // the attacker contract is called or inspected
	BlockReads BlockReads
}

// BlockReads are the values that transactions read of themselves and of their block,
// apart from its number and time. Values that were not read are zero.
type BlockReads struct {
	Prevrandao common.Hash
	Coinbase   common.Address
	GasPrice   uint64      // in wei
	Hashes     []BlockHash // in the order of the reads
}

// A BlockHash is the hash of one block.
type BlockHash struct {
	Number uint64
	Hash   common.Hash
}

// An Effect is one way to observe a weakness. The types below are all there
// are.
type Effect interface{ effect() }

// A Profit means that an actor ends with more than it may own: wei, or of a
// token.
type Profit struct {
	Who   input.Actor
	Token common.Address // zero: wei
	Most  uint256.Int    // maximal legitimate balance
}

// A WrongStorage is a wrong storage word after the last transaction.
type WrongStorage struct {
	Contract    common.Address
	Slot, Value common.Hash
}

// A WrongReturn means that the last transaction succeeds and returns the
// Observable's Data.
type WrongReturn struct{}

// A WrongBalance is a wrong balance of an account after the last transaction.
type WrongBalance struct {
	Account common.Address
	Balance uint256.Int
}

// A ProbeWritten is a storage word without meaning that the last transaction
// writes.
type ProbeWritten struct {
	Contract common.Address
	Slot     common.Hash
}

// An IgnoredFailure is a failing call that makes no difference to its caller.
type IgnoredFailure struct {
	Caller, Callee      common.Address
	Selector            []byte // prefix of the calldata
	InsufficientBalance bool   // the caller's balance is less than the value of the call
}

// A Destroyed means that the last transaction destroys a contract.
type Destroyed struct{ Contract common.Address }

// A ForeignCode is code that runs on the storage of a contract, given by its
// address or by the selector.
type ForeignCode struct {
	Contract common.Address
	Code     common.Address
	Selector []byte // nil: any
}

// A BlockDependence means that the last transaction transfers other amounts in
// another block.
type BlockDependence struct {
	Block      input.BlockTime
	BlockReads BlockReads
}

// A DeniedService means that the last transaction fails, and succeeds if the
// attacker contract accepts its payment.
type DeniedService struct{}

// A RefusedCall is a call between two contracts that the callee reverts.
type RefusedCall struct{ Caller, Callee common.Address }

// A LockedEther is wei in a contract that has no code to send any.
type LockedEther struct{ Contract common.Address }

// An InvalidJump means that the last transaction jumps to an invalid
// destination.
type InvalidJump struct{}

// A ReentrantState is a state that the last transaction leaves because the
// attacker re-enters, and that no order of the same calls leads to.
type ReentrantState struct {
	Orders [][]input.Tx   // in place of the last transaction
	Words  []WrongStorage // in which the states differ, with the values after re-entrance
	Owners []common.Address
}

func (Profit) effect()          {}
func (WrongStorage) effect()    {}
func (WrongReturn) effect()     {}
func (WrongBalance) effect()    {}
func (ProbeWritten) effect()    {}
func (IgnoredFailure) effect()  {}
func (Destroyed) effect()       {}
func (ForeignCode) effect()     {}
func (BlockDependence) effect() {}
func (DeniedService) effect()   {}
func (RefusedCall) effect()     {}
func (LockedEther) effect()     {}
func (InvalidJump) effect()     {}
func (ReentrantState) effect()  {}
