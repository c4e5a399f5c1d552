// Package coverage reports coverage in terms of source: lines, branches and
// functions. It analyzes each code once, so a report costs no more than the
// number of blocks.
package coverage

import (
	"cmp"
	"maps"
	"slices"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/program"
	"leveret/solc"
	"leveret/solc/ast"
	"leveret/solc/srcmap"
)

// A Counter counts the blocks and functions that inputs ran. It is not safe for
// concurrent use.
type Counter struct {
	program *program.Program
	cover   *cover.Map
	corpus  *corpus.Corpus

	codes       []*codeLines // by evm.Code.ID; nil: not analyzed yet
	definitions map[*solc.Source]*definitions
	inputs      map[*input.Function]int // inputs that end with a call of the function
	hits        []int                   // inputs, by cover.Block
}

// codeLines maps one code of the project to the source.
type codeLines struct {
	blocks []blockLines
	jumps  []jumpSpan
}

// blockLines are the instructions of a block on one line of one source.
type blockLines struct {
	block        cover.BlockID
	source       *solc.Source
	line         int
	instructions int
}

// A jumpSpan is a conditional jump with its source span.
type jumpSpan struct {
	branch cover.Branch // the outcome that falls through
	source *solc.Source
	line   int
	span   srcmap.Span
}

// definitions are the spans of whole contracts and functions. Code with such a
// span was added by the compiler.
type definitions struct{ contracts, functions map[srcmap.Span]bool }

// New returns a Counter for a campaign.
func New(p *program.Program, m *cover.Map, c *corpus.Corpus) *Counter {
	return &Counter{
		program: p, cover: m, corpus: c,
		definitions: map[*solc.Source]*definitions{}, inputs: map[*input.Function]int{},
	}
}

// Add counts an input by the function and the blocks of its last transaction.
func (c *Counter) Add(f *input.Function, blocks []cover.BlockID) {
	c.inputs[f]++
	for _, b := range blocks {
		for int(b) >= len(c.hits) {
			c.hits = append(c.hits, make([]int, int(b)+1-len(c.hits))...)
		}
		c.hits[b]++
	}
}

// Hits returns how many inputs ran a block.
func (c *Counter) Hits(b cover.BlockID) int {
	if int(b) >= len(c.hits) {
		return 0
	}
	return c.hits[b]
}

// Exploration returns the coverage so far. functions are those of the contract
// under test.
func (c *Counter) Exploration(functions []*input.Function) *finding.CoverageReport {
	files := map[*solc.Source]*fileCoverage{}
	for _, code := range c.cover.Codes() {
		lines := c.linesOf(code)
		for _, b := range lines.blocks {
			c.addLines(fileOf(files, b.source), b)
		}
		for _, j := range lines.jumps {
			c.addBranch(fileOf(files, j.source), j)
		}
	}
	e := &finding.CoverageReport{Functions: c.functionsCovered(functions)}
	for source, f := range files {
		e.Files = append(e.Files, f.coverage(source))
	}
	slices.SortFunc(e.Files, func(a, b finding.FileCoverage) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Path, b.Path))
	})
	return e
}

// fileCoverage collects the coverage of one source; several codes may share a
// line.
type fileCoverage struct {
	lines    map[int]*finding.LineCoverage
	branches map[srcmap.Span]*finding.BranchCoverage
}

func fileOf(files map[*solc.Source]*fileCoverage, source *solc.Source) *fileCoverage {
	f := files[source]
	if f == nil {
		f = &fileCoverage{map[int]*finding.LineCoverage{}, map[srcmap.Span]*finding.BranchCoverage{}}
		files[source] = f
	}
	return f
}

func (f *fileCoverage) coverage(source *solc.Source) finding.FileCoverage {
	out := finding.FileCoverage{File: source.Name, Path: source.Path}
	for _, line := range slices.Sorted(maps.Keys(f.lines)) {
		out.Lines = append(out.Lines, *f.lines[line])
	}
	for _, b := range f.branches {
		out.Branches = append(out.Branches, *b)
	}
	slices.SortFunc(out.Branches, func(a, b finding.BranchCoverage) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.Length, b.Span.Length))
	})
	return out
}

func (c *Counter) addLines(f *fileCoverage, b blockLines) {
	line := f.lines[b.line]
	if line == nil {
		line = &finding.LineCoverage{Line: b.line}
		f.lines[b.line] = line
	}
	line.Total += b.instructions
	if hits := c.Hits(b.block); hits > 0 {
		line.Covered += b.instructions
		line.Hits = max(line.Hits, hits)
	}
}

// addBranch merges a jump with the other jumps of the same condition: a modifier
// is compiled into every function that has it.
func (c *Counter) addBranch(f *fileCoverage, j jumpSpan) {
	b := f.branches[j.span]
	if b == nil {
		b = &finding.BranchCoverage{Line: j.line, Span: j.span}
		f.branches[j.span] = b
	}
	for i := range b.Outcomes {
		arm, outcome := &b.Outcomes[i], j.branch+cover.Branch(i)
		if arm.Taken = arm.Taken || c.corpus.Covered(outcome); arm.Taken {
			arm.Near, arm.Distance = false, [4]uint64{}
			continue
		}
		if _, distance := c.corpus.Best(outcome); distance != nil && (!arm.Near || distance.Lt(&arm.Distance)) {
			arm.Near, arm.Distance = true, *distance
		}
	}
}

// functionsCovered counts inputs and paths of functions.
func (c *Counter) functionsCovered(functions []*input.Function) []finding.FunctionCoverage {
	paths := map[*input.Function]int{}
	for _, e := range c.corpus.Entries {
		paths[e.Function()]++
	}
	var list []finding.FunctionCoverage
	for _, f := range functions {
		list = append(list, finding.FunctionCoverage{Function: f, Inputs: c.inputs[f], Paths: paths[f]})
	}
	return list
}

// linesOf returns the mapping of a code to the source.
func (c *Counter) linesOf(code *evm.Code) *codeLines {
	for len(c.codes) <= code.ID {
		c.codes = append(c.codes, nil)
	}
	if c.codes[code.ID] == nil {
		c.codes[code.ID] = c.locate(code)
	}
	return c.codes[code.ID]
}

func (c *Counter) locate(code *evm.Code) *codeLines {
	out := new(codeLines)
	o := c.program.InfoOf(code)
	if o.Contract == nil || code.Init {
		return out
	}
	taken := c.cover.Bytecode(code)
	for i := range taken.Count {
		pc := taken.Instructions[i].PC
		source, span, ok := c.statement(o, int(pc))
		if !ok {
			continue
		}
		line := c.program.LinesOf(source).Line(span.Start)
		block, _ := c.cover.BlockAt(code, uint64(pc))
		if last := len(out.blocks) - 1; last >= 0 && out.blocks[last].block == block && out.blocks[last].source == source && out.blocks[last].line == line {
			out.blocks[last].instructions++
		} else {
			out.blocks = append(out.blocks, blockLines{block, source, line, 1})
		}
		if b, jumps := c.cover.Branch(code, uint64(pc), false); jumps && !c.definitionsOf(source).functions[span] {
			out.jumps = append(out.jumps, jumpSpan{b, source, line, span})
		}
	}
	return out
}

// statement returns the source of the instruction at pc; false for code that
// the compiler added.
func (c *Counter) statement(o *program.CodeInfo, pc int) (*solc.Source, srcmap.Span, bool) {
	entry, ok := o.PCs.PCEntry(pc)
	if !ok || entry.Source < 0 || entry.Source >= len(o.Contract.Build.Sources) {
		return nil, entry.Span, false
	}
	source := o.Contract.Build.Sources[entry.Source]
	if source == nil || entry.Start < 0 || entry.End() > len(source.Text) || c.definitionsOf(source).contracts[entry.Span] {
		return nil, entry.Span, false
	}
	return source, entry.Span, true
}

// definitionsOf returns the definitions of a source.
func (c *Counter) definitionsOf(source *solc.Source) *definitions {
	if d := c.definitions[source]; d != nil {
		return d
	}
	d := &definitions{map[srcmap.Span]bool{}, map[srcmap.Span]bool{}}
	if source.Unit != nil && source.Unit.Root != nil {
		source.Unit.Root.Walk(func(n *ast.Node) bool {
			switch n.Type {
			case ast.ContractDefinition:
				d.contracts[n.Span] = true
			case ast.FunctionDefinition, ast.ModifierDefinition:
				d.functions[n.Span] = true
				return false
			}
			return true
		})
	}
	c.definitions[source] = d
	return d
}
