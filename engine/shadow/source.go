package shadow

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
)

// A Kind tells Sources apart.
type Kind uint8

// The kinds of Sources, with the fields that identify one besides Tx.
const (
	FromUnknown      Kind = iota // what the mirror lost sight of
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
	FromStorage    // Address, Slot: as it was before the transaction
	FromMark       // Offset: number of the Mark
	kindCount
)

var kindNames = [kindCount]string{
	"unknown", "calldata", "initcode", "calldatasize", "caller", "origin", "callvalue", "timestamp", "number",
	"blockhash", "prevrandao", "coinbase", "gaslimit", "basefee", "gasprice", "gas", "memorysize", "chain",
	"balance", "code", "callresult", "returndata", "storage", "mark",
}

func (k Kind) String() string {
	if k < kindCount {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Anywhere is the Offset of a Source that stands for all Sources of its Kind
// and Tx: what a set that grew too large is widened to.
const Anywhere = ^uint64(0)

// A Source is an input that words come from.
type TaintSource struct {
	Kind    Kind
	Tx      int    // which transaction of the State's history, from 0
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
		return fmt.Sprintf("%s(%s)#%d", s.Kind, s.Address.Hex(), s.Tx)
	case FromStorage:
		if s.Offset == Anywhere {
			return fmt.Sprintf("storage(*)#%d", s.Tx)
		}
		return fmt.Sprintf("storage(%s,%s)#%d", s.Address.Hex(), s.Slot.Hex(), s.Tx)
	}
	return fmt.Sprintf("%s#%d", s.Kind, s.Tx)
}

// A SourceID identifies a Source within a Sets.
type TaintSourceID uint32
