package solve

import (
	"github.com/holiman/uint256"

	"leveret/engine/demand"
	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/engine/shadow"
)

// force proposes the sequence in which an account holds a balance, as ether was forced
// on it before the transaction that reads the balance: a balance is state that a
// transaction of one kind writes, whatever the account's code says. What was forced on
// it right before becomes more or less.
func (p *proposals) force(flow *shadow.Flow, balance *uint256.Int) {
	seq, at := p.entry.Sequence, flow.Source.Tx
	subject := p.solver.search.Subject
	if subject.Suite != nil || at < 0 || at >= len(seq.Txs) || subject.Deployment.World.Code(flow.Source.Address) == nil {
		return
	}
	var more uint256.Int
	more.Sub(balance, &flow.Value)
	if at > 0 && seq.Txs[at-1].Function.Forces() && seq.Txs[at-1].To == flow.Source.Address {
		tx := seq.Txs[at-1]
		if more.Add(&more, &tx.Value); p.sends(&tx, &more) {
			p.propose(seq.WithTx(at-1, tx), mutate.Diff{Tx: at - 1, First: at - 1})
		}
		return
	}
	tx := p.solver.search.Generator.NewTx(demand.Callee{Address: flow.Source.Address, Function: input.Forced})
	if tx.Delay = (input.Delay{}); p.sends(&tx, &more) {
		p.propose(seq.Insert(at, tx), mutate.Diff{Tx: at, First: at, Shape: true})
	}
}

// sends sets the wei of a transaction; false if it cannot have so much, or has none.
func (p *proposals) sends(tx *input.Tx, wei *uint256.Int) bool {
	for _, param := range input.Parameters(tx) {
		if param.Kind == input.ParamWei && param.Word.Wrap(wei) == *wei && !wei.IsZero() {
			*tx = input.Set(tx, &param, *wei)
			return true
		}
	}
	return false
}
