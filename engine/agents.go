package engine

import (
	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/agent"
	"leveret/engine/evm"
	"leveret/engine/input"
)

// instruct tells the attacker's contract in w what to do during the next Tx.
func instruct(w *evm.World, s *input.Script) {
	for _, word := range agent.Storage(s) {
		w.SetStorage(input.Attacker.Address(), word.Key, word.Value)
	}
}

// dismiss takes the instructions back: between Txs Worlds hold none.
func dismiss(w *evm.World, s *input.Script) {
	for _, word := range agent.Storage(s) {
		w.SetStorage(input.Attacker.Address(), word.Key, common.Hash{})
	}
}
