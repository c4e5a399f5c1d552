package session

import (
	"context"
	"time"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/solc"
	"leveret/solc/ast"
	"leveret/solc/srcmap"
)

// A TestMark is a test that a file declares, with its last result.
type TestMark struct {
	Contract  *Contract
	Analysis  *Analysis
	Node      *ast.Node // its definition
	Signature string
	Test      *finding.Test // nil: it has not run
}

// TestNodes returns the tests that a contract declares in one source, in their order
// there. It is empty for a contract that is not a test contract.
func (c *Contract) TestNodes(source int) (nodes []*ast.Node) {
	if c.Node == nil || !c.RunsTests() {
		return nil
	}
	tests := map[string]bool{}
	for _, t := range solc.Tests(c.Contract) {
		tests[t.Signature] = true
	}
	for _, n := range c.Node.Children {
		if n.Type == ast.FunctionDefinition && n.Span.Source == source && n.Child("body") != nil && tests[c.signature(n)] {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

func (c *Contract) signature(f *ast.Node) string {
	signature, _ := c.Build.Trees().Signature(f)
	return signature
}

// TestOf returns the last result of a test; nil if it has not run.
func (c *Contract) TestOf(f *ast.Node) *finding.Test {
	if len(c.Tests) == 0 {
		return nil
	}
	signature := c.signature(f)
	for i := range c.Tests {
		if c.Tests[i].Signature == signature {
			return &c.Tests[i]
		}
	}
	return nil
}

// TestAt returns the first test whose definition has a line in common with a range of
// the current text of a file; false if there is none.
func (s *Snapshot) TestAt(path string, at srcmap.Span) (TestMark, bool) {
	a, d := s.Analyses[path], s.Document(path)
	if a == nil || d == nil || a.Build == nil {
		return TestMark{}, false
	}
	source := a.Build.PathSource(path)
	if source == nil {
		return TestMark{}, false
	}
	for _, c := range a.Contracts {
		for _, n := range c.TestNodes(source.ID) {
			if now, ok := s.Move(a, path, n.Span); ok && d.ShareLine(now, at) {
				return TestMark{c, a, n, c.signature(n), c.TestOf(n)}, true
			}
		}
	}
	return TestMark{}, false
}

func touches(a, b srcmap.Span) bool { return a.Start <= b.End() && b.Start <= a.End() }

// FailureOf returns the finding of a test that fails; false if it does not.
func (s *Snapshot) FailureOf(t TestMark) (ContractMark, bool) {
	for _, m := range t.Contract.Marks {
		if m.Finding.Oracle == engine.TestOracle && m.Finding.Function == t.Signature {
			return ContractMark{m, t.Contract, t.Analysis}, true
		}
	}
	return ContractMark{}, false
}

// chosen returns the signatures of the tests in the ranges that a request chose. It is
// empty if they have none, or if tests of the contract have no result yet: then all run.
func (p *plan) chosen(c *Contract) (signatures []string) {
	source := p.build.PathSource(p.path)
	if source == nil || !c.complete {
		return nil
	}
	for _, n := range c.TestNodes(source.ID) {
		for _, span := range p.spans {
			if touches(n.Span, span) {
				signatures = append(signatures, c.signature(n))
				break
			}
		}
	}
	return signatures
}

// runChosen runs some tests of a contract and keeps the results of the others.
func (e *campaigns) runChosen(ctx context.Context, p *plan, c *Contract, signatures []string, budget time.Duration) {
	set := e.store.snapshot().SettingsFor(p.path)
	e.store.setActivity(Activity{Kind: UnitTests, Path: p.path, Contract: c.Name, Budget: budget, Left: budget})
	options := engine.Options{Time: budget, MaxInputs: e.MaxInputs, Seed: set.Seed, Workers: set.Threads()}
	options.Tests.Names = signatures
	e.run(ctx, p, c, e.Fuzz, options)
	e.store.updateContract(p.path, c, func(c *Contract, _ *Snapshot) { c.running = false })
}
