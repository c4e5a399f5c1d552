package deploy

import (
	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/input"
)

// A Fork is the state of a chain that a deployment starts from, instead of a
// chain without contracts at Genesis. The actors and the attacker contract
// replace what the chain has at their addresses.
type Fork struct {
	Source evm.Source
	Block  evm.BlockContext // of the deployment

	// At returns the state of the chain after another block; nil: it cannot be had.
	At func(block uint64) (*Fork, error)
	// Mined returns a transaction of the chain, with its block; nil: it cannot be had.
	Mined func(hash common.Hash) (*evm.Mined, error)
}

// name returns what inputs say of a fork.
func (f *Fork) name() *input.Fork {
	if f == nil {
		return nil
	}
	return &input.Fork{Chain: f.Block.ChainID, Block: f.Block.Number}
}

// under returns a World with the accounts of w on the fork.
func (f *Fork) under(w *evm.World, codes *evm.Codes) *evm.World {
	forked := evm.NewBacking(codes, f.Source).World()
	forked.AdoptAll(w)
	return forked
}
