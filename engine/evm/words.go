package evm

import (
	"iter"

	"github.com/ethereum/go-ethereum/common"
)

// SetStorageWords sets several storage words of an account at once, by key, each
// key once. Like SetStorage, it does nothing to an account that does not exist.
func (w *World) SetStorageWords(addr common.Address, words iter.Seq2[common.Hash, common.Hash]) {
	if !w.Exists(addr) {
		return
	}
	var slots []layerSlot
	for key, value := range words {
		if w.Storage(addr, key) != value {
			slots = append(slots, layerSlot{key, value})
		}
	}
	if len(slots) > 0 {
		w.change(addr, func(r *record) { r.slots = slots })
	}
}
