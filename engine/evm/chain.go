package evm

import (
	"encoding/binary"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

// chainConfig enables all forks up to Osaka.
var chainConfig = params.MergedTestChainConfig

// chainRules are the rules of chainConfig.
var chainRules = chainConfig.Rules(common.Big0, true, 0)

// chainID is the result of CHAINID.
var chainID = uint256.MustFromBig(chainConfig.ChainID)

// BlockHash returns the pseudo-random hash of a block number.
func BlockHash(number uint64) common.Hash {
	return crypto.Keccak256Hash(binary.BigEndian.AppendUint64([]byte("block"), number))
}

// blockHashes is how many blocks back BLOCKHASH reaches.
const blockHashes = 256

// blockHash is the result of BLOCKHASH.
func (m *Machine) blockHash(z, number *uint256.Int) {
	n, here := number.Uint64(), m.block.Number
	if !number.IsUint64() || n >= here || here-n > blockHashes {
		z.Clear()
		return
	}
	hash := BlockHash
	if m.Chain.BlockHash != nil {
		hash = m.Chain.BlockHash
	}
	h := hash(n)
	z.SetBytes32(h[:])
}
