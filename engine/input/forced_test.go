package input

import (
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
)

// A transaction that forces ether on a contract has no word but the amount, the
// delay and the sender, names the contract, and is bound to no function of it.
func TestForced(t *testing.T) {
	to := common.Address{1, 2, 3}
	tx := Tx{From: User1, To: to, Function: Forced}
	var kinds []ParameterKind
	for _, p := range Parameters(&tx) {
		kinds = append(kinds, p.Kind)
	}
	if !slices.Equal(kinds, []ParameterKind{ParamWei, ParamBlocks, ParamSeconds, ParamActor}) {
		t.Errorf("the parameters are %v", kinds)
	}
	if got := tx.Calldata(); len(got) != 32 || common.BytesToAddress(got) != to {
		t.Errorf("the calldata is %x", got)
	}
	read, err := (*Names)(nil).ParseTx("user1 "+to.Hex()+".selfdestruct()() value=5wei", func(_, _ string) *Function { return nil })
	if err != nil || read.Function != Forced || read.Value.Uint64() != 5 || read.To != to {
		t.Errorf("%v, %v", read, err)
	}
	if other := mustSignature(t, "selfdestruct(uint256)"); other.Forces() || mustSignature(t, "fallback()").Forces() {
		t.Error("another function forces ether")
	}
}
