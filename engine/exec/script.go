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
func WriteScript(w *evm.World, s *input.Script) {
	for _, word := range attacker.Storage(s) {
		w.SetStorage(input.Attacker.Address(), word.Key, word.Value)
	}
}

// dismiss clears it: between transactions, Worlds hold no script.
func dismiss(w *evm.World, s *input.Script) {
	for _, word := range attacker.Storage(s) {
		w.SetStorage(input.Attacker.Address(), word.Key, common.Hash{})
	}
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
