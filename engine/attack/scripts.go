// Package attack makes inputs in which the attacker contract does more than
// accept calls: it refuses, burns gas, answers with chosen words and re-enters.
// Only where it is called do scripts make a difference.
package attack

import (
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/direct"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/engine/search"
)

// Scripts is the source of scripted attacks. It plans every script once for the
// first inputs in which a function calls the attacker contract, and draws
// scripts for the others.
type Scripts struct {
	search       *search.Search
	guide        *direct.Guide
	returnValues ReturnValues
	deposits     *Deposits
	origin       *search.Origin

	callers  []caller
	known    map[occasion]bool
	planned  map[function]int  // inputs that were planned for
	extended map[reentered]int // re-entrances that were planned to call more
	longer   int               // inputs that were planned for them
	plan     search.Queue      // scripted attacks to try next
	profits  search.Queue      // what repeats a profit: before the others, which may be many
	started  bool              // payments are planned
	turn     int               // counts the inputs that might have been of the plan

	drawn exec.Budget // for scripted inputs of this source that were not planned
	other exec.Budget // for scripted inputs of other sources

	impersonated map[impersonation]bool
	profitable   map[cover.PathID]bool // paths on which a profit was repeated
	takers       []*corpus.Entry       // the first entries with a profit
}

// The shares of the work that scripted inputs may take.
func newDrawnBudget() exec.Budget { return exec.Budget{Share: 0.06, Initial: 40e6} }
func newOtherBudget() exec.Budget { return exec.Budget{Share: 0.02, Initial: 5e6} }

// ReturnValues tells what a caller of the attacker contract compares the answer
// with.
type ReturnValues interface {
	ReturnValue(input.Sequence) (uint256.Int, bool)
}

// A caller is an entry in which the attacker contract is called, and the answer
// with which the contract under test goes on.
type caller struct {
	*corpus.Entry
	answer [][]uint256.Int
	given  uint256.Int // wei that came with the call
}

// An occasion is worth planning for once. Whether wei is sent does not show in
// the path.
type occasion struct {
	path    cover.PathID
	paid    bool
	entered bool // a function was re-entered
}

// A function calls the attacker contract, and may pay its caller.
type function struct {
	demand.Callee
	pays bool
}

// An impersonation is worth trying once: on a path, the attacker in the place of
// the called actor.
type impersonation struct {
	path   cover.PathID
	sender bool // who also sent the transaction
}

// Bounds of what is remembered.
const (
	maxCallers    = 128
	maxPlanned    = 3 // inputs planned for, by function
	maxProfitable = 32
)

// maxOccasions bounds the occasions that are remembered. Then planning begins anew.
const maxOccasions = 1 << 17

// remember notes that an occasion was planned for.
func (a *Scripts) remember(o occasion) {
	if len(a.known) >= maxOccasions {
		clear(a.known)
	}
	a.known[o] = true
}

// New returns the sources of attacks. returnValues may be nil: then only
// selectors are answered.
func New(s *search.Search, g *direct.Guide, returnValues ReturnValues, privileged search.Actors, noDemand bool) (*Scripts, *Deposits) {
	deposits := &Deposits{search: s, guide: g, privileged: privileged, noDemand: noDemand}
	return &Scripts{
		search: s, guide: g, returnValues: returnValues, deposits: deposits, origin: &search.Origin{Name: "agents"},
		known: map[occasion]bool{}, planned: map[function]int{}, extended: map[reentered]int{}, drawn: newDrawnBudget(), other: newOtherBudget(),
		impersonated: map[impersonation]bool{}, profitable: map[cover.PathID]bool{},
	}, deposits
}

// Origin returns the origin of scripted attacks.
func (a *Scripts) Origin() *search.Origin { return a.origin }

// planEvery is after how many inputs a planned attack runs. There are few, and
// they show something more often than others.
const planEvery = 4

// Planned returns the next planned attack when it is its turn. With targets, it
// has no turn of its own.
func (a *Scripts) Planned() *search.Candidate {
	if a.plan.Len()+a.profits.Len() == 0 || a.guide.Guides() {
		return nil
	}
	if a.turn++; a.turn%planEvery != 0 {
		return nil
	}
	next := a.take()
	next.Origin = a.origin
	return next
}

// take returns the next planned attack; nil if there is none.
func (a *Scripts) take() *search.Candidate {
	if next := a.profits.Take(); next != nil {
		return next
	}
	return a.plan.Take()
}

// Near reports whether an input is known that calls the attacker contract and
// can reach a target.
func (a *Scripts) Near() bool { return len(a.near()) > 0 }

func (a *Scripts) near() []caller {
	if !a.guide.Guides() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(a.callers), func(e caller) bool {
		return !a.guide.Reaches(demand.CalleeOf(e.Sequence.Last()))
	})
}

// Next returns a planned attack, or draws a script for an input that calls the
// attacker contract.
func (a *Scripts) Next() *search.Candidate {
	if next := a.take(); next != nil {
		return next
	}
	if len(a.callers) == 0 || !a.drawn.Allows(a.search.Progress.Work) {
		return nil
	}
	random := a.search.Generator.Random
	e := a.callers[random.IntN(len(a.callers))]
	if near := a.near(); len(near) > 0 && a.guide.Exploit() {
		e = near[random.IntN(len(near))]
	}
	s := e.Sequence
	if random.IntN(2) == 0 {
		s = a.deposits.add(s)
	}
	return a.scripted(e.Entry, s, a.draw(e, s))
}

// draw draws a script for the last transaction of s, which calls the attacker
// contract as e does.
func (a *Scripts) draw(e caller, s input.Sequence) *input.Script {
	generator := a.search.Generator
	random := generator.Random
	script := &input.Script{Answers: e.answer}
	switch n := random.IntN(8); {
	case n == 0:
		script.Mode = input.Refuse
	case n == 1:
		script.Mode = input.BurnGas
	case n == 2:
		script.Answers = [][]uint256.Int{nil}
		for range 1 + random.IntN(3) {
			script.Answers[0] = append(script.Answers[0], input.RandomWord(random, input.WordType{Bits: 256}, generator.Pool(e.Function())))
		}
	case n < 5:
		script = reentering(*s.Last())
		script.Answers = e.answer
	default:
		callees := a.search.Subject.Callees
		script = reentering(generator.Example(callees[random.IntN(len(callees))].Callee))
		script.Answers = e.answer
	}
	if script.Mode == input.Reenter {
		script.Calls[0].Times += random.IntN(2)
	}
	return script
}

// reentering returns the script that makes a call.
func reentering(tx input.Tx) *input.Script {
	return &input.Script{Mode: input.Reenter, Calls: []input.Reentry{mutate.Reentering(tx, 1)}}
}

// scripted gives the last transaction of s a script. The sequence of e ends with
// the same transaction.
func (a *Scripts) scripted(e *corpus.Entry, s input.Sequence, script *input.Script) *search.Candidate {
	last := len(s.Txs) - 1
	tx := s.Txs[last]
	tx.Script = script
	first := last
	if len(s.Txs) != len(e.Sequence.Txs) {
		first = 0
	}
	return a.search.Corpus.Child(e, s.WithTx(last, tx), mutate.Diff{First: first, Shape: first == 0})
}

// Strip removes the script of a candidate that was made for something else,
// except for its answer, once enough is spent on scripted inputs.
func (a *Scripts) Strip(next *search.Candidate, exempt *search.Origin) {
	tx := *next.Sequence.Last()
	if !exec.Scripted(&tx) || next.Origin == a.origin || next.Origin == exempt || next.Purpose != nil || a.other.Allows(a.search.Progress.Work) {
		return
	}
	tx.Script = tx.Script.Plain()
	next.Sequence = next.Sequence.WithTx(len(next.Sequence.Txs)-1, tx)
	next.Change.Shape, next.Change.Single = true, false
}
