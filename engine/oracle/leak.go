package oracle

import (
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
)

// EtherLeak reports ether that a stranger can take (SWC-105).
//
// A stranger, see strangers, ends with more wei and no fewer tokens. A stranger that pays
// must gain for certain: immediately, in any block, and without randomness.
// This excludes winnings, interest, refunds and payments by others.
var EtherLeak = Oracle{
	Name: "ether-leak", SWC: "SWC-105", Severity: finding.Error,
	Title:        "Anyone can take ether of others",
	Hint:         (*Observation).gains,
	Unexportable: noEffect,
	Watch: func(env *Env) Watcher {
		l := &leaks{strangers: strangers{env: env}}
		return Watcher{
			Begin: func(tx *input.Tx, w *evm.World) {
				l.strangers.begin(tx, w)
				l.payments, l.open = l.payments[:0], l.open[:0]
			},
			Flows: l.events(),
			Enter: l.enter, Exit: l.exit, End: l.end,
		}
	},
}

// A payment is wei that a project contract sends to an actor.
type payment struct {
	to    common.Address
	by    common.Address
	wei   uint256.Int
	trail []Site
}

type leaks struct {
	strangers
	payments []payment
	open     []int // len(payments) at the start of each open frame
}

func (l *leaks) enter(f *evm.Frame) {
	l.strangers.enter(f)
	l.open = append(l.open, len(l.payments))
	if f.Kind != evm.FrameCall || f.Value.IsZero() || f.Parent == nil || !project(l.env, f.Parent) {
		return
	}
	if _, actor := input.ActorOf(f.To); actor {
		l.payments = append(l.payments, payment{f.To, f.Parent.Self, f.Value, l.env.own(l.env.trailIn(f.Parent))})
	}
}

func (l *leaks) exit(_ *evm.Frame, status evm.Status, _ []byte, _ error) {
	last := len(l.open) - 1
	if status != evm.Success {
		l.payments = l.payments[:l.open[last]]
	}
	l.open = l.open[:last]
}

func (l *leaks) end(o *evm.Outcome, w *evm.World, report func(Report)) {
	l.history.end(o)
	from := l.last().From
	paid := l.paid(from.Address())
	if o.Status != evm.Success || paid == nil {
		return
	}
	first, ok := l.stranger(from)
	if slices.ContainsFunc(l.txs, func(tx input.Tx) bool { return tx.Function.Forces() }) {
		return // nobody misses what was forced on the contract
	}
	trail := paid.trail
	if !ok {
		l.env.Retry()
		if txs := l.othersFirst(); txs != nil {
			report(Report{Trail: trail, Contract: paid.by, Instead: txs})
		}
		return
	}
	taken, ok := l.gain(first, w, 0)
	held, left := l.worlds[first].Balance(paid.by), w.Balance(paid.by)
	if !ok || !left.Lt(&held) { // it did not belong to the contract
		return
	}
	who := "anyone"
	if l.paysWei(first) {
		if !l.certain(first, 0, &taken, l.deposits) {
			l.env.Retry()
			return
		}
		who = "anyone who pays something in"
	}
	r := Report{
		Trail: trail, Contract: paid.by, Unprivileged: true, OneCallOf: l.several(first),
		Message: fmt.Sprintf("%s can take %s that others put in: %s", who, spaced(input.FormatWei(&taken)), l.env.Blame(trail).name()),
		Evidence: []finding.Evidence{
			{Name: "taken by " + from.String(), Value: spaced(input.FormatWei(&taken))},
			{Name: "held by " + l.env.Name(paid.by) + " before", Value: spaced(input.FormatWei(&held))},
		},
		Effect: finding.Profit{Who: from, Most: l.env.Holdings(l.worlds[first], from.Address())[0]},
	}
	if left.IsZero() {
		l.leftover(&r, first, 0)
	}
	report(r)
}

// paid returns the largest payment to an account in this transaction.
func (l *leaks) paid(who common.Address) *payment {
	var most *payment
	for i := range l.payments {
		if p := &l.payments[i]; p.to == who && (most == nil || p.wei.Gt(&most.wei)) {
			most = p
		}
	}
	return most
}

// deposits repeats a transaction that pays wei.
func (l *leaks) deposits(i int) []input.Tx {
	if l.txs[i].Value.IsZero() {
		return nil
	}
	return slices.Repeat(l.txs[i:i+1], redeposits)
}
