package present

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/lsp/session"
	"leveret/solc"
	"leveret/solc/ast"
	"leveret/solc/scan"
	"leveret/solc/srcmap"
)

// A toy is a fake compiler and engine whose results depend only on the text.
// Its language is
//
//	import A;
//	contract B is A {
//	    function f() {
//	        note why;
//	        bug x;
//	        leak y;
//	    }
//	}
//
// A contract's code is its tokens and those of its base, without notes. Each
// bug and leak is a finding whose message quotes the function's note.
type toy struct {
	builds sync.Map // *solc.Build -> *toyBuild

	mu   sync.Mutex
	gate chan struct{} // campaigns wait for it to be closed; nil: they do not
}

// shut makes campaigns wait, or resumes them.
func (w *toy) shut(on bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case on && w.gate == nil:
		w.gate = make(chan struct{})
	case !on && w.gate != nil:
		close(w.gate)
		w.gate = nil
	}
}

// A toyContract is a contract as the toy parses it.
type toyContract struct {
	name, base string
	node       map[string]any
	code       string
	functions  []toyFunction
	source     *solc.Source
}

type toyFunction struct {
	name, note string
	noteAt     srcmap.Span
	bugs       []toyBug
}

type toyBug struct {
	oracle, name string
	at           srcmap.Span
}

// A toyParser reads the tokens of one source.
type toyParser struct {
	source    *solc.Source
	tokens    []srcmap.Span
	at        int
	next      *int // node id
	imports   []string
	contracts []*toyContract
	failed    error
}

func (p *toyParser) word() string {
	if p.at >= len(p.tokens) {
		return ""
	}
	t := p.tokens[p.at]
	return string(p.source.Text[t.Start:t.End()])
}

func (p *toyParser) take() string {
	word := p.word()
	p.at++
	return word
}

func (p *toyParser) want(words ...string) {
	for _, word := range words {
		if got := p.take(); got != word && p.failed == nil {
			p.at--
			line := srcmap.NewLines(p.source.Text).OffsetPosition(p.here()).Line
			p.failed = &solc.Failure{Kind: solc.CompileError, File: p.source.Path, Line: line, Sentence: fmt.Sprintf("expected %q, got %q", word, got)}
		}
	}
}

func (p *toyParser) name() string {
	if word := p.word(); word == "" || word[0] < 'a' || word[0] > 'z' {
		if word == "" || word[0] < 'A' || word[0] > 'Z' {
			p.want("a name")
		}
	}
	return p.take()
}

func (p *toyParser) here() int {
	if p.at < len(p.tokens) {
		return p.tokens[p.at].Start
	}
	return len(p.source.Text)
}

func (p *toyParser) span(from int) srcmap.Span {
	end := p.tokens[min(p.at, len(p.tokens))-1].End()
	return srcmap.Span{Source: p.source.ID, Start: from, Length: end - from}
}

func (p *toyParser) node(kind, name string, from int, more map[string]any) map[string]any {
	*p.next++
	s := p.span(from)
	node := map[string]any{"nodeType": kind, "id": *p.next, "src": fmt.Sprintf("%d:%d:%d", s.Start, s.Length, s.Source), "name": name}
	for key, value := range more {
		node[key] = value
	}
	return node
}

func (p *toyParser) unit() {
	for p.at < len(p.tokens) && p.failed == nil {
		if p.word() == "import" {
			p.take()
			p.imports = append(p.imports, p.name())
			p.want(";")
			continue
		}
		p.contract()
	}
}

func (p *toyParser) contract() {
	from := p.here()
	p.want("contract")
	c := &toyContract{name: p.name(), source: p.source}
	if p.word() == "is" {
		p.take()
		c.base = p.name()
	}
	p.want("{")
	var members []any
	for p.word() == "function" && p.failed == nil {
		members = append(members, p.function(c))
	}
	p.want("}")
	if p.failed == nil {
		c.node = p.node("ContractDefinition", c.name, from, map[string]any{"contractKind": "contract", "nodes": members})
		p.contracts = append(p.contracts, c)
	}
}

func (p *toyParser) function(c *toyContract) any {
	from := p.here()
	p.want("function")
	f := toyFunction{name: p.name()}
	p.want("(", ")")
	body := p.here()
	p.want("{")
	c.code += "function " + f.name + "\n"
	for p.failed == nil && p.word() != "}" {
		at, kind := p.here(), p.take()
		name := p.name()
		if p.failed != nil {
			break
		}
		span := p.span(at)
		p.want(";")
		switch kind {
		case "note":
			f.note, f.noteAt = name, span
		case "bug", "leak":
			f.bugs = append(f.bugs, toyBug{kind, name, span})
			c.code += kind + " " + name + "\n"
		default:
			p.at = len(p.tokens)
			p.want("a statement")
		}
	}
	p.want("}")
	if p.failed != nil {
		return nil
	}
	c.functions = append(c.functions, f)
	return p.node("FunctionDefinition", f.name, from, map[string]any{
		"kind": "function", "visibility": "public", "body": p.node("Block", "", body, nil),
		"parameters": p.node("ParameterList", "", body, map[string]any{"parameters": []any{}}),
	})
}

// A toyBuild is the compiled form of one file and its imports.
type toyBuild struct {
	*solc.Build
	contracts []*toyContract
	ids       int
}

func (w *toy) compile(ctx context.Context, source session.SourceFile) (*solc.Build, error) {
	b := &toyBuild{Build: &solc.Build{}}
	if err := b.gather(source, source.File); err != nil {
		return nil, err
	}
	for _, c := range b.contracts {
		code := ""
		for of, depth := c, 0; of != nil && depth < 10; of, depth = b.find(of.base), depth+1 {
			code += of.name + "\n" + of.code
		}
		compiled := &solc.Contract{Name: c.name, File: c.source.Name, Kind: solc.KindContract, Build: b.Build, Creation: solc.Code{Object: []byte(code)}}
		if c.source.Unit != nil {
			for _, n := range c.source.Unit.Root.Children {
				if n.Attr("name") == c.name {
					compiled.Node = n
				}
			}
		}
		b.Contracts = append(b.Contracts, compiled)
	}
	w.builds.Store(b.Build, b)
	return b.Build, ctx.Err()
}

func (b *toyBuild) gather(source session.SourceFile, path string) error {
	if b.PathSource(path) != nil {
		return nil
	}
	text, ok := source.Overlay[path]
	if !ok {
		var err error
		if text, err = os.ReadFile(path); err != nil {
			return &solc.Failure{Kind: solc.CompileError, File: source.File, Sentence: filepath.Base(path) + " was not found"}
		}
	}
	s := &solc.Source{ID: len(b.Sources), Name: filepath.Base(path), Path: path, Text: text}
	b.Sources = append(b.Sources, s)
	p := &toyParser{source: s, tokens: scan.Tokens(text), next: &b.ids}
	p.unit()
	if p.failed != nil {
		return p.failed
	}
	var nodes []any
	for _, c := range p.contracts {
		if b.find(c.name) != nil {
			return &solc.Failure{Kind: solc.CompileError, File: path, Sentence: c.name + " is declared twice"}
		}
		nodes = append(nodes, c.node)
		b.contracts = append(b.contracts, c)
	}
	b.ids++
	raw, err := json.Marshal(map[string]any{"nodeType": "SourceUnit", "id": b.ids, "src": fmt.Sprintf("0:%d:%d", len(text), s.ID), "nodes": nodes})
	if err != nil {
		return err
	}
	if s.Unit, err = ast.Read(raw); err != nil {
		return err
	}
	for _, name := range p.imports {
		if err := b.gather(source, filepath.Join(filepath.Dir(path), name+".sol")); err != nil {
			return err
		}
	}
	return nil
}

func (b *toyBuild) find(name string) *toyContract {
	for _, c := range b.contracts {
		if c.name == name {
			return c
		}
	}
	return nil
}

// findings returns the findings of a contract and its bases.
func (b *toyBuild) findings(name string) []*finding.Finding {
	var list []*finding.Finding
	seen := map[string]bool{}
	for c, depth := b.find(name), 0; c != nil && depth < 10; c, depth = b.find(c.base), depth+1 {
		place := func(s srcmap.Span) finding.Place {
			lines := srcmap.NewLines(c.source.Text)
			return finding.Place{File: c.source.Name, Path: c.source.Path, Span: s, Start: lines.OffsetPosition(s.Start), End: lines.OffsetPosition(s.End())}
		}
		for _, f := range c.functions {
			for _, bug := range f.bugs {
				id := strings.Join([]string{name, c.name, f.name, bug.name}, ":")
				if seen[id] {
					continue
				}
				seen[id] = true
				found := &finding.Finding{
					ID: id, Oracle: bug.oracle, Severity: finding.Warning, Message: bug.name + " because of " + f.note, Contract: name, Place: place(bug.at),
					Witness: input.Sequence{Txs: []input.Tx{{Data: []byte(id), Function: &input.Function{Name: f.name, Signature: f.name + "()"}}}},
				}
				if f.note != "" {
					found.Related = []finding.Related{{Place: place(f.noteAt), Message: "see " + f.note}}
					found.Reads = []finding.VariableRead{{Place: place(f.noteAt), Value: f.note}}
				}
				list = append(list, found)
			}
		}
	}
	return list
}

// explored returns full coverage of a contract and its bases.
func (b *toyBuild) explored(name string) *finding.CoverageReport {
	e := &finding.CoverageReport{}
	for c, depth := b.find(name), 0; c != nil && depth < 10; c, depth = b.find(c.base), depth+1 {
		lines := srcmap.NewLines(c.source.Text)
		file := finding.FileCoverage{File: c.source.Name, Path: c.source.Path}
		for _, f := range c.functions {
			e.Functions = append(e.Functions, finding.FunctionCoverage{Function: &input.Function{Name: f.name}, Inputs: 1, Paths: len(f.bugs)})
			for _, bug := range f.bugs {
				line := lines.OffsetPosition(bug.at.Start).Line
				file.Lines = append(file.Lines, finding.LineCoverage{Line: line, Covered: len(bug.name), Total: 10, Hits: 3})
				file.Branches = append(file.Branches, finding.BranchCoverage{Line: line, Span: bug.at, Outcomes: [2]finding.BranchOutcome{{Taken: true}, {}}})
			}
		}
		e.Files = append(e.Files, file)
	}
	return e
}

func (w *toy) fuzz(ctx context.Context, c *solc.Contract, _ []*solc.Contract, o engine.Options) (*finding.Result, error) {
	return w.execute(ctx, c, o, false)
}

func (w *toy) recheck(ctx context.Context, c *solc.Contract, _ []*solc.Contract, o engine.Options) (*finding.Result, error) {
	return w.execute(ctx, c, o, true)
}

func (w *toy) execute(ctx context.Context, c *solc.Contract, o engine.Options, recheck bool) (*finding.Result, error) {
	w.mu.Lock()
	gate := w.gate
	w.mu.Unlock()
	built, _ := w.builds.Load(c.Build)
	b := built.(*toyBuild)
	there := map[string]*finding.Finding{}
	result := &finding.Result{Name: c.Name, File: c.File, Coverage: b.explored(c.Name)}
	for _, f := range b.findings(c.Name) {
		if severity, set := o.Severities[f.Oracle]; !set || severity != finding.Off {
			there[f.ID] = f
			if !recheck {
				result.Findings = append(result.Findings, *f)
			}
		}
	}
	for i, known := range o.Known {
		if f := there[string(known.Txs[0].Data)]; f != nil {
			o.Observe(engine.Event{Kind: engine.EventFound, Contract: c, Finding: f})
		} else {
			o.Observe(engine.Event{Kind: engine.EventGone, Contract: c, Index: i})
		}
	}
	result.Stats = finding.Stats{Inputs: 10, Paths: len(there), Seconds: 1}
	if recheck {
		return result, ctx.Err()
	}
	o.Observe(engine.Event{Kind: engine.EventProgress, Contract: c, Stats: result.Stats, Explored: &finding.CoverageReport{}})
	for i := range result.Findings {
		if i == 1 && gate != nil {
			break // the others come later
		}
		o.Observe(engine.Event{Kind: engine.EventFound, Contract: c, Finding: &result.Findings[i]})
	}
	if gate != nil {
		select {
		case <-gate:
		case <-ctx.Done():
			return result, nil
		}
	}
	o.Observe(engine.Event{Kind: engine.EventDone, Contract: c, Stats: result.Stats, Explored: result.Coverage})
	return result, nil
}
