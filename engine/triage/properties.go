package triage

import (
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/deploy"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/program"
	"leveret/engine/search"
	"leveret/solc"
	"leveret/solc/ast"
)

// A property is a function of the contract under test that has to hold after
// every transaction: named invariant_…, echidna_… or property_…, without
// arguments. It fails if it returns false or reverts. In a campaign over tests,
// its Suite says which functions these are and when they fail; a function that
// transactions call is a property, too, whose own calls break it.
type property struct {
	function *input.Function
	address  common.Address
	node     *ast.Node // its FunctionDefinition; nil without an AST
	source   *solc.Source
	itself   bool // broken by transactions that call it
	anywhere bool // at any address: of a contract that transactions create
}

func propertyOf(s *search.Subject, f *input.Function, of deploy.Deployed, itself bool) property {
	p := property{function: f, address: of.Address, itself: itself}
	if p.node = s.Program.DefinitionIn(of.Contract, f); p.node != nil {
		p.source = of.Contract.Build.Sources[p.node.Span.Source]
	}
	return p
}

func propertiesOf(s *search.Subject) []property {
	under := s.Deployment.UnderTest()
	var list []property
	add := func(f *input.Function, of deploy.Deployed, itself bool) {
		list = append(list, propertyOf(s, f, of, itself))
	}
	if s.Suite == nil {
		for _, f := range s.Program.ABI(under.Contract).Functions {
			if program.IsProperty(f) {
				add(f, under, false)
			}
		}
		return list
	}
	for _, f := range s.Suite.Properties {
		add(f, under, false)
	}
	for _, callee := range s.Callees {
		if !callee.Function.Property {
			add(callee.Function, deploy.Deployed{Contract: callee.Contract, Address: callee.Address}, true)
		}
	}
	return list
}

// addCreated adds the properties of functions that transactions call of contracts
// that others create.
func (c *Checker) addCreated(txs []input.Tx) {
	s := c.subject.Suite
	if s == nil || s.Created == nil {
		return
	}
	for i := range txs {
		f := txs[i].Function
		of := s.Created.Owner(f)
		if of == nil || slices.ContainsFunc(c.properties, func(p property) bool { return p.function == f }) {
			continue
		}
		p := propertyOf(c.subject, f, deploy.Deployed{Contract: of}, true)
		p.anywhere = true
		c.properties = append(c.properties, p)
	}
}

// asking returns the transaction that asks whether a property holds.
func (c *Checker) asking(p property) input.Tx {
	tx := input.Tx{From: input.Deployer, To: p.address, Function: p.function}
	if s := c.subject.Suite; s != nil {
		tx.From = s.Sender
	}
	return tx
}

// holds executes a property on a copy of s.
func (c *Checker) holds(s exec.State, p property) bool {
	tx := c.asking(p)
	world, outcome := c.run.ask(s, &tx)
	switch {
	case outcome.Unfinished():
		return true
	case c.subject.Suite != nil:
		return c.subject.Suite.Holds(p.function, &outcome, world)
	case outcome.Status != evm.Success:
		return false
	case len(p.function.Outputs) == 0:
		return true
	}
	return len(outcome.Return) < 32 || common.BytesToHash(outcome.Return[:32]) != common.Hash{}
}

// next returns how far a run is after a transaction that led to a world. Without
// a Suite there are no runs.
func (c *Checker) next(at search.Reached, tx *input.Tx, o *evm.Outcome, w *evm.World) search.Reached {
	if s := c.subject.Suite; s != nil {
		return s.Next(at, tx, o, w)
	}
	return at
}

// checks reports whether a property is checked that far in a run.
func (c *Checker) checks(p property, at search.Reached) bool {
	s := c.subject.Suite
	switch {
	case s == nil:
		return true
	case p.itself:
		return s.Run.Allows(at)
	}
	return s.Run.Checks(p.function, at)
}

// breaks reports whether a transaction with an outcome that led to a state, so far
// in a run, breaks a property.
func (c *Checker) breaks(p property, tx *input.Tx, o *evm.Outcome, after exec.State, at search.Reached) bool {
	if !c.checks(p, at) {
		return false
	}
	if p.itself {
		return (tx.To == p.address || p.anywhere) && tx.Function == p.function && c.subject.Suite.Breaks(tx, o, after.World) == p.function
	}
	return !c.holds(after, p)
}

// broken checks properties after the ith transaction.
func (c *Checker) broken(properties []property, tx *input.Tx, o *evm.Outcome, after exec.State, i int, at search.Reached) []Verdict {
	var broken []Verdict
	for _, p := range properties {
		if p.node == nil || !c.breaks(p, tx, o, after, at) {
			continue
		}
		v := c.brokenProperty(p)
		v.tx = i
		broken = append(broken, v)
	}
	return broken
}

func (c *Checker) brokenProperty(p property) Verdict {
	span := p.node.NameSpan(p.source.Text)
	b := program.Location{Place: c.subject.Program.PlaceOf(p.source, span), Source: p.source, Node: p.node, Text: p.function.Name}
	message := "the property `%s` does not hold"
	if p.itself {
		message = "`%s` fails"
	}
	report := oracle.Report{Oracle: &oracle.Assertion, Contract: p.address, Message: fmt.Sprintf(message, p.function.Name)}
	return Verdict{key: key{oracle.Assertion.Name, b.Place.File, span}, Location: b, report: report}
}

// violates reports whether r breaks a property, or leads to a state in which one
// does not hold. The path does not show that: it depends on values.
func (t *Triage) violates(r *search.Result) bool {
	after := exec.State{World: r.After, Block: r.At.Block.After(r.Sequence.Last().Delay)}
	if suite := t.checker.subject.Suite; suite != nil {
		if !r.Real() || suite.Rejects(&r.Outcome) {
			return false
		}
		at := suite.Next(reached(r.Sequence.Txs[:len(r.Sequence.Txs)-1]), r.Sequence.Last(), &r.Outcome, r.After)
		changed := r.Succeeded() || at.Calls == suite.Run.Depth || t.checker.run.executor.Waits(r.Sequence.Last(), &r.Outcome) // a call that fails ends a run, too
		return t.breaksItself(r, after, at) || changed && t.breaks(after, at)
	}
	if !r.Succeeded() || len(t.checker.properties) == 0 || !t.changes(r) {
		return false
	}
	return t.breaks(after, search.Reached{})
}

// reached returns how far some transactions are in a run, if none was rejected.
func reached(txs []input.Tx) (at search.Reached) {
	for i := range txs {
		if !program.IsProperty(txs[i].Function) {
			at.Calls++
		}
	}
	return at
}

// breaksItself reports whether the last transaction of r breaks the function that
// it calls, and that is not reported.
func (t *Triage) breaksItself(r *search.Result, after exec.State, at search.Reached) bool {
	tx := r.Sequence.Last()
	t.checker.addCreated(r.Sequence.Txs[len(r.Sequence.Txs)-1:])
	return slices.ContainsFunc(t.checker.properties, func(p property) bool {
		return p.itself && p.function == tx.Function && t.checker.breaks(p, tx, &r.Outcome, after, at) && t.isOpen(p)
	})
}

// isOpen reports whether a property can be reported and is not.
func (t *Triage) isOpen(p property) bool {
	return p.node != nil && !t.known.has(t.checker.brokenProperty(p).key)
}

// breaks reports whether a property that is not reported does not hold in a state,
// so far in a run.
func (t *Triage) breaks(s exec.State, at search.Reached) bool {
	return slices.ContainsFunc(t.checker.properties, func(p property) bool {
		return !p.itself && t.checker.checks(p, at) && t.isOpen(p) && !t.checker.holds(s, p)
	})
}

// changes reports whether r changed what a property may depend on: storage, the
// contract's wei or the time.
func (t *Triage) changes(r *search.Result) bool {
	under := t.checker.subject.Deployment.UnderTest().Address
	return len(r.Run.Writes) > 0 || r.Sequence.Last().Delay != (input.Delay{}) || r.After.Balance(under) != r.Before().Balance(under)
}
