package engine

import (
	"slices"

	"leveret/engine/deploy"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/oracle"
)

// maxReentrances is how often the same path with a re-entrance is looked into.
const maxReentrances = 6

// A loot is what a path does not tell of a result, because it is a matter of
// balances and of what the attacker's contract was told.
type loot struct {
	agent    input.ScriptMode
	before   bool // the attacker sent a transaction before
	own      bool // the attacker sent the last one as well
	pays     bool // the actor sent wei along
	takes    bool // the actor has more wei after the last Tx than before
	stranger bool // it has more than at first, and is not privileged
	paid     bool // and it has paid something
	others   bool // and others have
	named    bool // and one of them named it
	again    int  // how often this was seen, up to a bound, if something was re-entered
}

func (c *campaign) lootOf(r *result) loot {
	last := len(r.Sequence.Txs) - 1
	tx := &r.Sequence.Txs[last]
	l := loot{pays: !tx.Value.IsZero()}
	if tx.Script != nil {
		l.agent = tx.Script.Mode
		l.own = tx.From == input.Attacker
		l.before = slices.ContainsFunc(r.Sequence.Txs[:last], func(tx input.Tx) bool { return tx.From == input.Attacker })
	}
	if r.Outcome.Status != evm.Success {
		return l
	}
	l.takes = r.takes()
	if this := (called{path: r.Run.Path, paid: l.takes}); l.agent == input.Reenter && c.agents.again[this] < maxReentrances {
		c.agents.again[this]++
		l.again = c.agents.again[this]
	}
	after := r.After.Balance(tx.From.Address())
	l.stranger = after.Gt(deploy.ActorWei) && !c.judge.privilegedTx(r.Sequence.Txs)
	if l.stranger {
		l.company(r.Sequence.Txs)
	}
	return l
}

// company notes what the sender of the last Tx and others did.
func (l *loot) company(txs []input.Tx) {
	who := txs[len(txs)-1].From
	for i := range txs {
		pays := !txs[i].Value.IsZero()
		if txs[i].From == who {
			l.paid = l.paid || pays
			continue
		}
		var named [input.ActorCount]bool
		for j := range txs[i].Args {
			tellActors(&txs[i].Args[j], &named)
		}
		l.others, l.named = l.others || pays, l.named || named[who]
	}
}

// takes reports whether who sent the last Tx has more wei after it than before.
func (r *result) takes() bool {
	return r.Outcome.Status == evm.Success && oracle.Gains(r.Sequence.Last().From, r.States[len(r.States)-1].World, r.After)
}
