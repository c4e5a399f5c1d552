package attack

import (
	"maps"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/input"
)

// Where an actor is called, the attacker takes its place in all transactions:
// only the attacker has a contract. That is tried once for a path.
func TestImpersonating(t *testing.T) {
	d, scripts, _ := attacking(t, "testdata/Bank.sol", "Bank")
	scripts.impersonate(calls(t, d, input.User2, "deposit"))
	if len(planned(scripts)) > 0 {
		t.Error("the attacker takes the place of an actor that was not called")
	}
	s := calls(t, d, input.User2, "deposit", "withdraw").Sequence
	foreign := s.Txs[0]
	foreign.From = input.User1
	s = s.Insert(0, foreign)
	r := d.Execute(d.Generator.FromStart(s))
	r.Run.Keep()
	if !r.Succeeded() || !r.Shows(cover.ActorCalled) || r.Run.Called != input.User2.Address() {
		t.Fatalf("the actor was not called: %+v", r.Run)
	}
	scripts.impersonate(r)
	list := planned(scripts)
	if len(list) != 1 {
		t.Fatalf("%d attacks are planned", len(list))
	}
	if got := senders(list[0].Sequence); !slices.Equal(got, []input.Actor{input.User1, input.Attacker, input.Attacker}) {
		t.Errorf("the senders are %v", got)
	}
	if got := senders(s); !slices.Equal(got, []input.Actor{input.User1, input.User2, input.User2}) {
		t.Errorf("the senders of the original are now %v", got)
	}
	if again := d.Execute(list[0]); !again.Succeeded() || !again.Shows(cover.AttackerCalled) {
		t.Error("the attacker contract is not called")
	}
	if scripts.impersonate(r); len(planned(scripts)) > 0 {
		t.Error("the same path is tried twice")
	}
}

// A result in which the attacker contract is called gets every script: refusing,
// burning gas, and re-entering each function that may change state, with and
// without deposits of others. A path is planned for once.
func TestPlanningScripts(t *testing.T) {
	d, scripts, _ := attacking(t, "testdata/Bank.sol", "Bank")
	r := calls(t, d, input.Attacker, "deposit", "withdraw")
	if !r.Succeeded() || !r.Shows(cover.AttackerCalled) {
		t.Fatalf("the attacker contract was not called: %+v", r.Run)
	}
	scripts.planFor(r)
	modes := map[input.ScriptMode]int{}
	entered, funded := map[string]bool{}, map[string]bool{}
	reentered := false
	for _, c := range planned(scripts) {
		script := c.Sequence.Last().Script
		modes[script.Mode]++
		if script.Mode != input.Reenter {
			continue
		}
		for _, callee := range d.Subject.Callees {
			if call := &script.Calls[0].Tx; call.To == callee.Address && call.Function == callee.Function {
				entered[callee.Function.Name] = true
				funded[callee.Function.Name] = funded[callee.Function.Name] || len(c.Sequence.Txs) > len(r.Sequence.Txs)
			}
		}
		reentered = reentered || d.Execute(c).Shows(cover.Reentered)
	}
	all := map[string]bool{"deposit": true, "withdraw": true, "reward": true}
	if modes[input.Refuse] != 1 || modes[input.BurnGas] != 1 || !maps.Equal(entered, all) || !maps.Equal(funded, all) {
		t.Errorf("the modes are %v, entered are %v, with deposits %v", modes, entered, funded)
	}
	if !reentered {
		t.Error("no script re-enters")
	}
	if scripts.planFor(r); len(planned(scripts)) > 0 {
		t.Error("the same path is planned for twice")
	}
}

// After the attacker re-entered a function, it calls every other that may change
// state: that may be what pays. It tries that once for a path, and not where
// nothing was re-entered.
func TestCallingAllAfterReentry(t *testing.T) {
	d, scripts, _ := attacking(t, "testdata/Bank.sol", "Bank")
	plain := calls(t, d, input.Attacker, "deposit", "withdraw")
	if scripts.callAllAfterReentry(plain); len(planned(scripts)) > 0 {
		t.Error("functions are called though nothing was re-entered")
	}
	s := plain.Sequence
	other := s.Txs[0]
	other.From = input.User1
	s = s.Insert(0, other)
	tx := *s.Last()
	tx.Script = reentering(tx)
	r := d.Execute(d.Generator.FromStart(s.WithTx(len(s.Txs)-1, tx)))
	r.Run.Keep()
	if !r.Succeeded() || !r.Shows(cover.Reentered) {
		t.Fatalf("the bank is not re-entered: %v", r.Outcome)
	}
	scripts.callAllAfterReentry(r)
	rewarded := false
	var called []string
	for _, c := range planned(scripts) {
		last := c.Sequence.Last()
		if len(c.Sequence.Txs) != len(s.Txs)+1 || last.From != input.Attacker || last.Script != nil || c.Sequence.Txs[len(s.Txs)-1].Script == nil {
			t.Errorf("%v is no call after the re-entry", names(c.Sequence))
		}
		called = append(called, last.Function.Name)
		if again := d.Execute(c); last.Function.Name == "reward" {
			rewarded = again.Succeeded()
		}
	}
	slices.Sort(called)
	if want := []string{"deposit", "reward", "withdraw"}; !slices.Equal(called, want) {
		t.Errorf("%v are called, want %v", called, want)
	}
	if !rewarded {
		t.Error("there is no reward after the re-entry")
	}
	if scripts.callAllAfterReentry(r); len(planned(scripts)) > 0 {
		t.Error("the same path is tried twice")
	}
	r.Run.Path++
	r.Outcome.Status = evm.Revert
	if scripts.callAllAfterReentry(r); len(planned(scripts)) > 0 {
		t.Error("functions are called after a re-entry that failed")
	}
}

// Where the attacker can take wei twice from deposits of others, Learn plans the
// attack.
func TestLearnedAttackTakesDeposits(t *testing.T) {
	d, scripts, _ := attacking(t, "testdata/Bank.sol", "Bank")
	scripts.Learn(calls(t, d, input.User1, "deposit"))
	scripts.Learn(calls(t, d, input.Attacker, "deposit", "withdraw"))
	before := d.Subject.Start.World.Balance(input.Attacker.Address())
	stolen := false
	for _, c := range planned(scripts) {
		if r := d.Execute(c); r.Real() && r.Succeeded() {
			after := r.After.Balance(input.Attacker.Address())
			stolen = stolen || after.Gt(&before)
		}
	}
	if !stolen {
		t.Error("no planned attack takes deposits of others")
	}
}

// A re-entering script that repeats the last transaction repeats its new form.
func TestFittedScripts(t *testing.T) {
	f := &input.Function{Name: "f", Selector: [4]byte{1}}
	was := input.Tx{To: common.Address{1}, Function: f}
	now := input.Tx{To: common.Address{1}, Function: f, Value: *uint256.NewInt(7)}
	script := reentering(was)
	script.Calls[0].Times, script.Answers = 2, [][]uint256.Int{{*uint256.NewInt(5)}}
	got := fitted(script, &was, &now)
	if call := got.Calls[0]; !call.Tx.Value.Eq(uint256.NewInt(7)) || call.Times != 2 || call.Tx.From != input.Attacker || len(got.Answers) != 1 {
		t.Errorf("the script is %+v", got)
	}
	other := reentering(input.Tx{To: common.Address{2}, Function: f})
	if fitted(other, &was, &now) != other {
		t.Error("a script that makes another call is changed")
	}
}

// Escalate plans variants of re-entering sequences, with deposits of others, and
// of no others.
func TestEscalating(t *testing.T) {
	d, scripts, _ := attacking(t, "testdata/Bank.sol", "Bank")
	s := calls(t, d, input.Attacker, "deposit", "withdraw").Sequence
	if scripts.Escalate(s); scripts.plan.Len() > 0 {
		t.Error("a sequence without a script is escalated")
	}
	tx := *s.Last()
	tx.Script = reentering(tx)
	s = s.WithTx(1, tx)
	was := string(input.AppendText(nil, s))
	scripts.Escalate(s)
	list := planned(scripts)
	if len(list) != escalations {
		t.Fatalf("%d variants are planned", len(list))
	}
	stolen := false
	start := d.Subject.Start.World.Balance(input.Attacker.Address())
	for _, c := range list {
		last := c.Sequence.Last()
		if len(c.Sequence.Txs) <= len(s.Txs) || last.Script == nil || last.Script.Mode != input.Reenter {
			t.Errorf("the variant is %v", c.Sequence)
		}
		if r := d.Execute(c); r.Real() && r.Succeeded() {
			end := r.After.Balance(input.Attacker.Address())
			stolen = stolen || end.Gt(&start)
		}
	}
	if !stolen {
		t.Error("no variant takes deposits of others")
	}
	if string(input.AppendText(nil, s)) != was {
		t.Error("the original is changed")
	}
}
