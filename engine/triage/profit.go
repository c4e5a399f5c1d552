package triage

import (
	"slices"

	"leveret/engine/cover"
	"leveret/engine/deploy"
	"leveret/engine/input"
	"leveret/engine/search"
)

// A profitSignature is what the path does not show about a result: balances, and
// the attacker contract's script.
type profitSignature struct {
	script     input.ScriptMode
	before     bool // the attacker sent an earlier transaction
	own        bool // the attacker sent the last one
	pays       bool // the last sender sent wei
	profits    bool // it has more wei after the last transaction than before
	enriched   bool // it has more than at first, without privileges
	paid       bool // and it paid something
	othersPaid bool // and others did
	named      bool // and one of them named it
	tokens     bool // the last sender has more of a token than at first
	sent       bool // and sent a transaction before
	othersSent bool // and others did, to a contract that is no token
	reentries  int  // how often this was seen with a re-entry, up to a bound
}

// maxReentries bounds how often the same path with a re-entry is triaged.
const maxReentries = 6

// A reentry is a path with a re-entry and whether it paid.
type reentry struct {
	path cover.PathID
	paid bool
}

func (t *Triage) profitSignature(r *search.Result) profitSignature {
	last := len(r.Sequence.Txs) - 1
	tx := &r.Sequence.Txs[last]
	p := profitSignature{pays: !tx.Value.IsZero()}
	if tx.Script != nil {
		p.script = tx.Script.Mode
		p.own = tx.From == input.Attacker
		p.before = slices.ContainsFunc(r.Sequence.Txs[:last], func(tx input.Tx) bool { return tx.From == input.Attacker })
	}
	if !r.Succeeded() {
		return p
	}
	p.profits = r.Profits()
	if this := (reentry{r.Run.Path, p.profits}); p.script == input.Reenter && t.reentries[this] < maxReentries {
		if len(t.reentries) >= maxChecked {
			clear(t.reentries)
		}
		t.reentries[this]++
		p.reentries = t.reentries[this]
	}
	if r.Shows(cover.Received) {
		tokens := tokensOf(t.subject)
		if p.tokens = slices.ContainsFunc(tokens, func(token input.Tx) bool { return t.moreOf(token, r) }); p.tokens {
			p.noteSenders(r.Sequence.Txs, tokens)
		}
	}
	after := r.After.Balance(tx.From.Address())
	if p.enriched = after.Gt(deploy.ActorWei) && !t.checker.owners.privileged.Sent(r.Sequence.Txs); p.enriched {
		p.notePayments(r.Sequence.Txs)
	}
	return p
}

// gained reports whether the last sender has more of something than at first.
func (p *profitSignature) gained() bool { return p.enriched || p.tokens }

// noteSenders records who sent transactions before the last one.
func (p *profitSignature) noteSenders(txs, tokens []input.Tx) {
	last := len(txs) - 1
	for i := range txs[:last] {
		own := txs[i].From == txs[last].From
		p.sent = p.sent || own
		p.othersSent = p.othersSent || !own && !slices.ContainsFunc(tokens, func(token input.Tx) bool { return token.To == txs[i].To })
	}
}

// moreOf reports whether the last sender has more of a token, given as by tokensOf, than
// at first.
func (t *Triage) moreOf(token input.Tx, r *search.Result) bool {
	who := r.Sequence.Last().From.Address()
	had := holdings(t.run, t.run.start.World, who, []input.Tx{token})[1]
	has := holdings(t.run, r.After, who, []input.Tx{token})[1]
	return has.Gt(&had)
}

// notePayments records what the last sender and others paid.
func (p *profitSignature) notePayments(txs []input.Tx) {
	who := txs[len(txs)-1].From
	for i := range txs {
		pays := !txs[i].Value.IsZero()
		if txs[i].From == who {
			p.paid = p.paid || pays
			continue
		}
		var named search.Actors
		for j := range txs[i].Args {
			named.AddNamed(&txs[i].Args[j])
		}
		p.othersPaid, p.named = p.othersPaid || pays, p.named || named.Has(who)
	}
}
