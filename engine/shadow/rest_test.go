package shadow

import (
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
)

// An Observer at rest holds no buffers, those of another are good for it, and it sees the
// same of the next transaction as one that never rested.
func TestRest(t *testing.T) {
	at := common.Address{1}
	w := evm.NewWorld(evm.NewCodes())
	w.SetBalance(sender, uint256.NewInt(1))
	// jumpi(…, calldataload(i) > 3), and a call of itself, until the gas is used up
	w.SetCode(at, common.FromHex("5b600360243511600b57005b365f5f375f5f365f5f305af1"))
	m := evm.NewMachine()
	input := common.FromHex(strings.Repeat("01", 68))
	observe := func(o *Observer) (decisions int) {
		m.Execute(w.Fork(), now, evm.Call{From: sender, To: at, Data: input, Gas: 100_000}, o.Hooks())
		for i := range o.Branches {
			if len(o.Sets().Sources(o.Branches[i].Cond.Sources())) > 0 {
				decisions++
			}
		}
		return decisions
	}
	rested, other := New(NewState()), New(NewState())
	first := observe(rested)
	if first == 0 {
		t.Fatal("no condition depends on the input")
	}
	rested.Rest()
	rested.Rest()
	if rested.g.nodes != nil || rested.frames != nil || len(rested.Branches) > 0 {
		t.Errorf("at rest it holds %d words and %d frames", cap(rested.g.nodes), len(rested.frames))
	}
	for range 3 {
		if n := observe(other); n != first {
			t.Errorf("%d conditions, not %d", n, first)
		}
		other.Rest()
		if n := observe(rested); n != first || rested.Desyncs > 0 {
			t.Errorf("after a rest %d conditions, not %d; %d words lost", n, first, rested.Desyncs)
		}
		rested.Rest()
	}
}
