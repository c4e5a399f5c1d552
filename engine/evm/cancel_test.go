package evm

import (
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/holiman/uint256"
)

// A Call that is cancelled runs none of the instructions that take long any
// more, also where no jump comes before them.
func TestCancelStopsWithoutJumps(t *testing.T) {
	call := "5f5f5f5f5f305af150" // call(gas(), address(), 0, 0, 0, 0, 0)
	for name, row := range map[string]struct {
		unit string
		op   vm.OpCode
	}{
		"hashes":      {"620f42405f2050", vm.KECCAK256},
		"copies":      {"620f42405f60205e", vm.MCOPY},
		"calls":       {call, vm.CALL},
		"precompiles": {"5f5f5f5f60025afa50", vm.STATICCALL},
		"creations":   {"5f5f5ff050", vm.CREATE},
	} {
		t.Run(name, func(t *testing.T) {
			w := testWorld(t, map[common.Address]string{here: strings.Repeat(row.unit, 100) + "00"})
			{
				m := NewMachine()
				seen := 0
				h := &Hooks{Ops: []byte{byte(row.op)}, Step: func(*Step) {
					if seen++; seen == 2 {
						m.Cancel()
					}
				}}
				out := m.Execute(w.Fork(), BlockContext{Number: 1}, Call{From: alice, To: here}, h)
				// The frames that are open each try one more, which fails.
				if out.Halt != ErrCancelled || seen > 4 {
					t.Errorf("%v after %d instructions", out.Halt, seen)
				}
			}
		})
	}
}

// One blake2 may be asked for more rounds than anybody waits for.
func TestManyRoundsAreSlow(t *testing.T) {
	ask := func(rounds string) string {
		// mstore(0, rounds << 224); mstore8(212, 1); staticcall(gas(), 9, 0, 213, 0, 64)
		return "63" + rounds + "60e01b5f52600160d453" + "60405f60d55f60095afa00"
	}
	w := testWorld(t, map[common.Address]string{here: ask("01900000"), there: ask("0000000c")})
	m := NewMachine()
	for _, h := range []*Hooks{nil, {}} {
		if out := m.Execute(w.Fork(), BlockContext{Number: 1}, Call{From: alice, To: here}, h); !out.Slow {
			t.Errorf("many rounds: %+v", out)
		}
		if out := m.Execute(w.Fork(), BlockContext{Number: 1}, Call{From: alice, To: there}, h); out.Status != Success {
			t.Errorf("few rounds: %+v", out)
		}
	}
}

// Transient words are found again however many there are, and reverted.
func TestManyTransientWords(t *testing.T) {
	var o overlay
	o.begin(NewWorld(NewCodes()))
	key := func(i int) common.Hash { return uint256.NewInt(uint64(i)).Bytes32() }
	get := func(addr common.Address, key common.Hash) common.Hash { return o.transientWord(&addr, &key) }
	set := func(addr common.Address, key, value common.Hash) { o.setTransient(&addr, &key, &value) }
	const many = 5 * scanned
	for range 2 {
		for i := range many {
			set(alice, key(i), key(i+1))
		}
		snapshot := o.snapshot()
		for i := range many {
			set(alice, key(i), key(i+2))
		}
		o.revert(snapshot)
		for i := range many {
			if got := get(alice, key(i)); got != key(i+1) {
				t.Fatalf("word %d: %x", i, got)
			}
			if got := get(bob, key(i)); got != (common.Hash{}) {
				t.Fatalf("somebody else's word %d: %x", i, got)
			}
		}
		o.begin(NewWorld(NewCodes()))
		if got := get(alice, key(1)); got != (common.Hash{}) {
			t.Fatalf("after the transaction: %x", got)
		}
	}
}
