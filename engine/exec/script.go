package exec

import (
	"leveret/engine/attacker"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// WriteScript writes a script to the attacker contract's storage.
func WriteScript(w *evm.World, s *input.Script) { writeWords(w, attacker.Storage(s)) }

func writeWords(w *evm.World, words []attacker.StorageWord) {
	w.SetStorageWords(input.Attacker.Address(), func(yield func(key, value common.Hash) bool) {
		for i := range words {
			if !yield(words[i].Key, words[i].Value) {
				return
			}
		}
	})
}

// dismiss clears the words of a script: between transactions, Worlds hold none.
func dismiss(w *evm.World, words []attacker.StorageWord) {
	for i := range words {
		words[i].Value = common.Hash{}
	}
	writeWords(w, words)
}

// Scripted reports whether the attacker contract does more in a transaction
// than accept calls.
func Scripted(tx *input.Tx) bool { return tx.Script != nil && tx.Script.Mode != input.Accept }

// Stopwatch adds the time until the returned function is called to an effort.
// It affects no decision.
func Stopwatch(now func() time.Time, e *finding.Effort) func() {
	began := now()
	return func() {
		e.Runs++
		e.Seconds += now().Sub(began).Seconds()
	}
}
