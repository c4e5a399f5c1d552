package cheat

import (
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
)

// block is what cheatcodes changed of the block and of the transaction. Times and
// numbers are kept as distances, so that blocks still pass between Calls.
type block struct {
	seconds, blocks uint64 // added, modulo 2^64
	beyond          *evm.Beyond
	fixed           evm.BlockContext
	set             blockFields // fields of fixed that count
	gasPrice        *uint256.Int
	blobBaseFee     *uint256.Int
	blobHashes      []common.Hash
	began           evm.BlockContext // of the running Call
}

// blockFields says which fields of a block are fixed.
type blockFields struct{ prevrandao, coinbase, baseFee, gasLimit, chainID bool }

func (b *block) clone() block { return *b }

// begin remembers the block of a Call.
func (b *block) begin(s *evm.State) { b.began = *s.Block() }

// change returns the change of blocks that the Call leaves for those after it.
func (b *block) change(s *evm.State) func(*evm.BlockContext) {
	now := s.Block()
	kept := *b
	kept.seconds += now.Timestamp - b.began.Timestamp
	kept.blocks += now.Number - b.began.Number
	kept.beyond = now.Beyond
	b.seconds, b.blocks, b.beyond = kept.seconds, kept.blocks, kept.beyond
	if kept.seconds == 0 && kept.blocks == 0 && kept.beyond == nil && kept.set == (blockFields{}) {
		return nil
	}
	return kept.apply
}

func (b *block) apply(to *evm.BlockContext) {
	to.Timestamp += b.seconds
	to.Number += b.blocks
	to.Beyond = b.beyond
	if b.set.prevrandao {
		to.Prevrandao = b.fixed.Prevrandao
	}
	if b.set.coinbase {
		to.Coinbase = b.fixed.Coinbase
	}
	if b.set.baseFee {
		to.BaseFee = b.fixed.BaseFee
	}
	if b.set.gasLimit {
		to.GasLimit = b.fixed.GasLimit
	}
	if b.set.chainID {
		to.ChainID = b.fixed.ChainID
	}
}

// tx returns the values of transactions after the Call; nil for the usual ones.
func (b *block) tx(s *evm.State) *evm.TxContext {
	if b.gasPrice == nil && b.blobBaseFee == nil && b.blobHashes == nil {
		return nil
	}
	own := *s.Tx()
	return &own
}

var blockRows = []row{
	{"warp(uint256)", "", (*call).warp, "sets block.timestamp"},
	{"roll(uint256)", "", (*call).roll, "sets block.number"},
	{"getBlockTimestamp()", "(uint256)", (*call).getBlockTimestamp, "returns block.timestamp"},
	{"getBlockNumber()", "(uint256)", (*call).getBlockNumber, "returns block.number"},
	{"fee(uint256)", "", (*call).fee, "sets block.basefee"},
	{"coinbase(address)", "", (*call).coinbase, "sets block.coinbase"},
	{"prevrandao(bytes32)", "", (*call).prevrandao, "sets block.prevrandao"},
	{"prevrandao(uint256)", "", (*call).prevrandao, "sets block.prevrandao"},
	{"difficulty(uint256)", "", (*call).prevrandao, "sets block.prevrandao, as block.difficulty is called since the merge"},
	{"chainId(uint256)", "", (*call).chainID, "sets block.chainid"},
	{"getChainId()", "(uint256)", func(c *call) error { return c.give(numberValue(c.state.Block().ChainID)) }, "returns block.chainid"},
	{"txGasPrice(uint256)", "", (*call).txGasPrice, "sets tx.gasprice"},
	{"blobBaseFee(uint256)", "", (*call).setBlobBaseFee, "sets block.blobbasefee"},
	{"getBlobBaseFee()", "(uint256)", func(c *call) error { return c.give(wordValue(&c.state.Tx().BlobBaseFee)) }, "returns block.blobbasefee"},
	{"blobhashes(bytes32[])", "", (*call).setBlobHashes, "sets the blob hashes of the transaction"},
	{"getBlobhashes()", "(bytes32[])", (*call).getBlobHashes, "returns the blob hashes of the transaction"},
	{"setBlockhash(uint256,bytes32)", "", (*call).setBlockHash, "sets the hash of one of the last 256 blocks"},
}

func (c *call) warp() error {
	c.state.Block().SetTime(&c.args[0].Word)
	return nil
}

func (c *call) roll() error {
	c.state.Block().SetHeight(&c.args[0].Word)
	return nil
}

func (c *call) getBlockTimestamp() error {
	now := c.state.Block().Time()
	return c.give(wordValue(&now))
}

func (c *call) getBlockNumber() error {
	here := c.state.Block().Height()
	return c.give(wordValue(&here))
}

func (c *call) fee() error {
	if !c.args[0].Word.IsUint64() {
		return errors.New("base fee must be less than 2^64")
	}
	b := &c.memory.block
	b.set.baseFee, b.fixed.BaseFee = true, c.args[0].Word
	c.state.Block().BaseFee = c.args[0].Word
	return nil
}

func (c *call) coinbase() error {
	b := &c.memory.block
	b.set.coinbase, b.fixed.Coinbase = true, c.address(0)
	c.state.Block().Coinbase = c.address(0)
	return nil
}

func (c *call) prevrandao() error {
	b := &c.memory.block
	b.set.prevrandao, b.fixed.Prevrandao = true, c.word(0)
	c.state.Block().Prevrandao = c.word(0)
	return nil
}

func (c *call) chainID() error {
	id, err := c.small(0)
	if err != nil {
		return err
	}
	b := &c.memory.block
	b.set.chainID, b.fixed.ChainID = true, id
	c.state.Block().ChainID = id
	return nil
}

func (c *call) txGasPrice() error {
	c.memory.block.gasPrice = &c.args[0].Word
	c.state.Tx().GasPrice = c.args[0].Word
	return nil
}

func (c *call) setBlobBaseFee() error {
	c.memory.block.blobBaseFee = &c.args[0].Word
	c.state.Tx().BlobBaseFee = c.args[0].Word
	return nil
}

func (c *call) setBlobHashes() error {
	hashes := make([]common.Hash, len(c.args[0].Elems))
	for i := range hashes {
		hashes[i] = c.args[0].Elems[i].Word.Bytes32()
	}
	c.memory.block.blobHashes = hashes
	c.state.Tx().BlobHashes = hashes
	return nil
}

func (c *call) getBlobHashes() error {
	list := listValue(bytes32Type, nil)
	for _, h := range c.state.Tx().BlobHashes {
		list.Elems = append(list.Elems, hashValue(h))
	}
	return c.give(list)
}

func (c *call) setBlockHash() error {
	n, err := c.small(0)
	if err != nil {
		return err
	}
	if here := c.state.Block().Number; n > here {
		return fmt.Errorf("block number %d must not be greater than the current one, %d", n, here)
	}
	c.state.SetBlockHash(n, c.word(1))
	c.rememberArgs()
	return nil
}
