package replay

import (
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
)

// A Trace describes what a Sequence did in text and places: showing it needs
// neither the contract nor its sources.
type Trace struct {
	Deployment []string // one sentence per Creation
	Txs        []Tx
}

// A Tx is one transaction of a Trace, or the check of a property after the
// last one.
type Tx struct {
	Opening
	Block   input.BlockTime
	Root    *Frame
	Moves   []Move // in order, without reverted ones
	Steps   []Step
	Omitted bool // the limits of a Trace were exceeded
}

// An Opening describes a transaction before it runs.
type Opening struct {
	Call  string // "user1 calls Vault.deposit(5)": for calls that cannot be decoded better
	More  string // further details: ", 3 blocks later"
	Check bool   // it checks a property; its effects are discarded

	Number int // from 1, in the sequence that is traced; 0: before that, to prepare it
}

// A Frame is one call or creation.
type Frame struct {
	Kind     evm.FrameKind
	From, To string      // names
	Self     string      // account whose storage it uses, if not To
	Contract string      // contract of the running code, if To is not named after it
	Function string      // "deposit", "constructor", "fallback"; a selector in hexadecimal if unknown; empty: no calldata
	Args     []Argument  // decoded
	Data     string      // calldata in hexadecimal if it could not be decoded
	Wei      uint256.Int // sent along
	Gas      uint64      // used
	Status   evm.Status
	Reason   string         // why it failed, in words; empty without revert data
	Passed   bool           // it failed with the revert data of a call that it made
	Returns  []Argument     // decoded
	Place    *finding.Place // of the call; of the called function for an external call; nil: unknown
	Failed   *finding.Place // of the instruction that ended it
	Here     string         // what is wrong there; see Item
	Items    []Item         // its effects, in order
	Began    int            // instruction of the Tx, from 0, that ran first in it; that called it if it has no code
	Ended    int            // instruction of the Tx that ended it
}

// An Argument is a decoded value.
type Argument struct {
	Name  string // may be empty
	Value string
}

// An ItemKind is a kind of Item.
type ItemKind uint8

// The kinds of Items.
const (
	ItemCall  ItemKind = iota // Call
	ItemEvent                 // Name, Args
	ItemWrite                 // Name: the variable; Before, After
	ItemHere                  // no effect: only a blamed place
)

// An Item is one effect of a Frame.
type Item struct {
	Kind          ItemKind
	Call          *Frame
	Name          string
	Args          []Argument
	Before, After string
	Place         *finding.Place
	Here          string // the oracle's name if this is the blamed step
	At            int    // instruction of the Tx, from 0
}

// A Move is a transfer of wei or a token.
type Move struct {
	Token    string // name of the token contract; empty for wei
	From, To string
	Amount   string // as text: "1.5 ether", "1000", "no. 7"
}

// A Step is one executed statement of the project's code, for stepping through
// a Trace.
type Step struct {
	Depth int // of the frame, 1 for the outermost
	Place finding.Place
	Text  string // of the source, on one line, shortened
	At    int    // instruction of the Tx, from 0
	Times int    // repetitions of this and the following Of-1 Steps; 1 for once
	Of    int
}
