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

// defaultChainID is the result of CHAINID in blocks without one.
var defaultChainID = *uint256.MustFromBig(chainConfig.ChainID)

// chainID is the result of CHAINID.
func (b *BlockContext) chainID() uint256.Int {
	if b.ChainID == 0 {
		return defaultChainID
	}
	return *uint256.NewInt(b.ChainID)
}

// BlockHash returns the pseudo-random hash of a block number.
func BlockHash(number uint64) common.Hash {
	return crypto.Keccak256Hash(binary.BigEndian.AppendUint64([]byte("block"), number))
}

// blockHashes is how many blocks back BLOCKHASH reaches.
const blockHashes = 256

// blockHash is the result of BLOCKHASH.
func (m *Machine) blockHash(z, number *uint256.Int) {
	n, here := number.Uint64(), m.context.block.Number
	if !number.IsUint64() || n >= here || here-n > blockHashes {
		z.Clear()
		return
	}
	h, known := m.context.hashes[n]
	if !known {
		h = m.hashOf(n)
	}
	z.SetBytes32(h[:])
}

// hashOf returns the hash of a block: that of the World's Source if it has one.
func (m *Machine) hashOf(number uint64) common.Hash {
	if b := backingOf(m.overlay.top); b != nil {
		switch hash, err := b.blockHash(number); {
		case err != nil:
			m.overlay.accounts.err = err
			return common.Hash{}
		case hash != common.Hash{}:
			return hash
		}
	}
	if m.Chain.BlockHash != nil {
		return m.Chain.BlockHash(number)
	}
	return BlockHash(number)
}
