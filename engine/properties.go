package engine

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/program"
	"leveret/solc/ast"
)

// A property is a function of the contract under test that has to hold after
// every transaction (ORACLES.md, assertion): named invariant_…, echidna_… or
// property_…, without arguments. It fails if it returns false or reverts.
type property struct {
	function *input.Function
	address  common.Address
	node     *ast.Node // its FunctionDefinition; nil without a tree
}

// findProperties lists the properties of the contract under test.
func (c *campaign) findProperties() []property {
	var list []property
	under := c.base.UnderTest()
	for _, f := range c.program.ABI(under.Contract).Functions {
		if program.IsProperty(f) {
			list = append(list, property{f, under.Address, c.program.Definition(f)})
		}
	}
	return list
}

// holds runs a property on a copy of s.
func (j *judge) holds(s exec.State, p property) bool {
	tx := input.Tx{From: input.Deployer, To: p.address, Function: p.function}
	_, outcome := j.executor.Transact(s, &tx, nil, nil)
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

// broken checks properties in the state after the ith Tx.
func (j *judge) broken(properties []property, s exec.State, i int) []verdict {
	var broken []verdict
	for _, p := range properties {
		if p.node == nil || j.holds(s, p) {
			continue
		}
		v := j.brokenProperty(p)
		v.tx = i
		broken = append(broken, v)
	}
	return broken
}

func (j *judge) brokenProperty(p property) verdict {
	source := j.program.UnderTest.Build.Sources[p.node.Span.Source]
	span := p.node.NameSpan(source.Text)
	b := program.Location{Place: j.program.PlaceOf(source, span), Source: source, Node: p.node, Text: p.function.Name}
	report := oracle.Report{
		Oracle:   &oracle.Assertion,
		Contract: p.address,
		Message:  fmt.Sprintf("the property `%s` does not hold", p.function.Name),
	}
	return verdict{key: key{oracle.Assertion.Name, b.Place.File, span}, Location: b, report: report}
}
