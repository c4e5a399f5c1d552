package triage

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/program"
	"leveret/engine/search"
	"leveret/solc/ast"
)

// A property is a function of the contract under test that has to hold after
// every transaction: named invariant_…, echidna_… or property_…, without
// arguments. It fails if it returns false or reverts.
type property struct {
	function *input.Function
	address  common.Address
	node     *ast.Node // its FunctionDefinition; nil without an AST
}

func propertiesOf(s *search.Subject) []property {
	var list []property
	under := s.Deployment.UnderTest()
	for _, f := range s.Program.ABI(under.Contract).Functions {
		if program.IsProperty(f) {
			list = append(list, property{f, under.Address, s.Program.Definition(f)})
		}
	}
	return list
}

// holds executes a property on a copy of s.
func (c *Checker) holds(s exec.State, p property) bool {
	tx := input.Tx{From: input.Deployer, To: p.address, Function: p.function}
	_, outcome := c.transact(s, &tx, nil)
	switch {
	case outcome.Halt == evm.ErrCancelled:
		return true
	case outcome.Status != evm.Success:
		return false
	case len(p.function.Outputs) == 0:
		return true
	}
	return len(outcome.Return) < 32 || common.BytesToHash(outcome.Return[:32]) != common.Hash{}
}

// broken checks properties in the state after the ith transaction.
func (c *Checker) broken(properties []property, s exec.State, i int) []Verdict {
	var broken []Verdict
	for _, p := range properties {
		if p.node == nil || c.holds(s, p) {
			continue
		}
		v := c.brokenProperty(p)
		v.tx = i
		broken = append(broken, v)
	}
	return broken
}

func (c *Checker) brokenProperty(p property) Verdict {
	source := c.subject.Program.UnderTest.Build.Sources[p.node.Span.Source]
	span := p.node.NameSpan(source.Text)
	b := program.Location{Place: c.subject.Program.PlaceOf(source, span), Source: source, Node: p.node, Text: p.function.Name}
	report := oracle.Report{
		Oracle:   &oracle.Assertion,
		Contract: p.address,
		Message:  fmt.Sprintf("the property `%s` does not hold", p.function.Name),
	}
	return Verdict{key: key{oracle.Assertion.Name, b.Place.File, span}, Location: b, report: report}
}

// violates reports whether a property does not hold after r. The path does not
// show that: it depends on values.
func (t *Triage) violates(r *search.Result) bool {
	if !r.Succeeded() || len(t.checker.properties) == 0 || !t.changes(r) {
		return false
	}
	return t.breaks(exec.State{World: r.After, Block: r.At.Block.After(r.Sequence.Last().Delay)})
}

// breaks reports whether a property that is not reported does not hold in a state.
func (t *Triage) breaks(s exec.State) bool {
	for _, p := range t.checker.properties {
		reported := p.node == nil || t.known.has(t.checker.brokenProperty(p).key)
		if !reported && !t.checker.holds(s, p) {
			return true
		}
	}
	return false
}

// changes reports whether r changed what a property may depend on: storage, the
// contract's wei or the time.
func (t *Triage) changes(r *search.Result) bool {
	under := t.checker.subject.Deployment.UnderTest().Address
	return len(r.Run.Writes) > 0 || r.Sequence.Last().Delay != (input.Delay{}) || r.After.Balance(under) != r.Before().Balance(under)
}
