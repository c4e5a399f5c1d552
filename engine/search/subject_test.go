package search_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/search"
	"leveret/engine/search/searchtest"
)

// A sequence of an earlier build is bound to the functions and addresses of this
// build.
func TestBind(t *testing.T) {
	d := searchtest.New(t, searchtest.Compile(t, "testdata/Phases.sol"), "Phases", 1)
	subject, pay := d.Subject, d.Callee(t, "pay")
	earlier, another := common.Address{1}, common.Address{2}
	f := &input.Function{Name: "pay", Signature: pay.Function.Signature}
	deployment := func(name string) *input.Deployment {
		return &input.Deployment{Creations: []input.Creation{{Name: name, Address: earlier}}}
	}
	for _, row := range []struct {
		name string
		seq  input.Sequence
		ok   bool
	}{
		{"another address", input.Sequence{Deployment: deployment("Phases"), Txs: []input.Tx{{To: earlier, Function: f}, {To: earlier, Function: f}}}, true},
		{"the same address", input.Sequence{Deployment: deployment("Phases"), Txs: []input.Tx{{To: pay.Address, Function: f}}}, true},
		{"no such contract", input.Sequence{Deployment: deployment("Gone"), Txs: []input.Tx{{To: earlier, Function: f}}}, false},
		{"no such address", input.Sequence{Deployment: deployment("Phases"), Txs: []input.Tx{{To: another, Function: f}}}, false},
		{"no such function", input.Sequence{Deployment: deployment("Phases"), Txs: []input.Tx{{To: earlier, Function: f}, {To: earlier, Function: &input.Function{Signature: "gone()"}}}}, false},
		{"unknown function", input.Sequence{Deployment: deployment("Phases"), Txs: []input.Tx{{To: earlier}}}, false},
		{"no transactions", input.Sequence{Deployment: deployment("Phases")}, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			bound, ok := subject.Bind(row.seq)
			if ok != row.ok {
				t.Fatalf("bound: %v", ok)
			}
			if !ok {
				return
			}
			if bound.Deployment != subject.Deployment.Record || len(bound.Txs) != len(row.seq.Txs) {
				t.Errorf("%d transactions on another deployment", len(bound.Txs))
			}
			for _, tx := range bound.Txs {
				if tx.To != pay.Address || tx.Function != pay.Function {
					t.Errorf("%v calls another function", tx)
				}
			}
			if row.seq.Txs[0].Function != f {
				t.Error("the earlier sequence changed")
			}
		})
	}
}

// A call whose open frames need much memory together ends in campaigns over contracts, and
// not in those over tests, whose memory the project limits.
func TestMemoryOfFrames(t *testing.T) {
	d := searchtest.New(t, searchtest.Compile(t, "testdata/Phases.sol"), "Phases", 1)
	at := common.Address{0xee}
	w := d.Subject.Start.World.Fork()
	w.SetCode(at, common.FromHex("5f6201000052"+"5f5f5f5f5f305af150")) // mstore(0x10000, 0); pop(call(gas(), address(), 0, 0, 0, 0, 0))
	execute := func() evm.Outcome {
		x := d.Subject.NewExecutor(time.Now)
		return x.Machine.Execute(w.Fork(), evm.BlockContext{}, evm.Call{From: common.Address{1}, To: at}, nil)
	}
	if out := execute(); out.Halt != evm.ErrHeld || !out.Slow {
		t.Errorf("in a campaign: %+v", out)
	}
	d.Subject.Suite = &search.Suite{NewMachine: evm.NewMachine}
	if out := execute(); out.Status != evm.Success {
		t.Errorf("in a test: %+v", out)
	}
}

// Of codes that transactions write and that the project does not compile to, the first are
// watched; code of the project always is.
func TestWatchedCodes(t *testing.T) {
	d := searchtest.New(t, searchtest.Compile(t, "testdata/Phases.sol"), "Phases", 1)
	codes := d.Subject.Program.Codes
	written := func(n int) *evm.Code {
		return codes.Runtime(append(bytes.Repeat([]byte{bytecode.JUMPDEST}, 200), bytecode.PUSH1, byte(n)))
	}
	watched := 0
	for n := range 100 {
		if d.Subject.Watched(written(n)) {
			watched++
		}
	}
	if watched < 50 || watched > 70 || !d.Subject.Watched(written(0)) || d.Subject.Watched(written(99)) {
		t.Errorf("%d of 100 codes are watched", watched)
	}
	if creation := codes.Init(d.Subject.Program.UnderTest.Creation.Object); !d.Subject.Watched(creation) {
		t.Error("code of the project is not watched")
	}
}
