package locals

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"leveret/solc"
	"leveret/solc/ast"
	"leveret/solc/version"
)

// A report is an event, put before a statement, that tells the value of one variable.
type report struct {
	variable string
	function string // "Vault.sol:Vault.withdraw"
	stored   bool   // it is a reference to storage
}

// A rewriter puts reports into the sources of a build.
type rewriter struct {
	build   *solc.Build
	emit    bool // events have a keyword, from 0.4.21
	second  bool // events may have structs and nested arrays, from 0.8.0
	thin    int
	seen    int
	without map[int]bool // functions, by id, that have no reports
	edits   map[*solc.Source][]edit
	reports []report          // by number
	texts   map[string][]byte // rewritten sources by path
	events  map[int][]string  // types of a contract's events, by its id
}

// An edit replaces n bytes of a source.
type edit struct {
	at, n int
	text  string
}

// eventName begins the names of events.
const eventName = "LeveretReport"

// rewrite puts reports of all parameters, return variables and locals that an event can
// have before each statement of a build, or one of thin of them.
func rewrite(b *solc.Build, without map[int]bool, thin int) *rewriter {
	v, _ := version.Parse(b.Version)
	r := &rewriter{
		build: b, emit: v.AtLeast(0, 4, 21), second: v.AtLeast(0, 8, 0), without: without, thin: thin,
		edits: map[*solc.Source][]edit{}, events: map[int][]string{}, texts: map[string][]byte{},
	}
	for _, s := range b.Sources {
		if s == nil || s.Unit == nil {
			continue
		}
		for _, f := range s.Unit.Root.Find(ast.FunctionDefinition, ast.ModifierDefinition, "FunctionTypeName") {
			if f.Contract() == nil {
				continue // a free function has no events
			}
			r.unview(s, f)
			if body := f.Child("body"); body != nil && !without[f.ID] && f.Type != "FunctionTypeName" {
				r.function(s, f, body)
			}
		}
		for _, c := range s.Unit.Root.Find(ast.ContractDefinition) {
			r.declare(s, c)
		}
		r.texts[s.Path] = r.apply(s)
	}
	return r
}

var mutability = regexp.MustCompile(`\b(view|pure|constant)\b`)

// unview lets a function write: events do.
func (r *rewriter) unview(s *solc.Source, f *ast.Node) {
	from, to := f.Span.Start, f.Span.End()
	if p := f.Child("parameters"); p != nil {
		from = p.Span.End()
	} else if p := f.Child("parameterTypes"); p != nil {
		from = p.Span.End()
	}
	if body := f.Child("body"); body != nil {
		to = body.Span.Start
	}
	if p := f.Child("returnParameters"); p != nil && p.Span.Length > 0 && p.Span.Start > from {
		to = min(to, p.Span.Start)
	}
	for _, m := range mutability.FindAllIndex(s.Text[from:max(from, to)], -1) {
		r.edits[s] = append(r.edits[s], edit{from + m[0], m[1] - m[0], ""})
	}
}

// function puts reports before the statements of a function.
func (r *rewriter) function(s *solc.Source, f, body *ast.Node) {
	body.Walk(func(n *ast.Node) bool {
		if n.Type == ast.InlineAssembly {
			return false
		}
		if n.Type == ast.Block || n.Type == ast.UncheckedBlock {
			for _, statement := range n.List("statements") {
				r.edits[s] = append(r.edits[s], edit{statement.Span.Start, 0, r.reportsAt(s, f, statement)})
			}
		}
		return true
	})
}

// reportsAt returns the reports of the variables in scope at a statement.
func (r *rewriter) reportsAt(s *solc.Source, f, statement *ast.Node) string {
	var text strings.Builder
	seen := map[string]bool{}
	visible := r.visible(f, statement)
	for _, d := range slices.Backward(visible) {
		name := d.Name()
		if name == "" || seen[name] {
			continue
		}
		seen[name] = true
		t := r.reportable(s, d)
		if r.seen++; t == "" || r.seen%r.thin > 0 {
			continue
		}
		c := f.Contract()
		k := slices.Index(r.events[c.ID], t)
		if k < 0 {
			k = len(r.events[c.ID])
			r.events[c.ID] = append(r.events[c.ID], t)
		}
		keyword := ""
		if r.emit {
			keyword = "emit "
		}
		fmt.Fprintf(&text, "%s%s%d_%d(%d, %s); ", keyword, eventName, c.ID, k, len(r.reports), name)
		r.reports = append(r.reports, report{name, s.Name + ":" + c.Name() + "." + cmp.Or(f.Name(), f.Kind()), stored(d)})
	}
	return text.String()
}

// visible returns the variables in scope at a statement of a function by the rules of the
// language, the innermost ones last.
func (r *rewriter) visible(f, statement *ast.Node) (list []*ast.Node) {
	for n := statement; n != f; n = n.Parent {
		var here []*ast.Node
		switch p := n.Parent; p.Type {
		case ast.Block, ast.UncheckedBlock:
			for _, c := range p.List("statements") {
				if c == n {
					break
				}
				here = append(here, assigned(c)...)
			}
		case ast.ForStatement:
			if first := p.Child("initializationExpression"); first != nil && first != n {
				here = assigned(first)
			}
		case ast.TryCatchClause:
			here = p.Parameters()
		}
		list = append(here, list...)
	}
	returns := slices.DeleteFunc(slices.Clone(f.Returns()), func(d *ast.Node) bool {
		return d.StorageLocation() == "calldata" || stored(d) // may be read only once assigned
	})
	return slices.Concat(f.Parameters(), returns, list)
}

// assigned returns the variables that a statement declares, without those that may be
// read only once they are assigned.
func assigned(n *ast.Node) (list []*ast.Node) {
	if n.Type != ast.VariableDeclarationStatement {
		return nil
	}
	for _, d := range n.List("declarations") {
		if n.Child("initialValue") != nil || d.StorageLocation() != "calldata" && !stored(d) {
			list = append(list, d)
		}
	}
	return list
}

// stored reports whether a variable is a reference to storage.
func stored(d *ast.Node) bool {
	return strings.HasSuffix(d.TypeIdentifier(), "_storage_ptr") || strings.HasSuffix(d.TypeString(), " storage pointer")
}

// reportable returns the type of a variable as written in its source; empty if no event
// can have it.
func (r *rewriter) reportable(s *solc.Source, d *ast.Node) string {
	name := d.Child("typeName")
	if name == nil || name.Span.Length <= 0 || !r.encodes(name, r.encodesAll(s), 0) {
		return ""
	}
	t := d.ValueType()
	text := string(s.Text[name.Span.Start:name.Span.End()])
	if t.Kind == ast.TypeAddress && t.Payable {
		text = "address"
	}
	return text
}

// encodesAll reports whether the events of a source may have structs and nested arrays.
func (r *rewriter) encodesAll(s *solc.Source) bool {
	return r.second || slices.ContainsFunc(s.Unit.Root.Find(ast.PragmaDirective), func(p *ast.Node) bool {
		words := strings.Join(p.Strings("literals"), " ")
		return strings.Contains(words, "ABIEncoderV2") || strings.Contains(words, "abicoder v2")
	})
}

// encodes reports whether an event can have a type.
func (r *rewriter) encodes(name *ast.Node, all bool, depth int) bool {
	switch name.Type {
	case ast.Mapping, ast.FunctionTypeName:
		return false
	case ast.ArrayTypeName:
		base := name.Child("baseType")
		dynamic := base.Type == ast.ArrayTypeName || base.ValueType().Kind == ast.TypeString || base.ValueType().Kind == ast.TypeBytes
		return (all || !dynamic) && r.encodes(base, all, depth)
	case ast.UserDefinedTypeName:
		d := r.build.Trees().Referenced(name)
		if d == nil || d.Type != ast.StructDefinition {
			return d != nil
		}
		return all && depth < 8 && !slices.ContainsFunc(d.List("members"), func(m *ast.Node) bool {
			return m.Child("typeName") == nil || !r.encodes(m.Child("typeName"), all, depth+1)
		})
	}
	return true
}

// declare adds the events of a contract to it.
func (r *rewriter) declare(s *solc.Source, c *ast.Node) {
	if len(r.events[c.ID]) == 0 {
		return
	}
	var text strings.Builder
	for k, t := range r.events[c.ID] {
		fmt.Fprintf(&text, " event %s%d_%d(uint256 report, %s value);", eventName, c.ID, k, t)
	}
	at := c.Span.End() - 1 // the brace
	r.edits[s] = append(r.edits[s], edit{at, 0, text.String()})
}

// apply returns a source with its edits.
func (r *rewriter) apply(s *solc.Source) []byte {
	edits := r.edits[s]
	slices.SortStableFunc(edits, func(a, b edit) int { return a.at - b.at })
	edits = slices.CompactFunc(edits, func(a, b edit) bool { return a == b && a.n > 0 }) // a function type in the head of a function
	r.edits[s] = edits
	var out bytes.Buffer
	from := 0
	for _, e := range edits {
		out.Write(s.Text[from:e.at])
		out.WriteString(e.text)
		from = e.at + e.n
	}
	out.Write(s.Text[from:])
	return out.Bytes()
}

// original returns the offset in a source of one in its rewritten text; within a report,
// that of what follows.
func (r *rewriter) original(s *solc.Source, at int) int {
	from, to := 0, 0 // in the source, in the text
	for _, e := range r.edits[s] {
		if to+e.at-from > at {
			break
		}
		to += e.at - from + len(e.text)
		from = e.at + e.n
		if at < to {
			return e.at
		}
	}
	return from + at - to
}
