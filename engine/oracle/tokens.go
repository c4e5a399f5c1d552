package oracle

import (
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
)

// TokenLeak reports tokens that a stranger can take: from a contract that others paid
// them to, or from an account that approved at most a contract. SWC-105 says the same
// of ether.
//
// A stranger, see strangers, ends with more of the token and no less of anything else. Of
// what a contract holds, only tokens count that others paid by calling the contract, since what is
// sent to it belongs to nobody, and not what a rounding leaves. The stranger must gain for
// certain, as in EtherLeak.
var TokenLeak = Oracle{
	Name: "token-leak", SWC: "SWC-105", Severity: finding.Error,
	Title:        "Anyone can take tokens of others",
	Hint:         succeeded(saw(cover.Received)),
	Unexportable: noEffect,
	Watch: func(env *Env) Watcher {
		l := &tokenLeaks{strangers: strangers{env: env}}
		return Watcher{
			Begin: func(tx *input.Tx, w *evm.World) {
				l.strangers.begin(tx, w)
				l.open, l.moved = l.open[:0], append(l.moved, nil)
			},
			Flows: l.events(),
			Enter: l.enter, Exit: l.exit, Log: l.log, End: l.end,
		}
	},
}

// A tokenTransfer is a transfer of a token that its event tells.
type tokenTransfer struct {
	evm.Transfer
	asset int            // of the token in Holdings
	paid  bool           // the sender of the transaction pays a contract that it calls
	trail []Site         // where a contract of the project calls the token, or in the token if the sender does; else empty
	by    common.Address // that contract
}

type tokenLeaks struct {
	strangers
	moved [][]tokenTransfer // by transaction
	open  []int             // len(transfers()) at the start of each open frame
	after *evm.World
}

// transfers are those of the last transaction.
func (l *tokenLeaks) transfers() []tokenTransfer { return l.moved[len(l.moved)-1] }

func (l *tokenLeaks) enter(f *evm.Frame) {
	l.strangers.enter(f)
	l.open = append(l.open, len(l.transfers()))
}

func (l *tokenLeaks) exit(_ *evm.Frame, status evm.Status, _ []byte, _ error) {
	last := len(l.open) - 1
	if status != evm.Success {
		l.moved[len(l.moved)-1] = l.transfers()[:l.open[last]]
	}
	l.open = l.open[:last]
}

func (l *tokenLeaks) log(f *evm.Frame, event *evm.Log) {
	token := slices.Index(l.env.Tokens, event.Address)
	t, ok := event.Transfer()
	moved := tokenTransfer{Transfer: t, asset: token + 1}
	if token < 0 || !ok || t.From == t.To || moved.amount().IsZero() {
		return
	}
	caller := f // of the token, else the token that the sender calls
	for caller.Parent != nil && caller.Self == event.Address {
		caller = caller.Parent
	}
	if project(l.env, caller) {
		moved.trail, moved.by = l.env.trailIn(caller), caller.Self
	}
	for sender := l.last().From.Address(); caller != nil; caller = caller.Parent {
		moved.paid = moved.paid || t.From == sender && caller.Self == t.To && t.To != event.Address
	}
	l.moved[len(l.moved)-1] = append(l.transfers(), moved)
}

func (l *tokenLeaks) end(o *evm.Outcome, w *evm.World, report func(Report)) {
	l.history.end(o)
	l.after = w
	from := l.last().From
	taken := l.taken(from.Address())
	if o.Status != evm.Success || taken == nil || from == input.Deployer || !l.richer(from, taken.asset) {
		return
	}
	first, ok := l.stranger(from)
	if !ok {
		l.env.Retry()
		if txs := l.othersFirst(); txs != nil {
			report(Report{Trail: l.env.own(taken.trail), Contract: taken.by, Instead: txs})
		}
		return
	}
	amount, ok := l.gain(first, w, taken.asset)
	if !ok {
		return
	}
	var spent, received uint256.Int // by the last sender
	for i := first; i < len(l.moved); i++ {
		for k := range l.moved[i] {
			t := &l.moved[i][k]
			if t.asset != taken.asset {
				continue
			}
			switch from.Address() {
			case t.From:
				spent.Add(&spent, t.amount())
			case t.To:
				received.Add(&received, t.amount())
				if !received.Gt(&spent) {
					continue // it only gets its own back
				}
			}
			if t.trail == nil || !l.lost(t.From, t.asset, first) {
				continue
			}
			if l.owned(t, first, &amount) {
				r := l.report(t, first, &amount)
				if left := l.env.Holdings(w, t.From)[t.asset]; left.IsZero() && t.From == t.by {
					l.leftover(&r, first, t.asset)
				}
				report(r)
				return
			}
			if txs := l.withPayments(t, first); txs != nil {
				report(Report{Trail: l.env.own(t.trail), Contract: t.by, Instead: txs})
				return
			}
		}
	}
}

// taken returns the largest transfer to an account from others in this transaction that a
// contract of the project causes; nil if there is none.
func (l *tokenLeaks) taken(by common.Address) (most *tokenTransfer) {
	var amount uint256.Int
	for i := range l.transfers() {
		t := &l.transfers()[i]
		if t.To == by && t.From != (common.Address{}) && t.trail != nil && t.amount().Gt(&amount) {
			most, amount = t, *t.amount()
		}
	}
	return most
}

// richer reports whether an actor has more of an asset than at first.
func (l *tokenLeaks) richer(who input.Actor, asset int) bool {
	had, has := l.env.Holdings(l.worlds[0], who.Address())[asset], l.env.Holdings(l.after, who.Address())[asset]
	return has.Gt(&had)
}

// lost reports whether an account other than the last sender has less of an asset than
// before the sender's first transaction.
func (l *tokenLeaks) lost(who common.Address, asset, first int) bool {
	had, has := l.env.Holdings(l.worlds[first], who)[asset], l.env.Holdings(l.after, who)[asset]
	return who != l.last().From.Address() && has.Lt(&had)
}

// owned reports whether the tokens that a transfer takes belonged to others than the last
// sender, who gained an amount. Owners' decisions, and what other transactions of the victim
// than approvals, or calls by its contract, agree to, do not count.
func (l *tokenLeaks) owned(t *tokenTransfer, first int, amount *uint256.Int) bool {
	victim, account := input.ActorOf(t.From)
	if victim == input.Attacker && account && slices.ContainsFunc(l.txs[first:], func(tx input.Tx) bool { return tx.Script.Reenters() }) {
		return false
	}
	if !account && !l.eats(t, first) {
		return false
	}
	others := l.without(first, t.From)
	if len(others) < first {
		ending := l.env.Rerun(append(others, l.txs[first:]...))
		if _, ok := l.gain(first, ending.World, t.asset); !ok {
			l.env.Retry()
			return false
		}
	}
	if account || l.certain(first, t.asset, amount, func(i int) []input.Tx { return l.deposits(i, t) }) {
		return true
	}
	l.env.Retry()
	return false
}

// paidTo reports whether the sender of a transaction pays tokens to the contract from which
// a transfer takes them.
func (l *tokenLeaks) paidTo(i int, t *tokenTransfer) bool {
	return slices.ContainsFunc(l.moved[i], func(other tokenTransfer) bool {
		return other.asset == t.asset && other.paid && other.To == t.From
	})
}

// deposits repeats a transaction that pays tokens to the contract from which a transfer takes
// them, by the same account and by others but the last sender.
func (l *tokenLeaks) deposits(i int, t *tokenTransfer) (txs []input.Tx) {
	if !l.paidTo(i, t) {
		return nil
	}
	payment := l.payment(i)
	for range redeposits {
		txs = append(txs, payment...)
	}
	for _, who := range input.Actors {
		if who != l.last().From && who != l.txs[i].From {
			txs = append(txs, input.SentBy(payment, who)...)
		}
	}
	return txs
}

// payment returns a transaction with the approvals that its sender made before.
func (l *tokenLeaks) payment(i int) (txs []input.Tx) {
	for k := range i {
		if tx := &l.txs[k]; tx.From == l.txs[i].From && tx.Function.Approves() && !l.failed[k] {
			txs = append(txs, *tx)
		}
	}
	return append(txs, l.txs[i])
}

// withPayments returns the last sender's transactions after the same payments by another
// account, if all that a transfer takes was sent to the contract without calling it; nil
// if the sender pays nothing, or others tried to pay.
func (l *tokenLeaks) withPayments(t *tokenTransfer, first int) (txs []input.Tx) {
	other := input.User1
	if l.last().From == other {
		other = input.User2
	}
	for i := first; i < len(l.txs); i++ {
		if !l.paidTo(i, t) {
			continue
		}
		alike := func(tx input.Tx) bool { return tx.Function == l.txs[i].Function && tx.To == l.txs[i].To }
		if slices.ContainsFunc(l.txs[:first], alike) {
			return nil
		}
		txs = append(txs, input.SentBy(l.payment(i), other)...)
	}
	if txs == nil {
		return nil
	}
	return append(txs, l.txs[first:]...)
}

// eats reports whether a contract has less of a token than others paid it before the last
// sender's first transaction, by more than a hundredth, so that no rounding explains it.
func (l *tokenLeaks) eats(t *tokenTransfer, first int) bool {
	var owed uint256.Int
	for i := range first {
		for k := range l.moved[i] {
			other := &l.moved[i][k]
			n := other.amount()
			switch {
			case other.asset != t.asset:
			case other.paid && other.To == t.From:
				owed.Add(&owed, n)
			case other.From == t.From && owed.Lt(n):
				owed.Clear()
			case other.From == t.From:
				owed.Sub(&owed, n)
			}
		}
	}
	left := l.env.Holdings(l.after, t.From)[t.asset]
	rounding := new(uint256.Int).Div(&owed, uint256.NewInt(100))
	if !left.Lt(&owed) {
		return false
	}
	return new(uint256.Int).Sub(&owed, &left).Gt(rounding)
}

// amount is how much of a balance a transfer moves.
func (t *tokenTransfer) amount() *uint256.Int {
	if t.Single {
		return uint256.NewInt(1)
	}
	return &t.Value
}

// without returns the transactions before the last sender's first one, without what the
// deployer decides, apart from its tokens, and without what a victim does but approve.
func (l *tokenLeaks) without(first int, victim common.Address) (others []input.Tx) {
	for i := range first {
		tx := &l.txs[i]
		decides := tx.From == input.Deployer && !slices.Contains(l.env.Tokens, tx.To)
		agrees := tx.From.Address() == victim && !tx.Function.Approves()
		if !decides && !agrees {
			others = append(others, *tx)
		}
	}
	return others
}

func (l *tokenLeaks) report(t *tokenTransfer, first int, amount *uint256.Int) Report {
	from := l.last().From
	who, whose := "anyone", "that others put in"
	if l.pays(first) {
		who = "anyone who pays something in"
	}
	if _, account := input.ActorOf(t.From); account {
		whose = "from " + l.env.Name(t.From)
	}
	before := l.worlds[first]
	held := l.env.Holdings(before, t.From)[t.asset]
	trail := l.env.own(t.trail)
	return Report{
		Trail: trail, Contract: t.by, ByAnyone: true, OneCallOf: l.several(first),
		Message: fmt.Sprintf("%s can take %s %s: %s", who, l.env.amount(t.asset, amount), whose, l.env.Blame(trail).name()),
		Evidence: []finding.Evidence{
			{Name: "taken by " + from.String(), Value: l.env.amount(t.asset, amount)},
			{Name: "held by " + l.env.Name(t.From) + " before", Value: l.env.amount(t.asset, &held)},
		},
		Effect: finding.Profit{Who: from, Token: l.env.Tokens[t.asset-1], Most: l.env.Holdings(before, from.Address())[t.asset]},
	}
}

// pays reports whether the last sender pays something in its first transaction or later.
func (l *tokenLeaks) pays(first int) bool {
	sender := l.last().From.Address()
	return l.paysWei(first) || slices.ContainsFunc(l.moved[first:], func(moved []tokenTransfer) bool {
		return slices.ContainsFunc(moved, func(t tokenTransfer) bool { return t.From == sender })
	})
}
