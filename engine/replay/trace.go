package replay

import (
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
)

// A Trace tells what a Sequence did. It is all words and places: whoever shows
// it needs neither the contract nor its sources.
type Trace struct {
	Deployment []string // a sentence for each Creation
	Txs        []Tx
}

// A Tx is one transaction of a Trace, or the check of a property after the
// last one.
type Tx struct {
	Opening
	Block   input.BlockTime
	Root    *Frame
	Moves   []Move // in order; without those that were undone
	Steps   []Step
	Omitted bool // more happened than a Trace holds
}

// An Opening says what a transaction is about to do.
type Opening struct {
	Call  string // "user1 calls Vault.deposit(5)": for calls that cannot be decoded better
	More  string // what else there is to say, ", 3 blocks later"
	Check bool   // it is run to look at a property; its effects are not kept
}

// A Frame is one call or creation.
type Frame struct {
	Kind     evm.FrameKind
	From, To string      // names
	Self     string      // whose storage is used, if that is not To
	Contract string      // whose code runs, if To is not named after it
	Function string      // "deposit", "constructor", "fallback"; a selector in hexadecimal if unknown; empty: nothing is called
	Args     []Argument  // decoded
	Data     string      // calldata in hexadecimal where Args could not be decoded
	Wei      uint256.Int // sent along
	Gas      uint64      // used
	Status   evm.Status
	Reason   string         // why it failed, in words; empty if it says nothing
	Passed   bool           // it failed with what a call that it made failed with
	Returns  []Argument     // decoded
	Place    *finding.Place // of the call; of the called function if the call comes from outside; nil: unknown
	Failed   *finding.Place // of the instruction that ended it
	Here     string         // what is to blame there; see Item
	Items    []Item         // what it did, in order
}

// An Argument is a decoded value.
type Argument struct {
	Name  string // empty if it has none
	Value string
}

// An ItemKind tells Items apart.
type ItemKind uint8

// The kinds of Items.
const (
	ItemCall  ItemKind = iota // Call
	ItemEvent                 // Name, Args
	ItemWrite                 // Name: the variable; Before, After
	ItemHere                  // nothing but a place that is to blame
)

// An Item is something that a Frame does.
type Item struct {
	Kind          ItemKind
	Call          *Frame
	Name          string
	Args          []Argument
	Before, After string
	Place         *finding.Place
	Here          string // why this is the step to blame: the oracle's name; empty if it is not
}

// A Move is wei or a token that changes hands.
type Move struct {
	Token    string // name of the contract that reports it; empty for wei
	From, To string
	Amount   string // in words: "1.5 ether", "1000", "no. 7"
}

// A Step is one statement of the project's code that was executed, for those
// who go through a Trace line by line.
type Step struct {
	Depth int // of the frame, 1 for the outermost
	Place finding.Place
	Text  string // of the source, on one line, shortened
	Times int    // this and the following Of-1 Steps were executed so often in turn; 1 for once
	Of    int
}
