package attack

import (
	"maps"
	"testing"

	"leveret/engine/corpus"
	"leveret/engine/evm"
	"leveret/engine/input"
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
