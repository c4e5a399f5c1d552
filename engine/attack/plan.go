package attack

import (
	"bytes"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/engine/search"
)

// Learn charges the budgets, and plans attacks on a result in which the attacker
// contract was called.
func (a *Scripts) Learn(r *search.Result) {
	a.charge(r)
	if !r.Fast() {
		return
	}
	if !a.started {
		a.started = true
		for _, s := range a.deposits.payments() {
			a.plan.Add(a.search.Generator.Combined(s))
		}
	}
	a.impersonate(r)
	a.repeatProfit(r)
	if tokens := len(a.deposits.tokens); a.deposits.learn(r) {
		for _, e := range a.callers[:min(maxPlanned, len(a.callers))] {
			a.planWithDeposits(e)
		}
		a.takeDeposits(len(a.deposits.tokens) > tokens)
	}
	a.callAllAfterReentry(r)
	a.reenterMore(r)
	a.withoutScript(r)
	a.planFor(r)
}

// charge adds the work of a scripted input to its budget.
func (a *Scripts) charge(r *search.Result) {
	if !exec.Scripted(r.Sequence.Last()) {
		return
	}
	budget := &a.other
	if r.Origin == a.origin {
		budget = &a.drawn
	}
	budget.Spent += r.Work
}

// impersonate tries a sequence whose last transaction calls an actor with the
// attacker in the actor's place: only the attacker has a contract.
func (a *Scripts) impersonate(r *search.Result) {
	actor := input.Actor(r.Run.Called)
	if _, ok := r.Sequence.Last().Function.Sender(r.Run.Called); !r.Shows(cover.ActorCalled) || !ok {
		return
	}
	this := impersonation{r.Run.Path, r.Sequence.Last().From == actor}
	if a.impersonated[this] {
		return
	}
	a.impersonated[this] = true
	s := input.Sequence{Deployment: r.Sequence.Deployment, Txs: slices.Clone(r.Sequence.Txs)}
	for i := range s.Txs {
		if s.Txs[i].From == actor && byAttacker(&s.Txs[i]) {
			s.Txs[i].From = input.Attacker
		}
	}
	a.plan.Add(a.search.Generator.Combined(s))
}

// byAttacker reports whether the attacker may send tx.
func byAttacker(tx *input.Tx) bool {
	_, may := tx.Function.Sender(input.Attacker.Address())
	return may
}

// repeatProfit tries to take wei or tokens up to three times, with deposits of others to take
// it from: whether the first time changed the contract's books shows in no path. Tokens that come while the
// attacker's contract calls back may be its own.
func (a *Scripts) repeatProfit(r *search.Result) {
	received := r.Succeeded() && r.Shows(cover.Received) && !r.Sequence.Last().Script.Reenters()
	if !r.Profits() && !received || a.profitable[r.Run.Path] || len(a.profitable) >= maxProfitable {
		return
	}
	a.profitable[r.Run.Path] = true
	e := a.search.Corpus.NewEntry(r)
	if len(a.takers) < maxTakers {
		a.takers = append(a.takers, e)
	}
	a.repeat(e)
}

// repeat plans what repeatProfit tries, once without further deposits, and the same with
// payments that count twice if the contract lets them.
func (a *Scripts) repeat(e *corpus.Entry) {
	for _, first := range append(a.batched(e.Sequence), e.Sequence) {
		for i := range 7 {
			s := first
			if i > 0 {
				s = a.deposits.add(s)
			}
			for range 3 {
				a.profits.Add(a.search.Corpus.Child(e, s, mutate.Diff{First: 0, Shape: true}))
				s = s.Insert(len(s.Txs), *s.Last())
			}
		}
	}
}

// batched returns s with each payment of its last sender made twice in one transaction, with
// the ether of one, by a function of the paid contract that takes a list of calls; nothing if
// there is none. Where that delegates the calls, each of them sees all of the ether. A second
// sequence pays the least, as a profit has to exceed it.
func (a *Scripts) batched(s input.Sequence) (list []input.Sequence) {
	least := s
	for i := range s.Txs {
		tx := &s.Txs[i]
		if tx.From != s.Last().From || tx.Value.IsZero() || tx.Function == nil || tx.Function.Raw {
			continue
		}
		if twice, ok := a.twice(tx); ok {
			s = s.WithTx(i, twice)
			twice.Value.SetOne()
			least = least.WithTx(i, twice)
			list = []input.Sequence{s, least}
		}
	}
	return list
}

// twice returns the call of a function that takes calls, with a call tx two times.
func (a *Scripts) twice(tx *input.Tx) (input.Tx, bool) {
	for _, callee := range a.search.Subject.Callees {
		if callee.Address != tx.To || callee.Function.Mutability != input.Payable {
			continue
		}
		for i, field := range callee.Function.Inputs {
			if field.Type.Kind != input.KindSlice || field.Type.Elem.Kind != input.KindBytes {
				continue
			}
			call := input.Value{Type: field.Type.Elem, Content: input.EncodedCallOf(tx.Function), Elems: tx.Args}
			made := a.search.Generator.Example(callee.Callee)
			made.From, made.Value, made.Delay, made.Script = tx.From, tx.Value, tx.Delay, nil
			return made.WithArg([]int{i}, input.Value{Type: field.Type, Elems: []input.Value{call, call}}), true
		}
	}
	return input.Tx{}, false
}

// maxTakers bounds the entries with a profit that takeDeposits tries.
const maxTakers = 8

// takeDeposits tries to take deposits that were not known before: by what made a profit, and,
// if they are of tokens, by each function.
func (a *Scripts) takeDeposits(tokens bool) {
	for _, e := range a.takers {
		a.repeat(e)
	}
	if !tokens {
		return
	}
	for _, callee := range a.search.Subject.Callees {
		if callee.Function.Constant() || callee.Contract != a.search.Subject.Program.UnderTest {
			continue
		}
		for _, s := range a.deposits.takes(func() input.Tx { return a.search.Generator.Example(callee.Callee) }) {
			a.profits.Add(a.search.Generator.Combined(s))
		}
	}
}

// callAllAfterReentry has the attacker call every function after it re-entered
// one, as that may be what pays.
func (a *Scripts) callAllAfterReentry(r *search.Result) {
	last := r.Sequence.Last()
	this := occasion{path: r.Run.Path, entered: true}
	if !r.Succeeded() || !last.Script.Reenters() || a.known[this] {
		return
	}
	a.remember(this)
	e := a.search.Corpus.NewEntry(r)
	for _, callee := range a.search.Subject.Callees {
		if !callee.Function.Constant() {
			tx := a.search.Generator.Example(callee.Callee)
			if tx.Script = nil; byAttacker(&tx) {
				tx.From = input.Attacker
			}
			s := e.Sequence.Insert(len(e.Sequence.Txs), tx)
			a.plan.Add(a.search.Corpus.Child(e, s, mutate.Diff{First: len(e.Sequence.Txs), Shape: true}))
		}
	}
}

// Bounds of what is planned for a function that was re-entered: on how many paths with
// equally many re-entrant calls, the last one to one function, at first, after how
// many inputs on one more, how many inputs in all at first, one of how many later, how
// many re-entrant calls, and how many plans wait.
const (
	maxExtended   = 3
	extendedEvery = 4096
	maxLonger     = 1024
	longerEvery   = 16
	maxReentries  = 8
	maxPlans      = 512
)

// A reentered is a function that was re-entered by so many calls, the last one to
// another.
type reentered struct {
	demand.Callee
	last  demand.Callee
	calls int
}

// reenterMore has the attacker contract call another function, too, after a new path
// on which all re-entrant calls succeeded: in the same call or in the next one.
func (a *Scripts) reenterMore(r *search.Result) {
	last := r.Sequence.Last()
	script := last.Script
	if !r.NewPath || !script.Reenters() || r.Run.Reentries < len(script.Calls) || len(script.Calls) == 0 || len(script.Calls) >= maxReentries {
		return
	}
	n := len(script.Calls)
	this := reentered{demand.CalleeOf(last), demand.CalleeOf(&script.Calls[n-1].Tx), n}
	inputs := a.search.Progress.Inputs
	if a.plan.Len() > maxPlans || a.extended[this] >= maxExtended+inputs/extendedEvery || a.longer >= maxLonger+inputs/longerEvery {
		return
	}
	a.extended[this]++
	e := a.search.Corpus.NewEntry(r)
	for _, callee := range a.search.Subject.Callees {
		if callee.Function.Constant() {
			continue
		}
		for _, first := range [...]int{script.Calls[n-1].First, script.LastCall() + 1} {
			longer := *e.Sequence.Last().Script
			next := mutate.Reentering(a.search.Generator.Example(callee.Callee), 1)
			next.First = first
			longer.Calls = append(slices.Clip(longer.Calls), next)
			a.longer++
			a.plan.Add(a.scripted(e, e.Sequence, &longer))
		}
	}
}

// withoutScript repeats a loan that a scripted attacker contract was given
// without the script, so that attacks are planned for it.
func (a *Scripts) withoutScript(r *search.Result) {
	last := *r.Sequence.Last()
	if !exec.Scripted(&last) || r.Run.AttackerValue.IsZero() || a.planned[function{demand.CalleeOf(&last), true}] >= maxPlanned {
		return
	}
	last.Script = last.Script.Plain()
	at := len(r.Sequence.Txs) - 1
	if s := r.Sequence.WithTx(at, last); a.search.Generator.Propose(s) {
		a.plan.Add(a.search.Corpus.Child(a.search.Corpus.NewEntry(r), s, mutate.Diff{First: at, Shape: true}))
	}
}

// planFor remembers a result in which the attacker contract was called, and
// plans attacks on the first few of a function.
func (a *Scripts) planFor(r *search.Result) {
	last := r.Sequence.Last()
	this := occasion{path: r.Run.Path, paid: r.Profits() || !r.Run.AttackerValue.IsZero()}
	if !r.Shows(cover.AttackerCalled) || exec.Scripted(last) || a.known[this] {
		return
	}
	a.search.Generator.Mutation.Scripts = true
	a.remember(this)
	e := caller{Entry: a.search.Corpus.NewEntry(r), given: r.Run.AttackerValue}
	f := function{demand.CalleeOf(last), this.paid}
	a.planned[f]++
	if script := e.Sequence.Last().Script; script != nil {
		e.answer = script.Answers
	}
	if !r.Succeeded() && last.Script == nil && r.Run.AttackerSelector != [4]byte{} {
		e.answer = a.answer(r, a.planned[f] <= maxPlanned)
	}
	if len(a.callers) < maxCallers {
		a.callers = append(a.callers, e)
	} else {
		a.callers[a.search.Generator.Random.IntN(maxCallers)] = e
	}
	if a.planned[f] <= maxPlanned {
		a.planOtherSizes(r, e)
		a.planAll(e)
	}
}

// planOtherSizes plans answers with more words than usual, and one in the encoding of
// a list or of bytes, where the caller goes on with none: it may expect a struct.
func (a *Scripts) planOtherSizes(r *search.Result, e caller) {
	script := e.Sequence.Last().Script
	if r.Succeeded() || len(r.Run.Asked) == 0 || script == nil || len(script.Answers) == 0 {
		return
	}
	last := len(script.Answers) - 1
	words := script.Answers[last]
	one := []uint256.Int{{1}}
	for _, other := range [][]uint256.Int{
		slices.Concat(words, slices.Repeat(one, 8)),
		slices.Concat([]uint256.Int{{32}}, slices.Repeat(one, 3)),
	} {
		answers := slices.Clone(script.Answers)
		answers[last] = other
		a.plan.Add(a.scripted(e.Entry, e.Sequence, &input.Script{Answers: answers}))
	}
}

// planAll plans every way in which the attacker contract can answer in e:
// refuse, burn gas, and re-enter each function.
func (a *Scripts) planAll(e caller) {
	last := e.Sequence.Last()
	scripts := []*input.Script{{Mode: input.Refuse}, {Mode: input.BurnGas}, reentering(*last)}
	for _, callee := range a.search.Subject.Callees {
		if !callee.Function.Constant() && demand.CalleeOf(last) != callee.Callee {
			scripts = append(scripts, reentering(a.search.Generator.Example(callee.Callee)))
		}
		if callee.Function.Mutability == input.Payable && !e.given.IsZero() {
			back := reentering(a.search.Generator.Example(callee.Callee)) // such as a loan paid into the attacker's account
			back.Calls[0].Tx.Value = e.given
			scripts = append(scripts, back)
		}
	}
	if len(e.answer) > 0 {
		scripts = append(scripts, &input.Script{})
	}
	for _, s := range scripts {
		s.Answers = e.answer
		a.plan.Add(a.scripted(e.Entry, e.Sequence, s))
		if s.Mode == input.Reenter {
			a.plan.Add(a.scripted(e.Entry, a.deposits.add(e.Sequence), s))
		}
	}
	a.planWithDeposits(e)
}

// plansWithDeposits is how often planWithDeposits draws deposits.
const plansWithDeposits = 12

// planWithDeposits plans to take twice from deposits of others.
func (a *Scripts) planWithDeposits(e caller) {
	for range plansWithDeposits {
		if len(a.deposits.payers)+len(a.deposits.tokens) == 0 {
			return
		}
		funded := a.deposits.add(e.Sequence)
		script := reentering(*funded.Last())
		script.Answers = e.answer
		a.plan.Add(a.scripted(e.Entry, funded, script))
	}
}

// answer returns what the attacker contract has to answer so that the contract
// under test goes on. Hooks mostly want their own selector back; a taint run
// tells what the answer is compared with.
func (a *Scripts) answer(r *search.Result, solve bool) [][]uint256.Int {
	words := make([]uint256.Int, 1)
	words[0].SetBytes32(common.RightPadBytes(r.Run.AttackerSelector[:], 32))
	if !solve || a.returnValues == nil {
		return [][]uint256.Int{words}
	}
	tx := *r.Sequence.Last()
	tx.Script = &input.Script{Answers: [][]uint256.Int{words}}
	if value, ok := a.returnValues.ReturnValue(r.Sequence.WithTx(len(r.Sequence.Txs)-1, tx)); ok {
		return [][]uint256.Int{{value}}
	}
	return [][]uint256.Int{words}
}

// escalations is how many ways to raise the severity of a finding are tried.
const escalations = 24

// Escalate plans variants of a sequence with larger deposits and other amounts,
// to raise the severity of what it shows.
func (a *Scripts) Escalate(s input.Sequence) {
	if script := s.Last().Script; !script.Reenters() {
		return
	}
	for range escalations {
		funded := a.deposits.add(input.Sequence{Deployment: s.Deployment, Txs: slices.Clone(s.Txs)})
		tx := *funded.Last()
		tx.Script = fitted(tx.Script, s.Last(), &tx)
		a.plan.Add(a.search.Generator.Combined(funded.WithTx(len(funded.Txs)-1, tx)))
	}
}

// fitted makes a script that repeats a transaction repeat its new form.
func fitted(s *input.Script, was, now *input.Tx) *input.Script {
	repeats := func(c input.Reentry) bool { return c.Tx.To == was.To && bytes.Equal(c.Tx.Calldata(), was.Calldata()) }
	if !slices.ContainsFunc(s.Calls, repeats) {
		return s
	}
	again := *s
	again.Calls = slices.Clone(s.Calls)
	for i := range again.Calls {
		if c := &again.Calls[i]; repeats(*c) {
			c.Tx = mutate.Reentering(*now, c.Times).Tx
		}
	}
	return &again
}
