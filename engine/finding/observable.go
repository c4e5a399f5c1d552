package finding

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// A Observable is how a weakness can be seen from outside, by somebody who sends
// the transactions of the Witness and knows no more than what they leave
// behind. The zero value means that it cannot.
type Observable struct {
	Property string // signature of the function of the contract under test that returns false or reverts afterwards
	Event    string // signature of the event that the last transaction emits
	Fails    bool   // the last transaction fails
	Data     []byte // what the last transaction returns, or its revert data; none where all gas is lost

	Effect     Effect          // what gives the weakness away; nil if one of the above does, or nothing
	Instead    *input.Sequence // shows the Effect where the Witness does not; nil: the Witness does
	Attacker   bool            // the attacker's contract is called or looked at
	BlockReads BlockReads
}

// Asked is what transactions find out of their block, besides its number and
// time. What is not asked is zero.
type BlockReads struct {
	Prevrandao common.Hash
	Coinbase   common.Address
	Hashes     []BlockHash // in the order in which they are asked for
}

// A BlockHash is the hash of one block.
type BlockHash struct {
	Number uint64
	Hash   common.Hash
}

// A Effect is one way in which a weakness shows. The types below are all there
// are.
type Effect interface{ effect() }

// A Gain is that somebody owns more in the end than is due: wei, or of a token.
type Profit struct {
	Who   input.Actor
	Token common.Address // zero: wei
	Most  uint256.Int    // what may be owned
}

// A Stored is a wrong storage word that the last transaction leaves.
type WrongStorage struct {
	Contract    common.Address
	Slot, Value common.Hash
}

// An Answered is that the last transaction succeeds with the Observable's Data.
type WrongReturn struct{}

// A Paid is that the last transaction leaves an account with so much wei.
type WrongBalance struct {
	Account common.Address
	Balance uint256.Int
}

// An Overwritten is a storage word that means nothing, and that the last
// transaction writes.
type ProbeWritten struct {
	Contract common.Address
	Slot     common.Hash
}

// An Ignored is a call that fails without making a difference to what its
// caller does.
type IgnoredFailure struct {
	Caller, Callee      common.Address
	Selector            []byte // what the calldata begins with
	InsufficientBalance bool   // it fails because the caller has less wei than it sends
}

// A Destroyed is a contract that the last transaction destroys.
type Destroyed struct{ Contract common.Address }

// A Foreign is code that runs on the storage of a contract, wherever it comes
// from or if it is called with a selector.
type ForeignCode struct {
	Contract common.Address
	Code     common.Address
	Selector []byte // nil: any
}

// A Swayed is that the last transaction moves other wei in another block.
type BlockDependence struct {
	Block      input.BlockTime
	BlockReads BlockReads
}

// A Blocked is that the last transaction fails, and would succeed if the
// attacker's contract took what it is sent.
type DeniedService struct{}

// A Refused is a call between two contracts that the callee refuses.
type RefusedCall struct{ Caller, Callee common.Address }

// A Frozen is wei in a contract that has no code to part with it.
type LockedEther struct{ Contract common.Address }

// A Derailed is that the last transaction jumps to where there is no code to
// go on with.
type InvalidJump struct{}

// An Early is a state that the last transaction leaves because the attacker is
// called in the middle of it, and that no order of the same calls leads to.
type ReentrantState struct {
	Orders [][]input.Tx   // instead of the last transaction
	Words  []WrongStorage // in which the states differ; the Values are those that are left
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
