package cheat

import (
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"leveret/engine/evm"
	"leveret/engine/input"
)

// Every cheatcode can be called with zeros: it fails with a reason, or gives what
// it says it does.
func TestEveryCheatcodeGivesItsResults(t *testing.T) {
	for selector, code := range cheatcodes() {
		f := newFixture(t)
		f.world.SetCode(forwarderAddress, forwarder)
		args := make([]input.Value, len(code.inputs))
		for i := range args {
			args[i] = input.Zero(code.inputs[i].Type)
		}
		data := input.AppendValues(selector[:], args)
		out := f.machine.Execute(f.world, f.block, evm.Call{From: tester, To: forwarderAddress, Data: data, Gas: 1 << 30}, nil)
		switch out.Status {
		case evm.Success:
			if _, err := input.Decode(code.outputs, out.Return); err != nil && len(code.outputs) > 0 {
				t.Errorf("%s: %v", code.signature, err)
			}
		default:
			if len(out.Return) == 0 {
				t.Errorf("%s: %v", code.signature, out.Halt)
			}
		}
	}
}

// A listener keeps how the call of a cheatcode ended, whatever the Call's end is.
type listener struct {
	*Cheats
	answer **evm.Ending
}

func (l *listener) Before(parent *evm.Frame, m *evm.Message) *evm.Ending {
	e := l.Cheats.Before(parent, m)
	if m.To == Address {
		*l.answer = e
	}
	return e
}

// Forms of cheatcodes that other tests do not call.
func TestForms(t *testing.T) {
	const (
		who   = "0x0000000000000000000000000000000000000b0b"
		never = "0x" + "0000000000000000000000000000000000000000000000000000000000000000"
		one   = "0x" + "0000000000000000000000000000000000000000000000000000000000000001"
	)
	for _, c := range []struct {
		signature string
		values    []string
		want      string // output in hexadecimal; * for any
	}{
		{"accessList((address,bytes32[])[])", []string{"[(" + who + ", [" + one + "])]"}, "0x"},
		{"noAccessList()", nil, "0x"},
		{"allowCheatcodes(address)", []string{who}, "0x"},
		{"sleep(uint256)", []string{"60000"}, "0x"},
		{"breakpoint(string,bool)", []string{`"a"`, "true"}, "0x"},
		{"deleteSnapshot(uint256)", []string{"3"}, never},
		{"deleteSnapshots()", nil, "0x"},
		{"revertToAndDelete(uint256)", []string{"3"}, never},
		{"snapshot()", nil, never},
		{"startBroadcast()", nil, "0x"},
		{"startBroadcast(uint256)", []string{"7"}, "0x"},
		{"getFoundryVersion()", nil, "*"},
		{"signDelegation(address,uint256,bool)", []string{who, "7", "true"}, "*"},
		{"signAndAttachDelegation(address,uint256,uint64)", []string{who, "7", "0"}, "*"},
		{"signAndAttachDelegation(address,uint256,bool)", []string{who, "7", "true"}, "*"},
		{"mockCalls(address,uint256,bytes,bytes[])", []string{who, "1", "0x01", "[0x02]"}, "0x"},
		{"mockCallRevert(address,bytes4,bytes)", []string{who, "0x01020304", "0x02"}, "0x"},
		{"mockCallRevert(address,uint256,bytes4,bytes)", []string{who, "1", "0x01020304", "0x02"}, "0x"},
		{"mockCall(address,uint256,bytes4,bytes)", []string{who, "1", "0x01020304", "0x02"}, "0x"},
		{"expectRevert(bytes4,address,uint64)", []string{"0x01020304", who, "0"}, "0x"},
		{"expectRevert(address,uint64)", []string{who, "0"}, "0x"},
		{"expectPartialRevert(bytes4,address)", []string{"0x01020304", who}, "0x"},
		{"expectEmit(bool,bool,bool,bool,address)", []string{"true", "true", "true", "true", who}, "0x"},
		{"expectEmitAnonymous(address)", []string{who}, "0x"},
	} {
		f := newFixture(t)
		var e *evm.Ending
		f.world.SetCode(forwarderAddress, forwarder)
		f.machine.Inspector = &listener{f.cheats, &e}
		f.call(forwarderAddress, c.signature, c.values...)
		if e == nil || e.Failed() {
			t.Errorf("%s: %+v", c.signature, e)
		} else if c.want != "*" && hexutil.Encode(e.Output) != c.want {
			t.Errorf("%s gives %x, want %s", c.signature, e.Output, c.want)
		}
	}
}
