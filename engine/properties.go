package engine

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/solc"
	"leveret/solc/ast"
	"leveret/solc/srcmap"
)

// A property is a function of the contract under test that has to hold after
// every transaction (ORACLES.md, assertion): named invariant_…, echidna_… or
// property_…, without arguments. It fails if it returns false or reverts.
type property struct {
	function *input.Function
	address  common.Address
	node     *ast.Node // its FunctionDefinition; nil without a tree
}

var propertyPrefixes = []string{"invariant_", "echidna_", "property_"}

func isProperty(f *input.Function) bool {
	if f == nil || len(f.Inputs) > 0 || f.Raw || f.Constructor {
		return false
	}
	for _, prefix := range propertyPrefixes {
		if strings.HasPrefix(f.Name, prefix) {
			return true
		}
	}
	return false
}

// findProperties lists the properties of the contract under test.
func (c *campaign) findProperties() []property {
	var list []property
	under := c.base.under()
	for _, f := range c.program.abi(under.contract).Functions {
		if isProperty(f) {
			list = append(list, property{f, under.address, c.program.definition(f)})
		}
	}
	return list
}

// definition finds where f is written, in the contract under test or in one
// that it inherits from.
func (p *program) definition(f *input.Function) *ast.Node {
	for _, n := range functionsOf(p.under) {
		if n.Name() == f.Name && n.Child("body") != nil {
			return n
		}
	}
	return nil
}

// inherits reports whether c is, or inherits from, the contract that n defines.
func inherits(c *solc.Contract, n *ast.Node) bool {
	return c.Node != nil && (n == c.Node || slices.Contains(c.Node.Bases(), n.ID))
}

// holds runs a property on a copy of s.
func (j *judge) holds(s state, p property) bool {
	tx := input.Tx{From: input.Deployer, To: p.address, Function: p.function}
	_, outcome := j.executor.transact(s, &tx, nil, nil)
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
func (j *judge) broken(properties []property, s state, i int) []verdict {
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
	source := j.program.under.Build.Sources[p.node.Span.Source]
	span := nameSpan(p.node, source.Text)
	b := blamed{place: j.program.placeOf(source, span), source: source, node: p.node, text: p.function.Name}
	report := oracle.Report{
		Oracle:   &oracle.Assertion,
		Contract: p.address,
		Message:  fmt.Sprintf("the property `%s` does not hold", p.function.Name),
	}
	return verdict{key: key{oracle.Assertion.Name, b.place.File, span}, blamed: b, report: report}
}

// nameSpan is where a definition's name stands, or the word that introduces it
// if it has none.
func nameSpan(n *ast.Node, text []byte) srcmap.Span {
	span, word := n.Span, `\w+`
	if name := n.Attr("name"); name != "" {
		word = regexp.QuoteMeta(name)
	}
	whole := regexp.MustCompile(`(?:^|[^\w$])(` + word + `)(?:$|[^\w$])`)
	if at := whole.FindSubmatchIndex(text[span.Start:span.End()]); at != nil {
		span.Start, span.Length = span.Start+at[2], at[3]-at[2]
	}
	return span
}
