package evm

import (
	"encoding/hex"
	"errors"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/holiman/uint256"
)

var (
	alice = common.HexToAddress("0xa11ce")
	bob   = common.HexToAddress("0xb0b00")
	here  = common.HexToAddress("0xc0de00")
	there = common.HexToAddress("0xc0de01")
)

func code(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func testWorld(t testing.TB, codes map[common.Address]string) *World {
	w := NewWorld(NewCodes())
	w.SetBalance(alice, uint256.NewInt(1_000_000))
	for addr, s := range codes {
		w.SetCode(addr, code(t, s))
	}
	return w
}

func TestExecuteStoresAndReturns(t *testing.T) {
	// sstore(0, calldataload(0)); mstore(0, sload(0)); return(0, 32)
	w := testWorld(t, map[common.Address]string{here: "5f355f555f545f5260205ff3"})
	m := NewMachine()
	data := common.HexToHash("0x1234")
	for _, h := range []*Hooks{nil, {}} {
		f := w.Fork()
		out := m.Execute(f, BlockContext{Number: 1}, Call{From: alice, To: here, Data: data[:]}, h)
		if out.Status != Success || common.BytesToHash(out.Return) != data {
			t.Fatalf("outcome %+v", out)
		}
		if got := f.Storage(here, common.Hash{}); got != data {
			t.Errorf("stored %x", got)
		}
		if got := w.Storage(here, common.Hash{}); got != (common.Hash{}) {
			t.Errorf("the parent World changed: %x", got)
		}
	}
}

// TestChanged runs a contract that writes a word once, writes one that is already
// there, and writes another word and then the one that was there.
func TestChanged(t *testing.T) {
	// sstore(0, 9); sstore(1, 7); sstore(2, 9); sstore(2, 7)
	w := testWorld(t, map[common.Address]string{here: "60095f55" + "6007600155" + "6009600255" + "6007600255"})
	for n := range byte(3) {
		w.SetStorage(here, common.Hash{31: n}, common.Hash{31: 7})
	}
	for _, exact := range []bool{false, true} {
		m := NewMachine()
		m.Exact = exact
		for _, was := range []byte{7, 9} {
			f := w.Fork()
			f.SetStorage(here, common.Hash{}, common.Hash{31: was})
			if out := m.Record(f, BlockContext{}, Call{From: alice, To: here}, nil); out.Status != Success {
				t.Fatalf("outcome %+v", out)
			}
			for n, want := range []bool{was != 9, false, false} {
				if got := m.Changed(Slot{here, common.Hash{31: byte(n)}}); got != want {
					t.Errorf("exact: %v, word %d of %d: changed is %v", exact, n, was, got)
				}
			}
		}
	}
}

func TestEndlessLoopIsSlow(t *testing.T) {
	w := testWorld(t, map[common.Address]string{here: "5b5f56"})
	m := NewMachine()
	for _, h := range []*Hooks{nil, {}} {
		out := m.Execute(w, BlockContext{}, Call{From: alice, To: here}, h)
		if out.Status != Halt || !out.Slow || !errors.Is(out.Halt, ErrSlow) {
			t.Errorf("outcome %+v", out)
		}
	}
	w.SetCode(here, code(t, "00"))
	if out := m.Execute(w, BlockContext{}, Call{From: alice, To: here}, nil); out.Status != Success {
		t.Errorf("the Machine does not run after a slow Call: %+v", out)
	}
}

func TestCodeLargerThanTheChainAllows(t *testing.T) {
	// codecopy(0, 11, 60000); return(0, 60000), followed by nothing: 60000 zero bytes are deployed
	creation := "61ea60600b5f3961ea605ff3"
	// create(0, 0, calldatasize) with the calldata as creation code
	w := testWorld(t, map[common.Address]string{here: "365f5f37365f5ff05f5260205ff3"})
	m := NewMachine()
	for _, h := range []*Hooks{nil, {}} {
		out := m.Execute(w.Fork(), BlockContext{}, Call{From: alice, Create: true, Data: code(t, creation)}, h)
		if out.Status != Success {
			t.Errorf("top-level creation: %+v", out)
		}
		f := w.Fork()
		data := append(code(t, creation), make([]byte, 50_000)...)
		out = m.Execute(f, BlockContext{}, Call{From: alice, To: here, Data: data}, h)
		made := common.BytesToAddress(out.Return)
		if c := f.Code(made); out.Status != Success || c == nil || len(c.Bytes) != 60_000 {
			t.Errorf("nested creation: %+v", out)
		}
	}
}

func TestStepsAreThoseAskedFor(t *testing.T) {
	// sstore(0, calldataload(0)); invalid
	w := testWorld(t, map[common.Address]string{here: "5f355f55fe"})
	var steps []byte
	var faults []error
	h := &Hooks{
		Ops:   []byte{byte(vm.SSTORE), byte(vm.CALLDATALOAD)},
		Step:  func(s *Step) { steps = append(steps, s.Op) },
		Fault: func(s *Step, err error) { faults = append(faults, err) },
	}
	out := NewMachine().Execute(w, BlockContext{}, Call{From: alice, To: here, Data: []byte{1}}, h)
	if out.Status != Halt || string(steps) != string([]byte{byte(vm.CALLDATALOAD), byte(vm.SSTORE)}) {
		t.Errorf("outcome %+v, steps %x", out, steps)
	}
	if len(faults) != 1 || faults[0].Error() != "invalid opcode: INVALID" {
		t.Errorf("faults %v", faults)
	}
}
