package exec

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"

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

// A transaction costs a fixed part, and more with more instructions, whatever gas
// they take.
func TestCost(t *testing.T) {
	cost := func(code ...byte) uint64 {
		w := evm.NewWorld(evm.NewCodes())
		w.SetCode(common.Address{1}, code)
		m := evm.NewMachine()
		m.Record(w, evm.BlockContext{}, evm.Call{To: common.Address{1}}, nil)
		return Cost(m, 10)
	}
	const push, pop, invalid = 0x5f, 0x50, 0xfe
	none, some, more := cost(), cost(push, pop), cost(push, pop, push, pop)
	if none < CallCost || some <= none || more-some != 20 {
		t.Errorf("the cost without code is %d, that of one pair of instructions %d, that of two %d", none, some, more)
	}
	if all := cost(push, invalid); all > more {
		t.Errorf("an instruction that takes all gas costs %d", all)
	}
}
