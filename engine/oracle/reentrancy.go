package oracle

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
)

// Reentrancy reports calls during which the attacker can re-enter the contract
// while its state is stale (SWC-107).
//
// Conflicting storage accesses only raise the suspicion. To confirm it, the
// oracle runs the same calls in every order without re-entering: if one order
// leads to the same balances and storage, re-entering made no difference. This
// excludes guards, locks that share a word with other data, and contracts that
// write before they call.
var Reentrancy = Oracle{
	Name: "reentrancy", SWC: "SWC-107", Severity: finding.Warning,
	Title:        "A re-entrant call leads to an inconsistent state",
	Hint:         succeeded(saw(cover.Reentered)),
	Unexportable: noEffect,
	Watch: func(env *Env) Watcher {
		r := &reentrancies{env: env}
		return Watcher{
			Begin: r.begin, Enter: r.enter, Exit: r.exit,
			Ops: append([]byte{bytecode.GAS}, accessOps...), Step: r.step,
			End: r.end,
		}
	},
}

type reentrancies struct {
	env *Env
	history
	visits
	scripted bool // the attacker contract re-enters in this transaction
	byGas    bool // a call in it ran out of gas, or might do something else with more
}

func (r *reentrancies) begin(tx *input.Tx, w *evm.World) {
	r.history.begin(tx, w)
	r.visits.reset()
	r.scripted, r.byGas = tx.Script.Reenters(), false
}

func (r *reentrancies) enter(f *evm.Frame) {
	if r.scripted {
		r.visits.enter(f, f.Code != nil && r.env.Project(f.Code))
	}
}

// littleGas may be too little for the attacker's contract, unless its storage was read before.
const littleGas = 10_000

func (r *reentrancies) exit(f *evm.Frame, status evm.Status, _ []byte, halt error) {
	if r.scripted {
		r.visits.exit(status)
		attacker := input.Attacker.Address()
		called := f.To == attacker && f.Parent != nil && f.Parent.Self != attacker
		r.byGas = r.byGas || halt == evm.ErrOutOfGas || called && f.Gas < littleGas
	}
}

func (r *reentrancies) step(s *evm.Step) {
	switch {
	case !r.scripted:
	case s.Op == bytecode.GAS:
		r.byGas = r.byGas || project(r.env, s.Frame) && !callsNext(s)
	default:
		r.visits.access(s, r.env.mapped())
	}
}

// callsNext reports whether the instruction after GAS is the call that gets the gas.
func callsNext(s *evm.Step) bool {
	code, next := s.Frame.Code.Bytes, s.PC+1
	return next < uint64(len(code)) && slices.Contains([]byte{bytecode.CALL, bytecode.CALLCODE, bytecode.DELEGATECALL, bytecode.STATICCALL}, code[next])
}

// A reentrance is a call of a contract during an external call that it makes.
type reentrance struct {
	outer *visit // the frame that makes the call
	call  *visit // its callee, which leads to the attacker
	inner *visit // the re-entered frame
	late  *access
}

func (r *reentrancies) end(o *evm.Outcome, w *evm.World, report func(Report)) {
	r.history.end(o)
	if !r.scripted || o.Status != evm.Success {
		return
	}
	var shown map[Site]bool
	for _, inner := range r.visits.all {
		e, ok := r.conflict(inner)
		if !ok || shown[e.call.from] {
			continue
		}
		if rep, ok := r.confirm(&e, w); ok {
			if shown == nil {
				shown = map[Site]bool{}
			}
			shown[e.call.from] = true
			report(rep)
		}
	}
}

// conflict reports whether inner runs during a call of the same contract, which
// later writes a word that inner accessed.
func (r *reentrancies) conflict(inner *visit) (reentrance, bool) {
	if !inner.project || !inner.done() {
		return reentrance{}, false
	}
	e := reentrance{inner: inner}
	reached := false
	for v := inner.parent; v != nil; v = v.parent {
		if v.to == input.Attacker.Address() {
			reached = true
		}
		if v.project && v.self == inner.self {
			e.outer = v
			break
		}
		e.call = v
	}
	if !reached || e.outer == nil {
		return e, false
	}
	e.late = r.visits.late(&e)
	return e, e.late != nil
}

// confirm compares with the same calls in sequence. If the attacker contract makes
// different calls, or gas may decide what they do, only a gain counts, over every order of the calls:
// states that one order leads to say little.
func (r *reentrancies) confirm(e *reentrance, w *evm.World) (Report, bool) {
	who := input.Attacker
	have := r.env.Holdings(w, who.Address())
	most := make([]uint256.Int, len(have))
	orders := r.orders()
	if len(orders) == 0 {
		return Report{}, false
	}
	same := repeats(orders[0][1:])
	early := finding.ReentrantState{Orders: append(orders, r.unscripted())}
	welcome := false
	for i, txs := range early.Orders {
		ending := r.env.Rerun(r.instead(txs...))
		welcome = welcome || same && i < len(orders) && anotherSucceeds(ending.Outcomes[len(ending.Outcomes)-len(txs):], i)
		differ := w.Diff(ending.World)
		if alike(differ) {
			return Report{}, false
		}
		noteDifferences(&early, differ)
		for i, amount := range r.env.Holdings(ending.World, who.Address()) {
			if amount.Gt(&most[i]) {
				most[i] = amount
			}
		}
	}
	trail := []Site{e.call.from}
	rep := Report{
		Effect: early, Provisional: true, Trail: trail, Contract: e.outer.self,
		Related: []Related{{Trail: []Site{e.late.site}, Message: "this is written only after the attacker was called"}},
		Message: fmt.Sprintf("during %s the attacker can call %s before %s is done, and leaves the contract in a state that the same calls one after another never lead to",
			r.env.Blame(trail).name(), r.describeCall(e), r.env.Blame([]Site{e.late.site}).name()),
	}
	start := r.env.Holdings(r.before(), who.Address())
	for i := range have {
		if !have[i].Gt(&most[i]) {
			continue
		}
		rep.Severity, rep.Provisional = finding.Error, false
		rep.Effect = r.gain(i, &most[i])
		rep.Message = fmt.Sprintf("the attacker can call %s before %s is done, and %s: %s",
			r.describeCall(e), r.env.Blame([]Site{e.late.site}).name(), r.describeGain(i, &start[i], &have[i], &most[i]), r.env.Blame(trail).name())
		rep.Evidence = []finding.Evidence{
			{Name: "attacker's balance before", Value: r.env.amount(i, &start[i])},
			{Name: "after", Value: r.env.amount(i, &have[i])},
			{Name: "after the same calls one after another", Value: r.env.amount(i, &most[i])},
		}
		break
	}
	if rep.Provisional && r.byGas {
		r.env.Retry()
		return rep, false
	}
	return rep, !rep.Provisional || welcome
}

// anotherSucceeds reports whether an outcome other than the nth is a success.
// Functions that only succeed during another call, such as settling while a
// pool is unlocked, are meant for re-entrance.
func anotherSucceeds(outcomes []evm.Outcome, n int) bool {
	for i := range outcomes {
		if i != n && outcomes[i].Status == evm.Success {
			return true
		}
	}
	return false
}

// maxDifferent bounds the re-entrant calls whose orders are compared, if they differ.
const maxDifferent = 3

// orders lists the sequences without re-entrance: the same calls before or after the
// interrupted one, in every order; none if there are too many.
func (r *reentrancies) orders() (orders [][]input.Tx) {
	tx := *r.last()
	inner := r.reentries(tx.Script)
	different := !repeats(inner)
	if different && len(inner) > maxDifferent {
		return nil
	}
	answers := tx.Script.Answers
	for i, v := range r.visitsOf(inner) {
		inner[i].Script, inner[i].Delay = &input.Script{Answers: r.visits.answers(answers, v)}, input.Delay{}
	}
	tx.Script = &input.Script{Answers: r.visits.answers(answers, nil)}
	delay := tx.Delay
	tx.Delay = input.Delay{}
	permute(inner, different, func(inner []input.Tx) {
		for before := range len(inner) + 1 {
			txs := slices.Insert(slices.Clone(inner), before, tx)
			txs[0].Delay = delay
			orders = append(orders, txs)
		}
	})
	return orders
}

// visitsOf returns the first frame of each of the attacker contract's calls.
func (r *reentrancies) visitsOf(calls []input.Tx) []*visit {
	list := make([]*visit, len(calls))
	for i := range calls {
		data := calls[i].Calldata()
		for _, v := range r.visits.all {
			if v.reentry() == v && v.to == calls[i].To && bytes.Equal(v.data, data) && !slices.Contains(list[:i], v) {
				list[i] = v
				break
			}
		}
	}
	return list
}

// permute calls f with every order of a list, or with the list alone. f must not keep
// it.
func permute(list []input.Tx, all bool, f func([]input.Tx)) {
	var from func(n int)
	from = func(n int) {
		if n >= len(list) || !all {
			f(list)
			return
		}
		for i := n; i < len(list); i++ {
			list[n], list[i] = list[i], list[n]
			from(n + 1)
			list[n], list[i] = list[i], list[n]
		}
	}
	from(0)
}

// repeats reports whether all calls are the same.
func repeats(calls []input.Tx) bool {
	return !slices.ContainsFunc(calls, func(tx input.Tx) bool {
		first := &calls[0]
		return tx.To != first.To || tx.Value != first.Value || !bytes.Equal(tx.Calldata(), first.Calldata())
	})
}

// reentries lists the re-entrant calls that the attacker's contract made, in the
// order of its script.
func (r *reentrancies) reentries(s *input.Script) (list []input.Tx) {
	made := map[common.Address]int{}
	for i := range s.Calls {
		if to := s.Calls[i].Tx.To; made[to] == 0 {
			made[to] = r.visits.calledBy(input.Attacker.Address(), to)
		}
	}
	for n := 1; n <= s.LastCall(); n++ {
		for i := range s.Calls {
			c := &s.Calls[i]
			if c.MadeIn(n) && made[c.Tx.To] > 0 {
				list = append(list, c.Tx)
				made[c.Tx.To]--
			}
		}
	}
	return list
}

// unscripted is the transaction without the attacker's script.
func (r *reentrancies) unscripted() []input.Tx {
	tx := *r.last()
	tx.Script = &input.Script{Answers: tx.Script.Answers}
	return []input.Tx{tx}
}

// gain is the effect that the attacker owns more than most: of wei if i is 0,
// else of a token.
func (r *reentrancies) gain(i int, most *uint256.Int) finding.Profit {
	g := finding.Profit{Who: input.Attacker, Most: *most}
	if i > 0 {
		g.Token = r.env.Tokens[i-1]
	}
	return g
}

// noteDifferences adds the new differences between states.
func noteDifferences(early *finding.ReentrantState, differ []evm.AccountDiff) {
	for _, d := range differ {
		if d.Balance[0] != d.Balance[1] && !slices.Contains(early.Owners, d.Address) {
			early.Owners = append(early.Owners, d.Address)
		}
		for _, s := range d.Storage {
			word := finding.WrongStorage{Contract: d.Address, Slot: s.Key, Value: s.After}
			if !slices.Contains(early.Words, word) {
				early.Words = append(early.Words, word)
			}
		}
	}
}

// alike reports whether two Worlds differ at most in nonces.
func alike(differ []evm.AccountDiff) bool {
	for _, d := range differ {
		if d.Balance[0] != d.Balance[1] || d.CodeChanged || len(d.Storage) > 0 {
			return false
		}
	}
	return true
}

// describeCall describes the re-entrant call.
func (r *reentrancies) describeCall(e *reentrance) string {
	name := r.called(e.inner)
	if name == r.called(e.outer) {
		return name + " again"
	}
	return name
}

func (r *reentrancies) called(v *visit) string {
	if f := r.env.Function(v.to, v.data); f != nil && !f.Raw {
		return f.Name + "()"
	}
	return "the contract"
}

// describeGain describes the gain: of wei if i is 0, else of a token.
func (r *reentrancies) describeGain(i int, start, have, most *uint256.Int) string {
	if have.Gt(start) && !most.Lt(start) {
		var with, without uint256.Int
		with.Sub(have, start)
		without.Sub(most, start)
		return fmt.Sprintf("takes %s instead of %s", r.env.amount(i, &with), r.env.amount(i, &without))
	}
	var more uint256.Int
	more.Sub(have, most)
	return "ends with " + r.env.amount(i, &more) + " more than without"
}
