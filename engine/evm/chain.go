package evm

import (
	"encoding/binary"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

// chainConfig enables all forks up to Osaka. Later instruction sets run the
// code of earlier compilers, so one configuration serves all.
var chainConfig = params.MergedTestChainConfig

// chainRules are the rules of chainConfig.
var chainRules = chainConfig.Rules(common.Big0, true, 0)

// precompiles are the active precompiles, by the number in their address.
var precompiles = func() (active [1 << 9]bool) {
	for _, addr := range vm.ActivePrecompiles(chainRules) {
		active[binary.BigEndian.Uint16(addr[18:])] = true
	}
	return active
}()

// precompile reports whether a precompiled contract is at addr.
func precompile(addr *common.Address) bool {
	if binary.BigEndian.Uint64(addr[:]) != 0 || binary.BigEndian.Uint64(addr[8:]) != 0 {
		return false
	}
	n := binary.BigEndian.Uint32(addr[16:])
	return n < uint32(len(precompiles)) && precompiles[n]
}

// newBlockContext returns the context that is equal for all blocks.
func newBlockContext() vm.BlockContext {
	return vm.BlockContext{
		CanTransfer: func(db vm.StateDB, from common.Address, wei *uint256.Int) bool {
			return !db.GetBalance(from).Lt(wei)
		},
		GetHash:     BlockHash,
		BlockNumber: new(big.Int),
		Difficulty:  new(big.Int),
		BaseFee:     new(big.Int),
		BlobBaseFee: big.NewInt(1),
		Random:      new(common.Hash),
	}
}

// transfer transfers wei.
func transfer(db vm.StateDB, from, to common.Address, wei *uint256.Int) {
	db.SubBalance(from, wei, tracing.BalanceChangeTransfer)
	db.AddBalance(to, wei, tracing.BalanceChangeTransfer)
}

// BlockHash returns the pseudo-random hash of a block number.
func BlockHash(number uint64) common.Hash {
	return crypto.Keccak256Hash(binary.BigEndian.AppendUint64([]byte("block"), number))
}

// setBlock sets the values of the block opcodes.
func setBlock(context *vm.BlockContext, b *BlockContext) {
	context.BlockNumber.SetUint64(b.Number)
	context.Time = b.Timestamp
	*context.Random = b.Prevrandao
	context.Coinbase = b.Coinbase
	context.GasLimit = b.GasLimit
	b.BaseFee.IntoBig(&context.BaseFee)
}
