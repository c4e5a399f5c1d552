package suite

import (
	"testing"

	"leveret/engine/evm"
	"leveret/solc"
)

// The gas of tests of solmate's ERC20 as forge 1.7 reports it: refunds are limited by
// the gas with the intrinsic gas.
func TestGas(t *testing.T) {
	for _, row := range []struct {
		signature            string
		used, refunded, want uint64
	}{
		{"testTransferFrom()", 109987, 40000, 83777},
		{"testBurn()", 56970, 0, 56970},
		{"testBurn()", 56970, 4800, 52170},
		{"testNothing()", 100, 5000, 0},
	} {
		o := evm.Outcome{GasUsed: row.used, Refund: row.refunded}
		if got := gasOf(solc.Test{Signature: row.signature}, &o); got != row.want {
			t.Errorf("%s: %d, want %d", row.signature, got, row.want)
		}
	}
}
