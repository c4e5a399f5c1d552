package evmtest

import (
	"testing"

	"github.com/ethereum/go-ethereum/core/vm"

	"leveret/engine/evm"
)

// TestBareUndoesCalls calls a counter several times: each Call starts on the same
// state, and has the Outcome of the Reference.
func TestBareUndoesCalls(t *testing.T) {
	tw, err := NewTwin()
	if err != nil {
		t.Fatal(err)
	}
	var code []byte
	for _, op := range []vm.OpCode{
		vm.PUSH1, 1, vm.PUSH0, vm.SLOAD, vm.ADD, vm.DUP1, vm.PUSH0, vm.SSTORE, vm.PUSH0, vm.MSTORE, vm.PUSH1, 32, vm.PUSH0, vm.RETURN,
	} {
		code = append(code, byte(op))
	}
	to := ContractAddress(0)
	tw.Set(Alice, 1_000, nil)
	tw.Set(to, 0, code)
	tw.SetStorage(to, [32]byte{}, [32]byte{31: 6})
	b := evm.BlockContext{Number: 2, Timestamp: 3, GasLimit: evm.DefaultGas}
	bare, err := NewBare(tw.World, b, Alice, to)
	if err != nil {
		t.Fatal(err)
	}
	c := evm.Call{From: Alice, To: to, Gas: 100_000}
	c.Value.SetUint64(5)
	want := tw.Reference.Execute(b, c)
	if want.Status != evm.Success || want.Return[31] != 7 {
		t.Fatalf("%+v", want)
	}
	for range 3 {
		if err := bare.Call(&c); err != nil {
			t.Fatal(err)
		}
		if err := CompareOutcomes(bare.Outcome(&c), want); err != nil {
			t.Fatal(err)
		}
	}
	for gas, status := range map[uint64]evm.Status{0: evm.Halt, 10_000: evm.Success} {
		c.Gas = gas
		if out := bare.Outcome(&c); out.Status != status || (bare.Call(&c) == nil) != (status == evm.Success) {
			t.Errorf("with %d gas: %+v", gas, out)
		}
	}
}
