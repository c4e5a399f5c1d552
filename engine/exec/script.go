package exec

import (
	"leveret/engine/attacker"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"time"
)

// AppendScript appends a script as the words that the attacker contract finds in its
// storage; nothing for nil. It writes none, so that Worlds hold no scripts.
func AppendScript(dst []evm.StateOverride, s *input.Script) []evm.StateOverride {
	return appendScript(dst, new(attacker.Layout), s)
}

func appendScript(dst []evm.StateOverride, l *attacker.Layout, s *input.Script) []evm.StateOverride {
	for _, w := range l.Storage(s) {
		dst = append(dst, evm.StateOverride{Slot: evm.Slot{Address: input.Attacker.Address(), Key: w.Key}, Value: w.Value})
	}
	return dst
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
