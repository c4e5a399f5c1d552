package cheat

import (
	"crypto/ecdsa"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/input"
)

// A vmTest makes calls of cheatcodes from a contract.
type vmTest struct {
	*testing.T
	*Cheats
	machine *evm.Machine
	world   *evm.World
}

// caller is the contract that makes them.
var caller = common.HexToAddress("0x7FA9385bE102ac3EAc297483Dd6233D62b3e1496")

// relay is code that passes its input on to an address and returns what comes back.
func relay(to common.Address) []byte {
	code := common.FromHex("365f5f37" + "5f5f365f5f73")
	code = append(code, to[:]...)
	return append(code, common.FromHex("5af1"+"3d5f5f3e"+"602a57"+"3d5ffd"+"5b3d5ff3")...)
}

func newVM(t *testing.T) *vmTest {
	v := &vmTest{T: t, Cheats: &Cheats{}, machine: evm.NewMachine()}
	v.machine.Inspector = v.Cheats
	v.world = evm.NewWorld(evm.NewCodes())
	v.world.SetCode(caller, relay(Address))
	v.world.SetBalance(caller, uint256.NewInt(1_000_000))
	return v
}

// send makes the caller call a cheatcode with these bytes.
func (v *vmTest) send(data []byte) evm.Outcome {
	v.Helper()
	out := v.machine.Execute(v.world, evm.BlockContext{Number: 1, Timestamp: 1, ChainID: 31337}, evm.Call{From: input.User1.Address(), To: caller, Data: data, Gas: 1 << 40}, nil)
	if out.Status == evm.Success {
		v.machine.Commit(v.world)
	}
	return out
}

// try calls a cheatcode with arguments as text, "(1, 0x00)", and returns its results
// as text, or the reason of its revert.
func (v *vmTest) try(signature, args string) (result string, ok bool) {
	v.Helper()
	f, err := input.ParseSignature(signature)
	if err != nil {
		v.Fatal(err)
	}
	values, err := coerce(args, &input.Type{Kind: input.KindTuple, Fields: f.Inputs})
	if err != nil {
		v.Fatalf("%s: %v", signature, err)
	}
	return v.callWith(f, values.Elems)
}

func (v *vmTest) callWith(f *input.Function, args []input.Value) (result string, ok bool) {
	v.Helper()
	out := v.send(input.AppendValues(f.Selector[:], args))
	if out.Status != evm.Success {
		reason, ok := Reason(out.Return)
		if !ok {
			v.Fatalf("%s: %v, %v, %x", f.Signature, out.Status, out.Halt, out.Return)
		}
		return reason, false
	}
	code := cheatcodes()[f.Selector]
	results, err := input.Decode(code.outputs, out.Return)
	if err != nil {
		v.Fatalf("%s: %v", f.Signature, err)
	}
	parts := make([]string, len(results))
	for i := range results {
		parts[i] = display(&results[i])
	}
	return strings.Join(parts, ", "), true
}

// call is try for calls that must succeed.
func (v *vmTest) call(signature, args string) string {
	v.Helper()
	result, ok := v.try(signature, args)
	if !ok {
		v.Errorf("%s%s reverts: %s", signature, args, result)
	}
	return result
}

// A cheatTest is a call of a cheatcode and what it must give. If want starts with
// "revert: ", the reason of the revert must contain the rest.
type cheatTest struct{ signature, args, want string }

func (v *vmTest) check(rows []cheatTest) {
	v.Helper()
	for _, r := range rows {
		got, ok := v.try(r.signature, r.args)
		reason, reverts := strings.CutPrefix(r.want, "revert: ")
		switch {
		case reverts && (ok || !strings.Contains(got, reason)):
			v.Errorf("%s%s gives %q (%v), want a revert with %q", r.signature, r.args, got, ok, reason)
		case !reverts && (!ok || got != r.want):
			v.Errorf("%s%s\n gives %s (%v)\n want  %s", r.signature, r.args, got, ok, r.want)
		}
	}
}

func mustKey(t *testing.T, hex string) *ecdsa.PrivateKey {
	t.Helper()
	key, err := privateKey(common.FromHex(hex))
	if err != nil {
		t.Fatal(err)
	}
	return key
}
