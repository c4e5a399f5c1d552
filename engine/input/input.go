// Package input defines the inputs of a campaign: a Sequence of typed
// transactions, ABI types and values, their encoding, and a readable, versioned
// file form.
//
// It knows nothing of execution, coverage or search. All types are immutable:
// to change a value is to copy it.
//
//	abi, err := input.ParseABI(contract.ABI)
//	f := abi.Method("deposit(uint256)")
//	tx := input.Tx{From: input.User1, To: vault, Function: f, Args: f.Zero()}
//	for _, p := range input.Parameters(&tx) {
//		w := input.Get(&tx, &p)
//		w.AddUint64(&w, 1)
//		next := input.Set(&tx, &p, w) // tx itself is unchanged
//		send(next.Calldata())
//	}
package input

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// A Kind is a kind of ABI type.
type Kind uint8

// The kinds of the contract ABI specification.
const (
	KindUint Kind = iota
	KindInt
	KindAddress
	KindBool
	KindFixedBytes // bytes1 … bytes32
	KindBytes
	KindString
	KindArray // T[N]
	KindSlice // T[]
	KindTuple
	KindFunction // 24 bytes: address and selector
)

// A Type is an ABI type. Types are shared and immutable.
type Type struct {
	Kind   Kind
	Size   int     // KindUint, KindInt: bits; KindFixedBytes: bytes; KindArray: elements
	Elem   *Type   // KindArray, KindSlice
	Fields []Field // KindTuple

	// Of KindBytes, if the code is known to take such values for more than bytes:
	Contents []*Content // what they may hold
	Calls    bool       // a contract is called with them
}

// A Field is a named type: a parameter, a result or a tuple's component.
type Field struct {
	Name         string
	Type         *Type
	InternalType string // solc's: "contract IERC20", "enum Pool.State"; may be empty
	Elements     int    // that a list needs, as the code reads so many by number; 0: unknown
}

// A Value is a value of an ABI type. Elementary values are words as in the
// encoding: integers right-aligned (two's complement for KindInt), fixed bytes
// left-aligned, addresses and bools right-aligned.
type Value struct {
	Type  *Type
	Word  uint256.Int // elementary kinds
	Data  []byte      // KindBytes, KindString, KindFunction (24 bytes)
	Elems []Value     // KindArray, KindSlice, KindTuple; of KindBytes with a Content

	Content *Content // KindBytes: it holds Elems in place of Data; nil: Data
}

// A Mutability is a state mutability.
type Mutability uint8

// The state mutabilities of the ABI.
const (
	NonPayable Mutability = iota
	Payable
	View
	Pure
)

// A Function is an external function, a constructor (Constructor set, no
// selector), or receive or fallback (Raw set: arbitrary calldata, none for
// receive).
type Function struct {
	Name        string // "transfer", "constructor", "receive", "fallback"
	Signature   string // "transfer(address,uint256)"; "constructor(uint256)"; "receive()"; "fallback()"
	Selector    [4]byte
	Inputs      []Field
	Outputs     []Field
	Mutability  Mutability
	Constructor bool
	Raw         bool
	Senders     []Actor      // who may send transactions to it in this campaign; none: Actors. See Restricted
	MaxDelay    *Delay       // how long a transaction to it may wait at most; nil: MaxBlocks and MaxSeconds. See Restricted
	MaxWei      *uint256.Int // the most that a transaction to it may send; nil: WeiBits bits. See Restricted
	Property    bool         // a check of the state: it changes nothing that stays
	Handler     bool         // no such check, though its name may be like one: tests say which functions are
	Fixtures    [][]Value    // values that the test's author gives, by argument; none: there are no such values. See Restricted

	fixed  bool        // all calls have the same Parameters: params
	params []Parameter // shared; set by ParseABI and ParseSignature
	least  int         // Words of the zero arguments
}

// A Delay advances the block before a Tx.
type Delay struct {
	Blocks  uint64
	Seconds uint64
}

// A Tx is one call.
type Tx struct {
	From     Actor
	To       common.Address // a contract of the deployment
	Function *Function      // nil only for a Sequence read from a file and not yet bound
	Args     []Value
	Data     []byte // calldata of a Raw function
	Value    uint256.Int
	Delay    Delay
	Script   *Script // of the attacker contract; nil: accepts every call
}

// A Script tells the attacker contract what to do when it is called during a
// Tx. See docs/engine.md, "Attacker contracts".
type Script struct {
	Mode    ScriptMode
	Calls   []Reentry       // Reenter: in the order of those made at once
	Answers [][]uint256.Int // words returned to callers with calldata in any mode, by call, the last ones to all later calls; none: usual ones
}

// A Reentry is a re-entrant call. Of Tx, sender, delay and script do not count.
type Reentry struct {
	Tx    Tx
	First int // the call of the attacker contract in which it is made first, from 1; 0 is 1
	Times int // in how many calls of the attacker contract it is made; 0 is 1
}

// A ScriptMode is the reaction of the attacker contract to a call.
type ScriptMode uint8

// The modes.
const (
	Accept  ScriptMode = iota
	Refuse             // reverts
	BurnGas            // uses all gas
	Reenter            // makes Calls before it returns
)

// A Creation is one contract of a deployment, in order of creation.
type Creation struct {
	Name     string         // unique within the deployment
	Contract string         // the contract's name, if it differs from Name; see Class
	File     string         // source unit; empty for a mock
	Address  common.Address // address of the contract
	Args     []Value        // constructor arguments
	Value    uint256.Int    // wei of the creation
	By       string         // Creation whose constructor or set-up creates this one; empty: the deployer
	Of       string         // Creation whose code this one runs on its own storage, as a proxy does; empty: its own
	Setup    []Tx           // calls by the deployer after the creation, of this contract or of earlier ones
	Tested   bool           // the contract under test, if that is not the last Creation
	Named    bool           // code names the Address, and nobody's nonce gives it
}

// A Deployment is how the World of a Sequence is created.
type Deployment struct {
	Fork      *Fork // nil: a chain without other contracts
	Creations []Creation
}

// A Fork names the state that a Deployment starts from: that of a chain after a
// block. It names no endpoint, whose URL may be a secret.
type Fork struct {
	Chain uint64 `json:"chain"` // EIP-155's id
	Block uint64 `json:"block"`
}

// A Sequence is an executable input: a deployment, then Txs.
type Sequence struct {
	Deployment *Deployment
	Txs        []Tx
}
