package oracle

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/shadow"
)

// EtherLeak reports ether that a stranger can take (SWC-105).
//
// A stranger is an actor that the contract cannot know: the transactions of
// others come first and never contain its address, or a hash of it, nor does any
// constructor argument. It ends with more wei and no fewer tokens. A stranger that pays
// must gain for certain: immediately, in any block, and without randomness.
// This excludes winnings, interest, refunds and payments by others.
var EtherLeak = Oracle{
	Name: "ether-leak", SWC: "SWC-105", Severity: finding.Error,
	Title:        "Anyone can take ether of others",
	Hint:         (*Observation).gains,
	Unexportable: noEffect,
	Watch: func(env *Env) Watcher {
		l := &leaks{env: env}
		return Watcher{
			Begin: func(tx *input.Tx, w *evm.World) {
				l.history.begin(tx, w)
				l.payments, l.open = l.payments[:0], l.open[:0]
				l.drawn = append(l.drawn, false)
			},
			Flows: &shadow.Events{Asked: l.asked, Keccak: l.hashed},
			Enter: l.enter, Exit: l.exit, End: l.end,
		}
	},
}

// A payment is wei that a project contract sends to an actor.
type payment struct {
	to   common.Address
	by   common.Address
	wei  uint256.Int
	site Site
}

type leaks struct {
	env *Env
	history
	payments []payment
	open     []int  // len(payments) at the start of each open frame
	drawn    []bool // by transaction: it used randomness
	digests  []digest
}

// A digest is a hash whose input contains the address of the transaction's sender.
// Calldata that contains the hash names the sender.
type digest struct {
	of   common.Address
	hash common.Hash
}

// randomness are the instructions whose only use is randomness.
var randomness = map[byte]bool{bytecode.BLOCKHASH: true, bytecode.PREVRANDAO: true, bytecode.COINBASE: true}

func (l *leaks) asked(a *shadow.Asked) {
	if randomness[byte(a.Op)] && project(l.env, a.Frame) {
		l.drawn[len(l.drawn)-1] = true
	}
}

// hashed records a hash of the block's time or number, which is used as
// randomness too, and one of the sender's address.
func (l *leaks) hashed(k *shadow.Keccak) {
	sets, set := l.env.observer.Sets(), k.Input.Sources()
	if sets.HasKind(set, shadow.FromTimestamp) || sets.HasKind(set, shadow.FromNumber) {
		l.drawn[len(l.drawn)-1] = true
	}
	if sender := l.last().From.Address(); holds(k.Input.Value(), sender) {
		output := k.Output.Value()
		l.digests = append(l.digests, digest{sender, output.Bytes32()})
	}
}

// named reports whether a transaction contains an actor's address, or a hash of it that
// the actor's own transactions compute, such as that of a claim.
func (l *leaks) named(tx *input.Tx, who common.Address) bool {
	if mentions(tx, who) {
		return true
	}
	data := tx.Calldata()
	return slices.ContainsFunc(l.digests, func(d digest) bool { return d.of == who && bytes.Contains(data, d.hash[:]) })
}

func (l *leaks) enter(f *evm.Frame) {
	l.open = append(l.open, len(l.payments))
	if f.Kind != evm.FrameCall || f.Value.IsZero() || f.Parent == nil || !project(l.env, f.Parent) {
		return
	}
	if _, actor := input.ActorOf(f.To); actor {
		l.payments = append(l.payments, payment{f.To, f.Parent.Self, f.Value, Site{f.Parent.Code, f.PC}})
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
	trail := []Site{paid.site}
	if !ok {
		l.env.Retry()
		if l.begunBefore(from) {
			report(Report{Trail: trail, Contract: paid.by, OthersFirst: true})
		}
		return
	}
	taken, ok := l.gain(first, w)
	held, left := l.worlds[first].Balance(paid.by), w.Balance(paid.by)
	if !ok || !left.Lt(&held) { // it did not belong to the contract
		return
	}
	who := "anyone"
	if l.pays(first) {
		if !l.certain(first, &taken) {
			l.env.Retry()
			return
		}
		who = "anyone who pays something in"
	}
	report(Report{
		Trail: trail, Contract: paid.by, Unprivileged: true, OneCallOf: l.several(first),
		Message: fmt.Sprintf("%s can take %s that others put in: %s", who, spaced(input.FormatWei(&taken)), l.env.Blame(trail).name()),
		Evidence: []finding.Evidence{
			{Name: "taken by " + from.String(), Value: spaced(input.FormatWei(&taken))},
			{Name: "held by " + l.env.Name(paid.by) + " before", Value: spaced(input.FormatWei(&held))},
		},
		Effect: finding.Profit{Who: from, Most: l.env.Holdings(l.worlds[first], from.Address())[0]},
	})
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

// gain is the wei that an actor gained in a later World since before its first
// transaction; false if it gained none or lost tokens.
func (l *leaks) gain(first int, w *evm.World) (more uint256.Int, ok bool) {
	who := l.last().From.Address()
	before, after := l.env.Holdings(l.worlds[first], who), l.env.Holdings(w, who)
	for i := range before {
		if before[i].Gt(&after[i]) {
			return more, false
		}
	}
	more.Sub(&after[0], &before[0])
	return more, !more.IsZero()
}

// stranger returns an actor's first transaction; false if something before it
// may know the actor.
func (l *leaks) stranger(who input.Actor) (first int, ok bool) {
	address := who.Address()
	if l.env.knownAtDeployment(address) {
		return 0, false
	}
	first = len(l.txs)
	for first > 0 && (l.txs[first-1].From == who || l.failed[first-1]) {
		first--
		if l.entered(first) {
			return first, false // covered by another oracle
		}
	}
	for i := range first {
		if !l.failed[i] && (l.txs[i].From == who || l.named(&l.txs[i], address)) {
			return first, false
		}
	}
	return first, true
}

// begunBefore reports whether an actor sent a transaction before one of another.
func (l *leaks) begunBefore(who input.Actor) bool {
	begun := false
	for i := range l.txs {
		switch own := l.txs[i].From == who; {
		case l.failed[i]:
		case begun && !own:
			return true
		default:
			begun = begun || own
		}
	}
	return false
}

// entered reports whether a transaction takes its gain by re-entering a
// contract. If one re-entrant call only prepares the gain, such as by repaying a
// loan to its own account, a later transaction takes it. See several.
func (l *leaks) entered(i int) bool {
	return l.reenters(i) && (i == len(l.txs)-1 || l.env.entered[i])
}

// several returns the number of the last transaction, from first on, that makes
// several re-entrant calls, counted from 1; 0 if there is none. What only several of
// them prepare is the re-entrancy's.
func (l *leaks) several(first int) int {
	for i := len(l.txs); i > first; i-- {
		if l.reenters(i-1) && len(l.txs[i-1].Script.Calls) > 1 {
			return i
		}
	}
	return 0
}

func (l *leaks) reenters(i int) bool {
	return l.txs[i].Script.Reenters() && !l.failed[i]
}

// pays reports whether an actor pays wei in its first transaction or later.
func (l *leaks) pays(first int) bool {
	for i := first; i < len(l.txs); i++ {
		tx := &l.txs[i]
		if !l.failed[i] && (!tx.Value.IsZero() || tx.Script.Pays()) {
			return true
		}
	}
	return false
}

// instants are the delays in blocks that certain tries.
var instants = []uint64{0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144}

// certain reports whether an actor gains if all its transactions run at once,
// in any block, and whether the gain is unbounded: larger with larger deposits
// of others, or repeatable. A bonus is neither.
func (l *leaks) certain(first int, taken *uint256.Int) bool {
	if slices.Contains(l.drawn[first:], true) {
		return false
	}
	rich := l.withDeposits(first)
	more := append(rich, l.txs[first:]...)
	again := append(slices.Clone(more), l.txs[first:]...)
	last := append(slices.Clone(more), *l.last())
	if !slices.ContainsFunc([][]input.Tx{more, again, last}, func(txs []input.Tx) bool {
		gain, ok := l.gain(first, l.env.Rerun(txs).World)
		return ok && gain.Gt(taken)
	}) {
		return false
	}
	for _, later := range instants {
		txs := slices.Clone(l.txs)
		for i := first + 1; i < len(txs); i++ {
			txs[i].Delay = input.Delay{}
		}
		txs[first].Delay.Blocks += later
		txs[first].Delay.Seconds += later * blockSeconds
		if _, ok := l.gain(first, l.env.Rerun(txs).World); !ok {
			return false
		}
	}
	return true
}

// withDeposits returns the transactions before an actor's first one, with every
// payment repeated.
func (l *leaks) withDeposits(first int) (txs []input.Tx) {
	for i := range first {
		txs = append(txs, l.txs[i])
		if l.failed[i] || l.txs[i].Value.IsZero() {
			continue
		}
		for range 4 {
			tx := l.txs[i]
			tx.Delay = input.Delay{}
			txs = append(txs, tx)
		}
	}
	return txs
}
