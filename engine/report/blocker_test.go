package report

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"leveret/engine/finding"
	"leveret/solc"
	"leveret/solc/ast"
	"leveret/solc/srcmap"
)

// A contract that was hardly covered is shown with the condition that stopped most inputs.
func TestBlocker(t *testing.T) {
	code := "if (ready) {\nrevert(); }\nrun();\nrequire(!locked);\nlock();\nif (x == " + strings.Repeat("1", 200) + ")\n{ a(); }\nb();\n"
	span := func(from string) srcmap.Span {
		at := strings.Index(code, from)
		return srcmap.Span{Start: at, Length: strings.Index(code[at:], ";")}
	}
	once := [2]finding.BranchOutcome{{Taken: true}, {}}
	file := finding.FileCoverage{
		File: "src/A.sol",
		Lines: []finding.LineCoverage{
			{Line: 1, Total: 1, Hits: 700}, {Line: 2, Total: 1, Hits: 700}, {Line: 3, Total: 1},
			{Line: 4, Total: 1, Hits: 900}, {Line: 5, Total: 1, Hits: 900},
			{Line: 6, Total: 1, Hits: 800}, {Line: 7, Total: 1, Hits: 800}, {Line: 8, Total: 1, Hits: 300},
		},
		Branches: []finding.BranchCoverage{{Line: 1, Span: span("if (ready"), Outcomes: once}, {Line: 4, Span: span("require"), Outcomes: once}, {Line: 6, Span: span("if (x"), Outcomes: once}},
	}
	library := file
	library.File = "lib/B.sol"
	const proven = "if (\n!proven(\nleaf,\nproof)\n) revert();\nrun();"
	long := finding.FileCoverage{
		File: "src/C.sol",
		Lines: []finding.LineCoverage{
			{Line: 1, Total: 1, Hits: 700}, {Line: 2, Total: 1, Hits: 700}, {Line: 3, Total: 1, Hits: 700}, {Line: 4, Total: 1, Hits: 700},
			{Line: 5, Total: 1, Hits: 700}, {Line: 6, Total: 1},
		},
		Branches: []finding.BranchCoverage{{Line: 1, Span: srcmap.Span{Length: strings.Index(proven, ";"), Source: 3}, Outcomes: once}},
	}
	statement := &ast.Node{Type: ast.IfStatement, Span: long.Branches[0].Span, Children: []*ast.Node{
		{Role: "condition", Span: srcmap.Span{Start: 5, Length: strings.Index(proven, "\n)") - 5, Source: 3}},
	}}
	unit := &ast.Unit{Root: &ast.Node{Type: ast.SourceUnit, Span: srcmap.Span{Length: len(proven), Source: 3}, Children: []*ast.Node{statement}}}
	// A condition and a statement of which the calls fail, and a condition beside another.
	const calls = "require(a.b());\ni++;\nj++;\nuint c = d.e();\nf(c);\nif (g) h();\n"
	within := func(text string) srcmap.Span {
		return srcmap.Span{Start: strings.Index(calls, text), Length: len(text), Source: 5}
	}
	node := func(kind, role, text string, children ...*ast.Node) *ast.Node {
		return &ast.Node{Type: kind, Role: role, Span: within(text), Children: children}
	}
	block := node(ast.Block, "", calls,
		node(ast.ExpressionStatement, "statements", "require(a.b())", node(ast.FunctionCall, "expression", "require(a.b())")),
		node(ast.VariableDeclarationStatement, "statements", "uint c = d.e()"),
		node(ast.ExpressionStatement, "statements", "f(c)"),
		node(ast.IfStatement, "statements", "if (g) h();", node(ast.Identifier, "condition", "g")))
	function := node(ast.FunctionDefinition, "", calls, block)
	block.Parent = function
	for _, s := range block.Children {
		s.Parent = block
	}
	failing := finding.FileCoverage{
		File: "src/D.sol",
		Lines: []finding.LineCoverage{
			{Line: 1, Total: 1, Hits: 600}, {Line: 2, Total: 1, Hits: 500}, {Line: 3, Total: 1, Hits: 500}, {Line: 4, Total: 1, Hits: 500},
			{Line: 5, Total: 1}, {Line: 6, Total: 1},
		},
		Branches: []finding.BranchCoverage{{Line: 1, Span: within("require(a.b())"), Outcomes: once}, {Line: 6, Span: within("if (g) h();")}},
	}
	build := &solc.Build{Sources: []*solc.Source{
		nil, {Name: "src/A.sol", Text: []byte(code)}, {Name: "lib/B.sol", Text: []byte(code), Library: true},
		{Name: "src/C.sol", Text: []byte(proven), Unit: unit}, {Name: "src/Other.sol", Text: []byte(code)},
		{Name: "src/D.sol", Text: []byte(calls), Unit: &ast.Unit{Root: function}},
	}}
	contract := &solc.Contract{Build: build}
	for _, source := range []int{0, 1, 2, 3, 5} {
		contract.Runtime.Map = append(contract.Runtime.Map, srcmap.Entry{Span: srcmap.Span{Source: source}})
	}
	others := file
	others.File = "src/Other.sol"
	for _, row := range []struct {
		name  string
		tune  func(*finding.Result)
		files []finding.FileCoverage
		want  string
	}{
		{"stopped", nil, []finding.FileCoverage{file}, "A: few branches were reached: `if (ready) { revert()` (src/A.sol:1) had one outcome only, in 700 inputs.\n"},
		{"cut", func(r *finding.Result) { r.Coverage.Files[0].Lines[7].Hits = 0 }, []finding.FileCoverage{file},
			"A: few branches were reached: `if (x == " + strings.Repeat("1", 62) + "…` (src/A.sol:6) had one outcome only, in 800 inputs.\n"},
		{"few met it", func(r *finding.Result) { r.Stats.Inputs = 90000 }, []finding.FileCoverage{file}, ""},
		{"over lines", nil, []finding.FileCoverage{long}, "A: few branches were reached: `!proven( leaf, proof)` (src/C.sol:1) had one outcome only, in 700 inputs.\n"},
		{"a statement fails", nil, []finding.FileCoverage{failing}, "A: few branches were reached: `uint c = d.e()` (src/D.sol:4) always reverted, in 500 inputs.\n"},
		{"a condition fails", func(r *finding.Result) { r.Coverage.Files[0].Branches = without(failing.Branches) }, []finding.FileCoverage{failing},
			"A: few branches were reached: `require(a.b())` (src/D.sol:1) always reverted, in 600 inputs.\n"},
		{"a condition beside another", func(r *finding.Result) {
			r.Coverage.Files[0].Branches = append(without(failing.Branches), failing.Branches[0])
		}, []finding.FileCoverage{failing}, "A: few branches were reached: `uint c = d.e()` (src/D.sol:4) always reverted, in 500 inputs.\n"},
		{"merged with other code", func(r *finding.Result) { r.Coverage.Files[0].Lines[3].Hits = 700 }, []finding.FileCoverage{failing}, ""},
		{"all was run", func(r *finding.Result) { r.Coverage.Files[0].Lines[4].Hits = 1 }, []finding.FileCoverage{failing}, ""},
		{"of a shorter text", func(r *finding.Result) {
			r.Coverage.Files[0].Branches = []finding.BranchCoverage{{Line: 1, Span: srcmap.Span{Start: 1, Length: len(code)}, Outcomes: once}}
		}, []finding.FileCoverage{file}, ""},
		{"of a dependency", nil, []finding.FileCoverage{library}, ""},
		{"of another contract", nil, []finding.FileCoverage{others}, ""},
		{"few inputs", func(r *finding.Result) { r.Stats.Inputs = 999 }, []finding.FileCoverage{file}, ""},
		{"half of the branches", func(r *finding.Result) { r.Stats.Branches.Covered = 6 }, []finding.FileCoverage{file}, ""},
		{"no coverage", func(r *finding.Result) { r.Coverage = nil }, nil, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			result := finding.Result{Name: "A", Coverage: &finding.CoverageReport{}}
			for _, f := range row.files {
				f.Lines = append([]finding.LineCoverage{}, f.Lines...)
				result.Coverage.Files = append(result.Coverage.Files, f)
			}
			result.Stats.Inputs, result.Stats.Branches.Covered, result.Stats.Branches.Total = 1000, 5, 12
			if row.tune != nil {
				row.tune(&result)
			}
			var b bytes.Buffer
			to := &text{Writer: bufio.NewWriter(&b)}
			to.blocker(&Contract{Result: result, Blocker: BlockerOf(contract, result.Stats, result.Coverage)})
			to.Flush()
			if b.String() != row.want {
				t.Errorf("got  %s\nwant %s", b.String(), row.want)
			}
		})
	}
}

// without returns branches without their outcomes.
func without(branches []finding.BranchCoverage) (list []finding.BranchCoverage) {
	for _, b := range branches {
		b.Outcomes = [2]finding.BranchOutcome{}
		list = append(list, b)
	}
	return list
}
