// Package input is what a campaign tries: a Sequence of typed transactions,
// the ABI types and values they are made of, their encoding, and a readable,
// versioned file form.
//
// It knows nothing of execution, coverage or search. Every type here is
// immutable once built: to change one is to copy it.
//
//	abi, err := input.ParseABI(contract.ABI)
//	f := abi.Method("deposit(uint256)")
//	tx := input.Tx{From: input.User1, To: vault, Function: f, Args: f.Zero()}
//	for _, p := range input.Parameters(&tx) {
//		w := input.Get(&tx, &p)
//		w.AddUint64(&w, 1)
//		next := input.Set(&tx, &p, w) // tx itself stays as it is
//		send(next.Calldata())
//	}
package input

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Kind tells the ABI types apart.
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

// A Type is an ABI type. Types are shared and never changed.
type Type struct {
	Kind   Kind
	Size   int     // KindUint, KindInt: bits; KindFixedBytes: bytes; KindArray: elements
	Elem   *Type   // KindArray, KindSlice
	Fields []Field // KindTuple
}

// A Field is a named type: a parameter, a result or a tuple's component.
type Field struct {
	Name         string
	Type         *Type
	InternalType string // solc's, "contract IERC20", "enum Pool.State"; empty where the compiler gives none
}

// A Value is a value of an ABI type. Elementary values are words as they
// stand in the encoding: integers right-aligned (two's complement for
// KindInt), fixed bytes left-aligned, addresses and bools right-aligned.
type Value struct {
	Type  *Type
	Word  uint256.Int // elementary kinds
	Data  []byte      // KindBytes, KindString, KindFunction (24 bytes)
	Elems []Value     // KindArray, KindSlice, KindTuple
}

// Mutability is a function's state mutability.
type Mutability uint8

// The state mutabilities of the ABI.
const (
	NonPayable Mutability = iota
	Payable
	View
	Pure
)

// A Function is an externally reachable function, or a constructor
// (Constructor set, no selector), or receive/fallback (Raw set: calldata is
// free bytes; receive takes none).
type Function struct {
	Name        string // "transfer", "constructor", "receive", "fallback"
	Signature   string // "transfer(address,uint256)"; "constructor(uint256)"; "receive()"; "fallback()"
	Selector    [4]byte
	Inputs      []Field
	Outputs     []Field
	Mutability  Mutability
	Constructor bool
	Raw         bool

	fixed  bool        // all calls have the same Parameters: params
	params []Parameter // set by ParseABI and ParseSignature, shared
	least  int         // Words of the zero arguments
}

// An Actor is one of the externally owned accounts that send transactions,
// or the attacker.
type Actor uint8

// The actors of every campaign. Each has a balance and, but for the attacker
// when its Agent is armed, no code.
const (
	Deployer Actor = iota
	User1
	User2
	Attacker
	ActorCount int = iota
)

// A Delay moves the block forward before a Tx.
type Delay struct {
	Blocks  uint64
	Seconds uint64
}

// A Tx is one call.
type Tx struct {
	From     Actor
	To       common.Address // a contract of the deployment
	Function *Function      // nil only for a Sequence that was read from a file and not yet bound
	Args     []Value
	Data     []byte // calldata of a Raw function
	Value    uint256.Int
	Delay    Delay
	Script   *Script // what the attacker's contract does when it is called; nil: accepts
}

// A Script tells the Agent, the attacker's contract, what to do when it is
// called during a Tx [ENGINE.md section 9].
type Script struct {
	Mode    ScriptMode
	Target  common.Address // AgentReenter: contract to call
	Data    []byte         // AgentReenter: its calldata
	Value   uint256.Int    // AgentReenter: wei
	Depth   int            // AgentReenter: how often it re-enters, at least 1
	Returns []uint256.Int  // words returned to the caller, whatever the mode
}

// AgentMode is what an Agent does when it is called.
type ScriptMode uint8

// The Agent's modes.
const (
	Accept  ScriptMode = iota
	Refuse             // reverts
	BurnGas            // uses all gas
	Reenter            // calls Target with Data before it returns
)

// A Creation is one contract of a deployment, made by the deployer in order.
type Creation struct {
	Name     string         // unique within the deployment
	Contract string         // the contract's name, if Name is another; see Class
	File     string         // source unit; empty for a built-in
	Address  common.Address // where it comes to stand
	Args     []Value        // constructor arguments
	Value    uint256.Int    // wei sent along
	By       string         // the Creation that makes this one, in its constructor or set-up; empty: the deployer does
	Of       string         // the Creation whose code this one runs, on storage of its own, as a proxy does; empty: it has its own
	Setup    []Tx           // the deployer's calls once it stands
}

// A Deployment is how the World of a Sequence comes about. The contract
// under test is the last Creation.
type Deployment struct {
	Creations []Creation
}

// A Sequence is what is executed: a deployment, then Txs.
type Sequence struct {
	Deployment *Deployment
	Txs        []Tx
}
