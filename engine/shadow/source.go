package shadow

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
)

// A Kind is a kind of TaintSource.
type Kind uint8

// The kinds of TaintSources, with their identifying fields besides Tx.
const (
	FromUnknown      Kind = iota // lost by the mirror
	FromCalldata                 // Offset: a word of the transaction's calldata, 0 the selector
	FromInitcode                 // Offset: a word of a deployment's creation code and arguments
	FromCalldataSize             // length of the transaction's calldata
	FromCaller                   // msg.sender of the transaction
	FromOrigin
	FromCallValue // wei of the transaction
	FromTimestamp
	FromNumber
	FromBlockHash
	FromPrevrandao // difficulty before the Merge
	FromCoinbase
	FromGasLimit
	FromBaseFee // base fee and blob base fee
	FromGasPrice
	FromGas        // gas left
	FromMemorySize // MSIZE
	FromChain      // chain id, blob hashes
	FromBalance    // Address
	FromCode       // Address: size, hash or bytes of an account's code
	FromCallResult // Offset: number of the call or creation within the transaction
	FromReturnData // Offset: number of the call or creation within the transaction
	FromStorage    // Address, Slot: value before the transaction
	FromMark       // Offset: number of the Mark
	FromScript     // Slot: a word of Observer.Script's storage
	kindCount
)

var kindNames = [kindCount]string{
	"unknown", "calldata", "initcode", "calldatasize", "caller", "origin", "callvalue", "timestamp", "number",
	"blockhash", "prevrandao", "coinbase", "gaslimit", "basefee", "gasprice", "gas", "memorysize", "chain",
	"balance", "code", "callresult", "returndata", "storage", "mark", "script",
}

func (k Kind) String() string {
	if k < kindCount {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Anywhere is the Offset of a TaintSource that stands for all of its Kind and
// Tx, in widened sets.
const Anywhere = ^uint64(0)

// A TaintSource is an input of a transaction.
type TaintSource struct {
	Kind    Kind
	Tx      int    // index in the State's history, from 0
	Offset  uint64 // FromCalldata, FromInitcode: byte; calls and marks: number
	Address common.Address
	Slot    common.Hash
}

func (s TaintSource) String() string {
	switch s.Kind {
	case FromCalldata, FromInitcode, FromCallResult, FromReturnData, FromMark:
		if s.Offset == Anywhere {
			return fmt.Sprintf("%s[*]#%d", s.Kind, s.Tx)
		}
		return fmt.Sprintf("%s[%d]#%d", s.Kind, s.Offset, s.Tx)
	case FromBalance, FromCode:
		if s.Offset == Anywhere {
			return fmt.Sprintf("%s(*)#%d", s.Kind, s.Tx)
		}
		return fmt.Sprintf("%s(%s)#%d", s.Kind, s.Address.Hex(), s.Tx)
	case FromScript:
		return fmt.Sprintf("script(%s)#%d", s.Slot.Hex(), s.Tx)
	case FromStorage:
		if s.Offset == Anywhere {
			return fmt.Sprintf("storage(*)#%d", s.Tx)
		}
		return fmt.Sprintf("storage(%s,%s)#%d", s.Address.Hex(), s.Slot.Hex(), s.Tx)
	}
	return fmt.Sprintf("%s#%d", s.Kind, s.Tx)
}

// A TaintSourceID identifies a TaintSource within a Sets.
type TaintSourceID uint32
