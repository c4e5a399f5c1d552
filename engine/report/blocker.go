package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"leveret/engine/finding"
	"leveret/solc"
	"leveret/solc/ast"
	"leveret/solc/srcmap"

	"github.com/dustin/go-humanize/english"
)

// A contract was hardly covered if inputs of that many reached fewer than half of its
// branches, of which there are that many or more. A condition stopped it if one input of
// that many met it.
const (
	blockedInputs   = 1000
	blockedBranches = 10
	blockedShare    = 100
)

// A Blocker is a condition of the project that had one outcome only, or a condition or
// statement that always failed, with code behind it that did not run. Its JSON format leaves
// the Source out.
type Blocker struct {
	Source    *solc.Source `json:"-"`
	Span      srcmap.Span  `json:"-"`                // of the condition
	File      string       `json:"file"`             // source unit
	Line      int          `json:"line"`             // 1-based, of the statement
	Condition string       `json:"condition"`        // or statement, on one line, shortened
	Failed    bool         `json:"failed,omitempty"` // what it calls or computes always reverted
	Inputs    int          `json:"inputs"`           // that ran its line
}

// Sentence says why a contract was hardly covered; place names the file and line.
func (b *Blocker) Sentence(place string) string {
	did := "had one outcome only"
	if b.Failed {
		did = "always reverted"
	}
	return fmt.Sprintf("few branches were reached: `%s` (%s) %s, in %s", b.Condition, place, did, english.Plural(b.Inputs, "input", ""))
}

// BlockerOf returns the one in the code of a contract that most inputs met, if the contract
// was hardly covered; nil if not, or if there is none.
func BlockerOf(c *solc.Contract, s finding.Stats, coverage *finding.CoverageReport) *Blocker {
	if coverage == nil || s.Inputs < blockedInputs || s.Branches.Total < blockedBranches || 2*s.Branches.Covered >= s.Branches.Total {
		return nil
	}
	own := map[*solc.Source]bool{}
	for _, e := range c.Runtime.Map {
		if e.Source >= 0 && e.Source < len(c.Build.Sources) {
			own[c.Build.Sources[e.Source]] = true
		}
	}
	most := &Blocker{Inputs: s.Inputs/blockedShare - 1}
	for _, f := range coverage.Files {
		source := c.Build.Source(f.File)
		if source == nil || source.Library || !own[source] {
			continue
		}
		lines := srcmap.NewLines(source.Text)
		for _, b := range f.Branches {
			if b.Taken() != 1 || spanned(source.Text, b.Span) == nil {
				continue
			}
			condition := conditionOf(source, b.Span)
			if passed(source, lines, &f, b.Span) {
				continue
			}
			if n := stopped(f.Lines, b.Line, lines.Line(condition.End())); n > most.Inputs && !merged(source, lines, &f, b.Span) {
				most = &Blocker{Source: source, Span: condition, File: f.File, Line: b.Line, Inputs: n}
			}
		}
		for _, span := range failing(source, lines, &f) {
			line := lines.Line(span.Start)
			if n := on(f.Lines, line).Hits; n > most.Inputs && !merged(source, lines, &f, span) {
				most = &Blocker{Source: source, Span: span, File: f.File, Line: line, Failed: true, Inputs: n}
			}
		}
	}
	if most.Source == nil {
		return nil
	}
	most.Condition = srcmap.Excerpt(spanned(most.Source.Text, most.Span))
	return most
}

// conditionOf returns the condition of the statement with a span, or the span of what
// has none, such as a call of require.
func conditionOf(source *solc.Source, span srcmap.Span) srcmap.Span {
	if source.Unit != nil {
		for _, n := range source.Unit.Exact(span) {
			if condition := n.Child("condition"); condition != nil {
				return condition.Span
			}
		}
	}
	return span
}

// fewLines is how many lines with code an if may have that stops nobody if it is left out.
const fewLines = 2

// passed reports whether a span is that of an if with little in it, as a guard that reverts, and
// inputs went on behind it.
func passed(source *solc.Source, lines *srcmap.Lines, f *finding.FileCoverage, span srcmap.Span) bool {
	if source.Unit == nil {
		return false
	}
	nodes := source.Unit.Exact(span)
	at := slices.IndexFunc(nodes, func(n *ast.Node) bool { return n.Type == ast.IfStatement })
	if at < 0 {
		return false
	}
	n := nodes[at]
	body := n.Child("trueBody")
	if body == nil || n.Child("falseBody") != nil || len(codeOf(body, lines, f)) > fewLines {
		return false
	}
	list := n.Parent.List("statements")
	if i := slices.Index(list, n); i >= 0 && i+1 < len(list) {
		return !missed(codeOf(list[i+1], lines, f))
	}
	return missed(codeOf(body, lines, f))
}

// merged reports whether more inputs ran the first line of a span than the first line of its
// function: the optimizer has merged it with other code, such as what reverts.
func merged(source *solc.Source, lines *srcmap.Lines, f *finding.FileCoverage, span srcmap.Span) bool {
	if source.Unit == nil {
		return false
	}
	nodes := source.Unit.Exact(span)
	if len(nodes) == 0 {
		return false
	}
	function := nodes[0].Enclosing(ast.FunctionDefinition)
	if function == nil {
		return false
	}
	code := codeOf(function, lines, f)
	return len(code) > 0 && code[0].Hits < on(f.Lines, lines.Line(span.Start)).Hits
}

// codeOf returns the lines of a node that have code.
func codeOf(n *ast.Node, lines *srcmap.Lines, f *finding.FileCoverage) []finding.LineCoverage {
	return f.Lines[from(f.Lines, lines.Line(n.Span.Start)):from(f.Lines, lines.Line(n.Span.End()-1)+1)]
}

// failing returns the conditions that were begun and have no outcome, and the statements that
// were begun and behind which no statement was. What calls an internal function is left out, as
// the failure is there.
func failing(source *solc.Source, lines *srcmap.Lines, f *finding.FileCoverage) (spans []srcmap.Span) {
	if source.Unit == nil {
		return nil
	}
	decided := map[int]bool{} // lines on which a condition has outcomes
	for _, b := range f.Branches {
		if b.Taken() > 0 {
			decided[b.Line] = true
		}
	}
	for _, b := range f.Branches {
		if b.Taken() > 0 || decided[b.Line] || spanned(source.Text, b.Span) == nil {
			continue
		}
		condition := conditionOf(source, b.Span)
		if nodes := source.Unit.Exact(condition); len(nodes) > 0 && len(callsIn(nodes[0])) > 0 && !callsInternal(nodes[0]) {
			spans = append(spans, condition)
		}
	}
	stops, stopped := map[int]int{}, []int{} // by function: how many calls were begun, if any, and ended the caller
	for _, block := range source.Unit.Root.Find(ast.Block, ast.UncheckedBlock) {
		list := block.List("statements")
		for i, s := range list[:max(0, len(list)-1)] {
			line := lines.Line(s.Span.Start)
			if s.Type != ast.ExpressionStatement && s.Type != ast.VariableDeclarationStatement || decided[line] || !missed(codeOf(list[i+1], lines, f)) {
				continue
			}
			if called := onlyCall(s); called != 0 {
				stops[called]++
				if on(f.Lines, line).Hits > 0 {
					stopped = append(stopped, called)
				}
			} else if !callsInternal(s) {
				spans = append(spans, s.Span)
			}
		}
	}
	for ; len(stopped) > 0; stopped = stopped[1:] {
		called := stopped[0]
		s := last(source.Unit, called, stops[called])
		if s == nil || decided[lines.Line(s.Span.Start)] {
			continue
		}
		if next := onlyCall(s); next == 0 && !callsInternal(s) {
			spans = append(spans, s.Span)
		} else if stops[next] == 0 {
			stops[next]++
			stopped = append(stopped, next)
		}
	}
	return spans
}

// callsIn lists the calls in n that may fail by what they call.
func callsIn(n *ast.Node) []*ast.Node {
	return slices.DeleteFunc(n.Find(ast.FunctionCall), func(n *ast.Node) bool {
		return n.Kind() == "typeConversion" || n.IsBuiltin("require", "assert")
	})
}

// onlyCall returns the ID of the function of its own contract or library that a statement
// calls, if it calls nothing else; 0 if not.
func onlyCall(statement *ast.Node) int {
	if calls := callsIn(statement); len(calls) == 1 && callsInternal(calls[0]) {
		return calls[0].Callee().Refers()
	}
	return 0
}

// last returns the last statement of a function if it calls anything and nobody but so many
// calls in its unit reach it; nil if not.
func last(unit *ast.Unit, function, calls int) (statement *ast.Node) {
	for _, n := range unit.Root.Find(ast.FunctionCall) {
		if callee := n.Callee(); callee != nil && callee.Refers() == function {
			calls--
		}
	}
	for _, n := range unit.Root.Find(ast.FunctionDefinition) {
		if n.ID != function || calls != 0 || n.Visibility() != "internal" && n.Visibility() != "private" {
			continue
		}
		if list := n.Child("body").List("statements"); len(list) > 0 {
			statement = list[len(list)-1]
		}
	}
	if statement == nil || !slices.Contains([]string{ast.ExpressionStatement, ast.VariableDeclarationStatement, ast.Return}, statement.Type) || len(callsIn(statement)) == 0 {
		return nil
	}
	return statement
}

// callsInternal reports whether n calls a function of its own contract or library.
func callsInternal(n *ast.Node) bool {
	return slices.ContainsFunc(n.Find(ast.FunctionCall), func(call *ast.Node) bool {
		callee := call.Callee()
		return callee != nil && strings.HasPrefix(callee.TypeIdentifier(), "t_function_internal_")
	})
}

// from returns the index of the first line with code that is not above line.
func from(lines []finding.LineCoverage, line int) int {
	i, _ := slices.BinarySearchFunc(lines, line, func(l finding.LineCoverage, line int) int { return cmp.Compare(l.Line, line) })
	return i
}

// on returns the coverage of a line; nothing if it has no code.
func on(lines []finding.LineCoverage, line int) finding.LineCoverage {
	if i := from(lines, line); i < len(lines) && lines[i].Line == line {
		return lines[i]
	}
	return finding.LineCoverage{}
}

// missed reports whether none of the code of some lines ran, and there is some. The first line of
// a statement may have only what is done last, as the variables that take results.
func missed(code []finding.LineCoverage) bool {
	return len(code) > 0 && !slices.ContainsFunc(code, func(l finding.LineCoverage) bool { return l.Hits > 0 })
}

// stopped returns how many inputs ran the first line of a condition of which none got to
// the second one after its last line, as the next one may be a revert; 0 if one did.
func stopped(lines []finding.LineCoverage, first, last int) int {
	behind := from(lines, last+1)
	for _, next := range lines[behind:min(behind+2, len(lines))] {
		if next.Hits == 0 {
			return on(lines, first).Hits
		}
	}
	return 0
}

// blocker prints why a contract may have been hardly covered.
func (t *text) blocker(c *Contract) {
	b := c.Blocker
	if b == nil {
		return
	}
	t.printf("%s: %s.\n", c.Name, b.Sentence(fmt.Sprintf("%s:%d", t.options.File(finding.Place{File: b.File, Path: b.Source.Path}), b.Line)))
}
