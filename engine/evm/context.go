package evm

import (
	"maps"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// A TxContext holds what instructions ask of the transaction.
type TxContext struct {
	GasPrice    uint256.Int
	BlobBaseFee uint256.Int
	BlobHashes  []common.Hash
}

// A callContext holds what the instructions of a Call ask of the block and the
// transaction.
type callContext struct {
	block  BlockContext
	origin common.Address
	tx     *TxContext
	hashes map[uint64]common.Hash // of blocks, as an Inspector set them

	changed TxContext // tx, if it is the Chain's, or once an Inspector may have changed it
	own     bool      // hashes belong to this Call
}

// begin sets the values of a Call on a World with env.
func (x *callContext) begin(chain *Chain, env *Env, b *BlockContext, c *Call) {
	x.block, x.origin, x.tx, x.hashes, x.own = *b, c.From, c.Tx, nil, false
	if c.Tx == nil {
		x.changed = TxContext{GasPrice: chain.GasPrice, BlobBaseFee: *uint256.NewInt(1)}
		x.tx = &x.changed
	}
	if env == nil {
		return
	}
	if env.Block != nil {
		env.Block(&x.block)
	}
	if env.Tx != nil {
		x.tx = env.Tx
	}
	x.hashes = env.Hashes
}

// changedTx returns the values of the transaction to be changed.
func (x *callContext) changedTx() *TxContext {
	if x.tx != &x.changed {
		x.changed = *x.tx
		x.tx = &x.changed
	}
	return x.tx
}

// setHash sets the hash of a block.
func (x *callContext) setHash(number uint64, hash common.Hash) {
	if !x.own {
		if x.hashes, x.own = maps.Clone(x.hashes), true; x.hashes == nil {
			x.hashes = make(map[uint64]common.Hash)
		}
	}
	x.hashes[number] = hash
}
