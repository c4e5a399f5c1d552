package attack

import (
	"maps"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/search"
	"leveret/engine/search/searchtest"
)

// attacking deploys a contract and sets the sources of attacks up.
func attacking(t *testing.T, file, name string) (*searchtest.Driver, *Scripts, *Deposits) {
	t.Helper()
	d := searchtest.New(t, searchtest.Compile(t, file), name, 3)
	scripts, deposits := New(d.Search, nil, nil, search.Privileged(d.Subject.Deployment.Record), false)
	return d, scripts, deposits
}

// calls executes calls of functions by one actor, one after the other, as one
// input. It pays wei to those that are payable.
func calls(t *testing.T, d *searchtest.Driver, from input.Actor, names ...string) *search.Result {
	t.Helper()
	s := input.Sequence{Deployment: d.Subject.Deployment.Record}
	for _, name := range names {
		callee := d.Callee(t, name)
		tx := input.Tx{From: from, To: callee.Address, Function: callee.Function, Args: callee.Function.Zero()}
		if callee.Function.Mutability == input.Payable {
			tx.Value.SetUint64(1000)
		}
		s.Txs = append(s.Txs, tx)
	}
	r := d.Execute(d.Generator.FromStart(s))
	r.Run.Keep()
	if r.PrefixFailed {
		t.Fatalf("%v fails", names)
	}
	return r
}

// planned takes everything that is planned.
func planned(a *Scripts) (list []*search.Candidate) {
	for a.plan.Len() > 0 {
		list = append(list, a.plan.Take())
	}
	return list
}

// names lists the functions that a sequence calls.
func names(s input.Sequence) (list []string) {
	for i := range s.Txs {
		list = append(list, s.Txs[i].Function.Name)
	}
	return list
}

// An unprivileged actor does what the deployer could, after a call that lets it.
func TestEntitling(t *testing.T) {
	d, _, deposits := attacking(t, "../testdata/Abused.sol", "Appointed")
	d.Run(500, d.Next)
	var closing *corpus.Entry
	for _, e := range d.Corpus.Entries {
		if e.Success && e.Sequence.Last().Function.Name == "close" && len(e.Sequence.Txs) == 1 {
			closing = e
		}
	}
	if closing == nil || closing.Sequence.Last().From != input.Deployer {
		t.Fatal("the deployer did not close")
	}
	entitled := false
	for range 50 {
		s, ok := deposits.entitle(closing)
		if !ok {
			t.Fatal("no transaction is put before it")
		}
		if s.Last().From == input.Deployer {
			t.Fatal("the deployer has privileges")
		}
		r := d.Execute(d.Generator.FromStart(s))
		entitled = entitled || r.Succeeded()
	}
	if !entitled {
		t.Error("no user was let through")
	}
}

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

// senders lists who sends the transactions of a sequence.
func senders(s input.Sequence) (list []input.Actor) {
	for i := range s.Txs {
		list = append(list, s.Txs[i].From)
	}
	return list
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
			if script.Target == callee.Address && string(script.Data[:4]) == string(callee.Function.Selector[:]) {
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

// A deposit is a payment by another actor than the last sender, without a script
// and without a delay. The sequence before it stays as it is.
func TestDepositsOfOthers(t *testing.T) {
	d, _, deposits := attacking(t, "testdata/Bank.sol", "Bank")
	alone := calls(t, d, input.Attacker, "withdraw")
	if got := deposits.add(alone.Sequence); len(got.Txs) != 1 {
		t.Error("a deposit is put before, though no payment is known")
	}
	if deposits.learn(alone) {
		t.Error("a call without wei is a payment")
	}
	payment := calls(t, d, input.Attacker, "deposit")
	failed := *payment
	if failed.Outcome.Status = evm.Revert; deposits.learn(&failed) {
		t.Error("a call that failed is a payment")
	}
	payment.Sequence.Txs[0].Delay.Blocks, payment.Sequence.Txs[0].Script = 5, &input.Script{}
	if !deposits.learn(payment) || deposits.learn(payment) {
		t.Error("the payment is not known once")
	}
	was := string(input.AppendText(nil, alone.Sequence))
	lengths, payers := map[int]bool{}, map[input.Actor]bool{}
	for range 200 {
		s := deposits.add(alone.Sequence)
		first := s.Txs[0]
		lengths[len(s.Txs)], payers[first.From] = true, true
		if first.Function.Name != "deposit" || first.Value.IsZero() || first.Script != nil || first.Delay != (input.Delay{}) || first.From == s.Last().From {
			t.Fatalf("the deposit is %+v", first)
		}
		if s.Last().Function.Name != "withdraw" || len(s.Txs) == 3 && (s.Txs[1].From != s.Last().From || s.Txs[1].Function.Name != "deposit") {
			t.Fatalf("the sequence is %v", s)
		}
	}
	if !maps.Equal(lengths, map[int]bool{2: true, 3: true}) || !maps.Equal(payers, map[input.Actor]bool{input.User1: true, input.User2: true}) {
		t.Errorf("the lengths are %v, the payers %v", lengths, payers)
	}
	if string(input.AppendText(nil, alone.Sequence)) != was {
		t.Error("the original is changed")
	}
}

// A re-entering script that repeats the last transaction repeats its new form.
func TestFittedScripts(t *testing.T) {
	f := &input.Function{Name: "f", Selector: [4]byte{1}}
	was := input.Tx{To: common.Address{1}, Function: f}
	now := input.Tx{To: common.Address{1}, Function: f, Value: *uint256.NewInt(7)}
	script := reentering(was)
	script.Depth, script.Returns = 2, []uint256.Int{*uint256.NewInt(5)}
	got := fitted(script, &was, &now)
	if !got.Value.Eq(uint256.NewInt(7)) || got.Depth != 2 || len(got.Returns) != 1 {
		t.Errorf("the script is %+v", got)
	}
	other := reentering(input.Tx{To: common.Address{2}, Function: f})
	if fitted(other, &was, &now) != other {
		t.Error("a script that makes another call is changed")
	}
}

// Once enough is spent on scripted inputs of other sources, their scripts are
// removed but for the answers.
func TestStrippingScripts(t *testing.T) {
	d, scripts, _ := attacking(t, "testdata/Bank.sol", "Bank")
	exempt := &search.Origin{Name: "replayed"}
	s := calls(t, d, input.Attacker, "withdraw").Sequence
	script := reentering(*s.Last())
	script.Returns = []uint256.Int{*uint256.NewInt(5)}
	strip := func(origin *search.Origin, purpose search.Purpose, script *input.Script) *search.Candidate {
		tx := *s.Last()
		tx.Script = script
		next := d.Generator.FromStart(s.WithTx(0, tx))
		next.Origin, next.Purpose, next.Change.Single = origin, purpose, true
		scripts.Strip(next, exempt)
		return next
	}
	if c := strip(d.Origin, nil, script); c.Sequence.Last().Script != script {
		t.Error("a script is removed though nothing is spent")
	}
	scripts.other.Spent = 1 << 60
	for _, row := range []struct {
		name string
		c    *search.Candidate
	}{
		{"the attack's own", strip(scripts.Origin(), nil, script)}, {"a replayed", strip(exempt, nil, script)}, {"a purposeful", strip(d.Origin, met{}, script)},
	} {
		if row.c.Sequence.Last().Script != script || row.c.Change.Shape {
			t.Errorf("%s candidate lost its script", row.name)
		}
	}
	c := strip(d.Origin, nil, script)
	if got := c.Sequence.Last().Script; got == nil || got.Mode != input.Accept || !slices.Equal(got.Returns, script.Returns) {
		t.Errorf("the script is %+v", got)
	}
	if !c.Change.Shape || c.Change.Single {
		t.Errorf("the change is %+v", c.Change)
	}
	if got := strip(d.Origin, nil, &input.Script{Mode: input.Refuse}).Sequence.Last().Script; got != nil {
		t.Errorf("the script is %+v", got)
	}
}

// met is a purpose.
type met struct{}

func (met) Met(*search.Candidate) bool { return true }

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
