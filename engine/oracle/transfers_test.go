package oracle

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
)

// What a transfer may do when the block is shifted.
func TestSwayed(t *testing.T) {
	shifts := []int64{1, 2, 13, 450, 900, -1, -2, -13, -450, -900}
	for _, row := range []struct {
		name   string
		amount func(by int64) uint64 // of the transfer
		swayed bool
	}{
		{"constant", func(int64) uint64 { return 5e9 }, false},
		{"linear", func(by int64) uint64 { return uint64(1e9 + 1e6*by) }, false},
		{"rounded", func(by int64) uint64 { return uint64(1e9+333*by) / 1000 }, false},
		{"saturates", func(by int64) uint64 { return uint64(1e9 + 1e6*min(by, 100)) }, false},
		{"begins", func(by int64) uint64 { return uint64(max(0, 1e6*(by+1))) }, false},
		{"ends", func(by int64) uint64 { return uint64(1e9 + 1e6*min(by, 1)) }, false},
		{"ended minutes ago", func(by int64) uint64 { return uint64(1e12 + 1e6*min(by, -600)) }, false},
		{"ends, and no block can be earlier", func(by int64) uint64 { return uint64(1e12 + 1e8*max(0, min(by, 1))) }, false},
		{"lottery", func(by int64) uint64 {
			if by%15 == 0 {
				return 1e9
			}
			return 0
		}, true},
		{"opens", func(by int64) uint64 {
			if by < 300 {
				return 0
			}
			return 1e9
		}, true},
		{"has just opened", func(by int64) uint64 {
			if by < 0 {
				return 0
			}
			return 1e9
		}, true},
	} {
		trace := func(by int64) *TxSummary {
			amount := row.amount(by)
			if amount == 0 {
				return &TxSummary{}
			}
			return &TxSummary{Transfers: []Transfer{{From: common.Address{1}, To: common.Address{2}, Wei: *uint256.NewInt(amount)}}}
		}
		after := map[int64]*TxSummary{}
		for _, by := range shifts {
			after[by] = trace(by)
		}
		if got := blockMatters(trace(0), after); got != row.swayed {
			t.Errorf("%s: swayed %v", row.name, got)
		}
		after[13] = &TxSummary{Status: evm.Revert}
		if !blockMatters(trace(0), after) {
			t.Errorf("%s: a failure does not sway", row.name)
		}
	}
}
