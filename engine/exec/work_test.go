package exec

import (
	"errors"
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

// A transaction costs a fixed part, and more with more gas. An instruction that
// halts takes gas, but no time.
func TestCost(t *testing.T) {
	cost := func(o evm.Outcome) uint64 { return Cost(&o) }
	none, some, all := cost(evm.Outcome{}), cost(evm.Outcome{GasUsed: 1000}), cost(evm.Outcome{GasUsed: 30_000_000})
	if none == 0 || some <= none || all <= some {
		t.Errorf("the cost without gas is %d, that of 1000 gas %d, that of all gas %d", none, some, all)
	}
	for _, row := range []struct {
		halt error
		slow bool
		less bool
	}{{errors.New("invalid opcode"), false, true}, {evm.ErrOutOfGas, false, false}, {evm.ErrSlow, true, false}} {
		if got := cost(evm.Outcome{Status: evm.Halt, Halt: row.halt, Slow: row.slow, GasUsed: 30_000_000}); got < all != row.less {
			t.Errorf("%v with all gas costs %d", row.halt, got)
		}
	}
	if early := cost(evm.Outcome{Status: evm.Halt, Halt: errors.New("invalid opcode"), GasUsed: 1000}); early != some {
		t.Errorf("a halt with 1000 gas costs %d", early)
	}
}
