package attack

import (
	"maps"
	"testing"

	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/deploy"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/search"
)

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

// A deposit is a payment by another actor than the last sender, without a script
// and without a delay. It leaves the original sequence as it is.
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

// A payment of tokens is made by another account, with its approval, and alone with the approval; the last
// transaction may then claim what was paid. Once a payment is known, a profit in tokens is repeated after it, and each
// function tries to take it.
func TestDepositsOfTokens(t *testing.T) {
	d, scripts, deposits := attacking(t, "testdata/Coffer.sol", "Coffer")
	var token deploy.Callee
	for _, c := range d.Subject.Callees {
		if c.Function.Name == "approve" {
			token = c
		}
	}
	coffer := d.Subject.Deployment.UnderTest().Address
	call := func(c deploy.Callee, args ...input.Value) input.Tx {
		return input.Tx{From: input.User1, To: c.Address, Function: c.Function, Args: args}
	}
	number := func(f *input.Function, i int, n uint64) input.Value {
		return input.NewWord(f.Inputs[i].Type, uint256.NewInt(n))
	}
	run := func(txs ...input.Tx) *search.Result {
		r := d.Execute(d.Generator.FromStart(input.Sequence{Deployment: d.Subject.Deployment.Record, Txs: txs}))
		r.Run.Keep()
		return r
	}
	deposit, pay := d.Callee(t, "deposit"), d.Callee(t, "pay")
	approval := call(token, input.NewAddress(coffer), number(token.Function, 1, 70))
	paid := call(deposit, number(deposit.Function, 0, 50))
	claim := call(pay, input.NewAddress(input.User1.Address()), number(pay.Function, 1, 50))
	if deposits.learn(run(call(deposit, number(deposit.Function, 0, 0)))) {
		t.Error("a payment of nothing is one")
	}
	if r := run(approval, paid); !deposits.learn(r) || deposits.learn(r) {
		t.Fatal("the payment is not known once")
	}
	alone, whole, claimed := false, false, false
	for range 300 {
		s := deposits.add(input.Sequence{Deployment: d.Subject.Deployment.Record, Txs: []input.Tx{claim}})
		first := s.Txs[0]
		if first.From == s.Last().From || first.Function != token.Function || first.Args[0].Address() != coffer {
			t.Fatalf("the first transaction is %+v", first)
		}
		alone = alone || len(s.Txs) == 2 && s.Txs[1].Args[0].Address() == first.From.Address()
		whole = whole || len(s.Txs) == 3 && s.Txs[1].Function == deposit.Function && s.Txs[1].From == first.From
		claimed = claimed || len(s.Txs) == 5 && s.Txs[3].From == s.Last().From && s.Txs[3].Function == deposit.Function
	}
	if !alone || !whole || !claimed {
		t.Errorf("an approval alone: %v, a payment: %v, one of the last sender, too: %v", alone, whole, claimed)
	}
	calling := d.Callee(t, "call")
	stolen := false
	for range 300 {
		tx := deposits.claiming(call(calling, calling.Function.Zero()...), deposits.tokens[0])
		content := tx.Args[1].Content
		stolen = stolen || tx.Args[0].Address() == token.Address && content != nil && content.Name() == "transfer" && tx.Args[1].Elems[0].Address() == input.User1.Address()
	}
	if !stolen {
		t.Error("no call transfers the token to the sender")
	}
	for n := uint64(2); n <= maxPaymentsOf; n++ {
		if other := call(deposit, number(deposit.Function, 0, 50+n)); !deposits.learn(run(approval, other)) || len(deposits.tokens) != int(n) {
			t.Errorf("payment %d is not known", n)
		}
	}
	if deposits.learn(run(approval, call(deposit, number(deposit.Function, 0, 40)))) {
		t.Errorf("%d payments by one function are known", len(deposits.tokens))
	}
	deposits.tokens = nil
	scripts.Learn(run(approval, paid, claim)) // before a deposit is known
	planned(scripts)
	scripts.Learn(run(approval, paid))
	repeated, taken := false, map[string]bool{}
	for _, c := range planned(scripts) {
		txs := c.Sequence.Txs
		n := len(txs)
		byOther := txs[0].Function.Approves() && txs[0].From != txs[n-1].From
		repeated = repeated || byOther && txs[n-1].Function == pay.Function && txs[n-2].Function == pay.Function
		if byOther {
			taken[txs[n-1].Function.Name] = true
		}
	}
	if !repeated || !taken["pay"] || !taken["call"] {
		t.Errorf("a profit is repeated: %v; functions that take deposits: %v", repeated, taken)
	}
}

// Before anything is known of a token, functions are called after an approval, with the token among the
// arguments. What is paid is then asked for by the number of the payment, and deposits before a
// sequence may move the numbers that it asks for.
func TestNumberedPayments(t *testing.T) {
	d, scripts, deposits := attacking(t, "testdata/Numbered.sol", "Numbered")
	scripts.Learn(calls(t, d, input.User1, "next"))
	var payment *search.Result
	for _, c := range planned(scripts) {
		txs := c.Sequence.Txs
		if len(txs) != 2 || !txs[0].Function.Approves() || txs[0].From != txs[1].From || txs[0].Args[0].Address() != txs[1].To {
			t.Fatalf("planned is %v", c.Sequence)
		}
		if r := d.Execute(c); txs[1].Function.Name == "deposit" && r.Succeeded() && payment == nil {
			r.Run.Keep()
			payment = r
		}
	}
	if payment == nil {
		t.Fatal("no payment is planned that succeeds")
	}
	scripts.Learn(payment)
	taken := false
	for _, c := range planned(scripts) {
		txs := c.Sequence.Txs
		n := len(txs)
		r := d.Execute(c)
		taken = taken || n == 5 && txs[0].From != txs[4].From && txs[2].From == txs[4].From && txs[4].Function.Name == "take" && r.Succeeded() && r.Shows(cover.Received)
	}
	if !taken {
		t.Error("the second payment is not taken by its number")
	}
	number := func(s input.Sequence) uint64 { return s.Last().Args[1].Word.Uint64() }
	take := d.Callee(t, "take")
	tx := input.Tx{From: input.User1, To: take.Address, Function: take.Function, Args: take.Function.Zero()}
	numbers := map[uint64]bool{}
	for range 300 {
		numbers[number(deposits.after(payment.Sequence.Txs, input.Sequence{Txs: []input.Tx{tx}}, 3))] = true
	}
	if !maps.Equal(numbers, map[uint64]bool{0: true, 1: true}) || tx.Args[1].Word.Uint64() != 0 {
		t.Errorf("after a payment, the numbers are %v", numbers)
	}
}
