package shadow

import (
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
)

// A transaction that moves much memory is shadowed up to a bound, and what the
// Observer holds stays small.
func TestMovedMemoryIsBounded(t *testing.T) {
	for name, unit := range map[string]string{
		"hashes":  "5b620f42405f20505f56",                   // keccak256(0, 1000000), again
		"copies":  "5b620f42405f60205e5f56",                 // mcopy(32, 0, 1000000)
		"codes":   "5b620f42405f5f303c5f56",                 // extcodecopy(address(), 0, 0, 1000000)
		"calls":   "5b620f42405f620f42405f5f60045af1505f56", // call(gas(), 4, 0, 0, 1000000, 0, 1000000)
		"frames":  "5b600162020000525f5f5f5f5f305af1505f56",
		"nothing": "5b6001505f56",
	} {
		t.Run(name, func(t *testing.T) {
			at := common.Address{1}
			w := evm.NewWorld(evm.NewCodes())
			w.SetBalance(sender, uint256.NewInt(1))
			w.SetCode(at, common.FromHex(strings.TrimSpace(unit)))
			m := evm.NewMachine()
			o := New(NewState())
			m.Execute(w.Fork(), now, evm.Call{From: sender, To: at}, o.Hooks())
			if n := len(o.g.nodes); n > maxNodes+maxMoved/32 {
				t.Errorf("%d nodes", n)
			}
			if cells := o.cells.Size(); cells > 4*maxMoved {
				t.Errorf("%d cells", cells)
			}
			if !o.Truncated {
				t.Errorf("shadowed to its end: %d nodes, %d bytes moved", len(o.g.nodes), o.moved)
			}
			// It can be used again.
			m.Execute(w.Fork(), now, evm.Call{From: sender, To: common.Address{2}}, o.Hooks())
			if o.Truncated || o.Desyncs > 0 {
				t.Error("the next transaction is not shadowed")
			}
		})
	}
}
