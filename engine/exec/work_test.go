package exec

import (
	"testing"

	"leveret/engine/evm"
)

// A budget allows its initial amount and a share of the work.
func TestBudget(t *testing.T) {
	b := Budget{Share: 0.25, Initial: 100}
	for _, row := range []struct {
		spent, work uint64
		allowed     bool
	}{
		{0, 0, true}, {100, 0, true}, {101, 0, false}, {101, 4, true},
		{125, 100, true}, {126, 100, false}, {126, 104, true},
	} {
		if b.Spent = row.spent; b.Allows(row.work) != row.allowed {
			t.Errorf("%d spent after work of %d: allowed: %v", row.spent, row.work, !row.allowed)
		}
	}
}

// A transaction costs a fixed part, and more with more gas.
func TestCost(t *testing.T) {
	if none, some := Cost(&evm.Outcome{}), Cost(&evm.Outcome{GasUsed: 1000}); none == 0 || some <= none {
		t.Errorf("the cost without gas is %d, that of 1000 gas %d", none, some)
	}
}
