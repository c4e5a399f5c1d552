package finding

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// A Symptom is how a weakness can be seen from outside, by somebody who sends
// the transactions of the Witness and knows no more than what they leave
// behind. The zero value means that it cannot.
type Symptom struct {
	Property string // signature of the function of the contract under test that returns false or reverts afterwards
	Event    string // signature of the event that the last transaction emits
	Fails    bool   // the last transaction fails
	Data     []byte // what the last transaction returns, or its revert data; none where all gas is lost

	Sign     Sign            // what gives the weakness away; nil if one of the above does, or nothing
	Instead  *input.Sequence // shows the Sign where the Witness does not; nil: the Witness does
	Attacker bool            // the attacker's contract is called or looked at
	Asked    Asked
}

// Asked is what transactions find out of their block, besides its number and
// time. What is not asked is zero.
type Asked struct {
	Prevrandao common.Hash
	Coinbase   common.Address
	Hashes     []BlockHash // in the order in which they are asked for
}

// A BlockHash is the hash of one block.
type BlockHash struct {
	Number uint64
	Hash   common.Hash
}

// A Sign is one way in which a weakness shows. The types below are all there
// are.
type Sign interface{ sign() }

// A Gain is that somebody owns more in the end than is due: wei, or of a token.
type Gain struct {
	Who   input.Actor
	Token common.Address // zero: wei
	Most  uint256.Int    // what may be owned
}

// A Stored is a wrong storage word that the last transaction leaves.
type Stored struct {
	Contract    common.Address
	Slot, Value common.Hash
}

// An Answered is that the last transaction succeeds with the Symptom's Data.
type Answered struct{}

// A Paid is that the last transaction leaves an account with so much wei.
type Paid struct {
	Account common.Address
	Balance uint256.Int
}

// An Overwritten is a storage word that means nothing, and that the last
// transaction writes.
type Overwritten struct {
	Contract common.Address
	Slot     common.Hash
}

// An Ignored is a call that fails without making a difference to what its
// caller does.
type Ignored struct {
	Caller, Callee common.Address
	Selector       []byte // what the calldata begins with
	Broke          bool   // it fails because the caller has less wei than it sends
}

// A Destroyed is a contract that the last transaction destroys.
type Destroyed struct{ Contract common.Address }

// A Foreign is code that runs on the storage of a contract, wherever it comes
// from or if it is called with a selector.
type Foreign struct {
	Contract common.Address
	Code     common.Address
	Selector []byte // nil: any
}

// A Swayed is that the last transaction moves other wei in another block.
type Swayed struct {
	Block input.Block
	Asked Asked
}

// A Blocked is that the last transaction fails, and would succeed if the
// attacker's contract took what it is sent.
type Blocked struct{}

// A Refused is a call between two contracts that the callee refuses.
type Refused struct{ Caller, Callee common.Address }

// A Frozen is wei in a contract that has no code to part with it.
type Frozen struct{ Contract common.Address }

// A Derailed is that the last transaction jumps to where there is no code to
// go on with.
type Derailed struct{}

// An Early is a state that the last transaction leaves because the attacker is
// called in the middle of it, and that no order of the same calls leads to.
type Early struct {
	Orders [][]input.Tx // instead of the last transaction
	Words  []Stored     // in which the states differ; the Values are those that are left
	Owners []common.Address
}

func (Gain) sign()        {}
func (Stored) sign()      {}
func (Answered) sign()    {}
func (Paid) sign()        {}
func (Overwritten) sign() {}
func (Ignored) sign()     {}
func (Destroyed) sign()   {}
func (Foreign) sign()     {}
func (Swayed) sign()      {}
func (Blocked) sign()     {}
func (Refused) sign()     {}
func (Frozen) sign()      {}
func (Derailed) sign()    {}
func (Early) sign()       {}
