package engine

import (
	"maps"
	"slices"
	"testing"

	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/program"
)

const (
	keeper    = "0x5FbDB2315678afecb367f032d93F642f64180aa3"
	treasurer = "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc"
	owner     = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
)

// Functions are sent by the accounts that their contract fixes, besides the actors.
func TestFixedSenders(t *testing.T) {
	b := compile(t, "testdata/Fixed.sol")
	p, err := program.New(contract(t, b, "Fixed"), b.Contracts)
	if err != nil {
		t.Fatal(err)
	}
	made, _ := deployOne(t, b, "Fixed")
	got := map[string]string{}
	for _, callee := range made.Callees(p) {
		if senders := callee.Function.Senders; len(senders) == 1+len(input.Actors) {
			got[callee.Function.Name] = senders[0].String()
		} else if len(senders) > 0 {
			t.Errorf("%s: %v", callee.Function.Name, senders)
		}
	}
	if want := map[string]string{"keep": keeper, "withdraw": treasurer, "pass": owner, "check": owner}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// What such accounts do is no attack, and what needs them is found and can be
// replayed.
func TestFixedCampaign(t *testing.T) {
	b := compile(t, "testdata/Fixed.sol")
	r := run(t, b, "Fixed", Options{MaxInputs: 3000, Seed: 1})
	found := failing(r)
	if len(found) != 1 || found[0].Oracle != "assertion" {
		t.Fatalf("%d findings", len(found))
	}
	var senders []string
	for _, tx := range found[0].Witness.Txs {
		senders = append(senders, tx.From.String())
	}
	if !slices.Equal(senders, []string{keeper, owner}) {
		t.Errorf("sent by %v", senders)
	}
	replayed(t, b, "Fixed", found[0].Witness)
	if slices.ContainsFunc(r.Findings, func(f finding.Finding) bool { return f.Oracle == "ether-leak" }) {
		t.Error("a withdrawal by the treasurer is reported")
	}
}
