package oracle

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/shadow"
	"leveret/solc/ast"
)

// strangers tells which actor a contract cannot know: the transactions of others come
// first and never contain its address, or a hash of it, nor does any constructor argument.
type strangers struct {
	env *Env
	history
	drawn    []bool // by transaction: it used randomness
	answered []bool // by transaction: the attacker's contract was called
	digests  []digest
}

func (l *strangers) begin(tx *input.Tx, w *evm.World) {
	l.history.begin(tx, w)
	l.drawn, l.answered = append(l.drawn, false), append(l.answered, false)
}

func (l *strangers) enter(f *evm.Frame) {
	if f.To == input.Attacker.Address() {
		l.answered[len(l.answered)-1] = true
	}
}

// events are the taint events that strangers needs.
func (l *strangers) events() *shadow.Events { return &shadow.Events{Asked: l.asked, Keccak: l.hashed} }

// A digest is a hash whose input contains the address of the transaction's sender.
// Calldata that contains the hash names the sender.
type digest struct {
	of   common.Address
	hash common.Hash
}

// randomness are the instructions whose only use is randomness.
var randomness = map[byte]bool{bytecode.BLOCKHASH: true, bytecode.PREVRANDAO: true, bytecode.COINBASE: true}

func (l *strangers) asked(a *shadow.Asked) {
	if randomness[byte(a.Op)] && project(l.env, a.Frame) {
		l.drawn[len(l.drawn)-1] = true
	}
}

// hashed records a hash of the block's time or number, which is used as
// randomness too, and one of the sender's address.
func (l *strangers) hashed(k *shadow.Keccak) {
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
func (l *strangers) named(tx *input.Tx, who common.Address) bool {
	if mentions(tx, who) {
		return true
	}
	data := tx.Calldata()
	return slices.ContainsFunc(l.digests, func(d digest) bool { return d.of == who && bytes.Contains(data, d.hash[:]) })
}

// stranger returns an actor's first transaction; false if something before it
// may know the actor, or the attacker's contract if that helps the actor: an account that
// names a contract, for instance as the money of an offer, accepts its answers.
func (l *strangers) stranger(who input.Actor) (first int, ok bool) {
	if l.env.knownAtDeployment(who.Address()) {
		return 0, false
	}
	first = len(l.txs)
	for first > 0 && (l.txs[first-1].From == who || l.failed[first-1]) {
		first--
		if l.entered(first) {
			return first, false // covered by another oracle
		}
	}
	if !l.unknown(who, first) {
		return first, false
	}
	helped := slices.Contains(l.answered[first:], true)
	return first, !helped || !l.env.knownAtDeployment(input.Attacker.Address()) && l.unknown(input.Attacker, first)
}

// unknown reports whether none of the first transactions is an actor's or names it.
func (l *strangers) unknown(who input.Actor, first int) bool {
	for i := range first {
		if !l.failed[i] && (l.txs[i].From == who || l.named(&l.txs[i], who.Address())) {
			return false
		}
	}
	return true
}

// gain is what the last sender gained in a later World since before its first
// transaction, of the asset with a number in Holdings; false if it gained nothing of it, or
// lost anything.
func (l *strangers) gain(first int, w *evm.World, asset int) (more uint256.Int, ok bool) {
	who := l.last().From.Address()
	before, after := l.env.Holdings(l.worlds[first], who), l.env.Holdings(w, who)
	for k := range before {
		if before[k].Gt(&after[k]) {
			return more, false
		}
	}
	more.Sub(&after[asset], &before[asset])
	return more, !more.IsZero()
}

// othersFirst returns the transactions with the last sender's after those of all others; nil
// if they are there already.
func (l *strangers) othersFirst() []input.Tx {
	own := func(tx input.Tx) bool { return tx.From == l.last().From }
	first := slices.IndexFunc(l.txs, own)
	if !slices.ContainsFunc(l.txs[first:], func(tx input.Tx) bool { return !own(tx) }) {
		return nil
	}
	var others, after []input.Tx
	for _, tx := range l.txs {
		if own(tx) {
			after = append(after, tx)
		} else {
			others = append(others, tx)
		}
	}
	return append(others, after...)
}

// entered reports whether a transaction takes its gain by re-entering a
// contract. If one re-entrant call only prepares the gain, such as by repaying a
// loan to its own account, a later transaction takes it. See several.
func (l *strangers) entered(i int) bool {
	return l.reenters(i) && (i == len(l.txs)-1 || l.env.entered[i])
}

// several returns the number of the last transaction, from first on, that makes
// several re-entrant calls, counted from 1; 0 if there is none. What only several of
// them prepare is the re-entrancy's.
func (l *strangers) several(first int) int {
	for i := len(l.txs); i > first; i-- {
		if l.reenters(i-1) && len(l.txs[i-1].Script.Calls) > 1 {
			return i
		}
	}
	return 0
}

func (l *strangers) reenters(i int) bool {
	return l.txs[i].Script.Reenters() && !l.failed[i]
}

// paysWei reports whether the last sender pays wei in its first transaction or later.
func (l *strangers) paysWei(first int) bool {
	for i := first; i < len(l.txs); i++ {
		tx := &l.txs[i]
		if !l.failed[i] && (!tx.Value.IsZero() || tx.Script.Pays()) {
			return true
		}
	}
	return false
}

// redeposits is how often a deposit is repeated for certain.
const redeposits = 4

// instants are the delays in blocks that certain tries.
var instants = []uint64{0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144}

// certain reports whether an actor gains if all its transactions, from first on, run at
// once, in any block, and whether the gain, so far what is taken, is unbounded: larger
// with larger deposits of others, or repeatable. A bonus is neither. deposits returns more
// deposits like the one that a transaction of others makes.
func (l *strangers) certain(first, asset int, taken *uint256.Int, deposits func(i int) []input.Tx) bool {
	if slices.Contains(l.drawn[first:], true) {
		return false
	}
	rich := l.withDeposits(first, deposits)
	more := append(rich, l.txs[first:]...)
	again := append(slices.Clone(more), l.txs[first:]...)
	last := append(slices.Clone(more), *l.last())
	larger := func(txs []input.Tx) bool {
		gained, ok := l.gain(first, l.env.Rerun(txs).World, asset)
		return ok && gained.Gt(taken)
	}
	if !slices.ContainsFunc([][]input.Tx{more, again, last}, larger) && !l.repeats(first, asset, taken, deposits) {
		return false
	}
	for _, later := range instants {
		txs := slices.Clone(l.txs)
		for i := first + 1; i < len(txs); i++ {
			txs[i].Delay = input.Delay{}
		}
		txs[first].Delay.Blocks += later
		txs[first].Delay.Seconds += later * blockSeconds
		if _, ok := l.gain(first, l.env.Rerun(txs).World, asset); !ok {
			return false
		}
	}
	return true
}

// repeats reports whether the last transaction gains more than what is taken, and each time
// more, if others make more deposits right before it. Deposits before the actor's first
// transaction may take the numbers that it asks for.
func (l *strangers) repeats(first, asset int, taken *uint256.Int, deposits func(i int) []input.Tx) bool {
	last := len(l.txs) - 1
	txs := slices.Clone(l.txs[:last])
	for i := range first {
		if !l.failed[i] {
			txs = append(txs, atOnce(deposits(i))...)
		}
	}
	once := append(txs, l.txs[last])
	before, ok := l.gain(first, l.env.Rerun(once).World, asset)
	if !ok {
		return false
	}
	again, ok := l.gain(first, l.env.Rerun(append(once, l.txs[last])).World, asset)
	return ok && again.Gt(&before) && again.Gt(taken)
}

// atOnce drops the delays of transactions, in place, and returns them.
func atOnce(txs []input.Tx) []input.Tx {
	for i := range txs {
		txs[i].Delay = input.Delay{}
	}
	return txs
}

// withDeposits returns the transactions before an actor's first one, with more deposits after
// those of others.
func (l *strangers) withDeposits(first int, deposits func(i int) []input.Tx) (txs []input.Tx) {
	for i := range first {
		if txs = append(txs, l.txs[i]); l.failed[i] {
			continue
		}
		txs = append(txs, atOnce(deposits(i))...)
	}
	return txs
}

// leftover makes a report a note if what the last sender takes is all that a router had, which
// does not record what others paid. Its last transaction alone has to gain that, without paying:
// where a payment counts for each call of a batch, the gain needs the payment.
func (l *strangers) leftover(r *Report, first, asset int) {
	batch := l.env.batch(l.env.Contract(r.Contract))
	if batch == nil || l.records(r.Contract, first) {
		return
	}
	last := *l.last()
	last.Value.Clear()
	if _, ok := l.gain(first, l.env.Rerun(append(slices.Clone(l.txs[:first]), last)).World, asset); ok {
		r.Severity, r.Provisional = finding.Information, true
		r.Message += fmt.Sprintf(", which returns all that a call of %s() left", batch.Name())
	}
}

// records reports whether the transactions of others before the last sender's first one changed
// the storage of a contract.
func (l *strangers) records(contract common.Address, first int) bool {
	return slices.ContainsFunc(l.worlds[first].Diff(l.worlds[0]), func(d evm.AccountDiff) bool {
		return d.Address == contract && len(d.Storage) > 0
	})
}

// batch returns the function by which a contract runs several of its functions with the ether
// of one transaction, as routers do; nil if it has none. A router keeps nothing: who pays in takes
// out what remains in the same transaction, or leaves it to others.
func (s *Env) batch(contract *ast.Node) *ast.Node {
	if contract == nil {
		return nil
	}
	return s.Sources.batches.get(contract, func() *ast.Node {
		for _, f := range s.Sources.trees().Functions(contract, false) {
			takes := func(p *ast.Node) bool { return strings.HasPrefix(p.TypeString(), "bytes[]") }
			if f.StateMutability() == "payable" && slices.ContainsFunc(f.Parameters(), takes) &&
				slices.ContainsFunc(append(s.Sources.callees(f), f), hasDelegatecall) {
				return f
			}
		}
		return nil
	})
}

// hasDelegatecall reports whether a function has a delegatecall.
func hasDelegatecall(function *ast.Node) bool {
	return contains(function, func(n *ast.Node) bool {
		if n.Type == ast.YulFunctionCall {
			n = n.Child("functionName")
		} else if n.Type != ast.MemberAccess {
			return false
		}
		return n != nil && n.Name() == "delegatecall"
	})
}
