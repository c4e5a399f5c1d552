package oracle

import (
	"testing"

	"leveret/engine/input"
)

// callsWith are re-entrant calls with calldata.
func callsWith(data []byte) []input.Reentry { return []input.Reentry{{Tx: input.Tx{Data: data}}} }

// Whoever is paid in by the attacker's contract, in the middle of a call, is
// known to the contract, too.
func TestMentions(t *testing.T) {
	who := input.User1.Address()
	data := append(make([]byte, 16), who[:]...)
	for _, row := range []struct {
		name string
		tx   input.Tx
		want bool
	}{
		{"nothing", input.Tx{From: input.User1}, false},
		{"calldata", input.Tx{Data: data}, true},
		{"script", input.Tx{Script: &input.Script{Calls: callsWith(data)}}, true},
		{"another's script", input.Tx{Script: &input.Script{Calls: callsWith(data[:30])}}, false},
	} {
		if got := mentions(&row.tx, who); got != row.want {
			t.Errorf("%s: %v", row.name, got)
		}
	}
}
