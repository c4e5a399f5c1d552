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

// A Counter counts the blocks and functions that the inputs of one worker ran.
// It is not safe for concurrent use.
type Counter struct {
	corpus *corpus.Corpus
	inputs map[*input.Function]int // inputs that end with a call of the function
	hits   []int                   // inputs, by cover.Block
}

// Lines map code to the lines of its source. They are not safe for concurrent
// use.
type Lines struct {
	program     *program.Program
	cover       *cover.Map
	codes       []*codeLines // by evm.Code.ID; nil: not analyzed yet
	definitions map[*solc.Source]*definitions
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

// A jumpSpan is a conditional jump on a condition of the source.
type jumpSpan struct {
	branch cover.Branch // the outcome that falls through
	source *solc.Source
	line   int
	span   srcmap.Span // of the statement or expression that branches
}

// definitions are the spans of whole contracts, which code has that the compiler
// added, and the conditions of a source.
type definitions struct {
	contracts map[srcmap.Span]bool
	branches
}

// New returns a Counter for a worker with a corpus.
func New(c *corpus.Corpus) *Counter {
	return &Counter{corpus: c, inputs: map[*input.Function]int{}}
}

// NewLines returns the lines of a campaign.
func NewLines(p *program.Program, m *cover.Map) *Lines {
	return &Lines{program: p, cover: m, definitions: map[*solc.Source]*definitions{}}
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

// Exploration returns the coverage of what was counted. functions are those of
// the contract under test.
func (c *Lines) Exploration(t *Tally, functions []*input.Function) *finding.CoverageReport {
	files := map[*solc.Source]*fileCoverage{}
	for _, code := range c.cover.Codes() {
		lines := c.linesOf(code)
		for _, b := range lines.blocks {
			fileOf(files, b.source).addLines(b, t)
		}
		for _, j := range lines.jumps {
			fileOf(files, j.source).addBranch(j, t)
		}
	}
	e := &finding.CoverageReport{Functions: t.functionsCovered(functions)}
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

func (f *fileCoverage) addLines(b blockLines, t *Tally) {
	line := f.lines[b.line]
	if line == nil {
		line = &finding.LineCoverage{Line: b.line}
		f.lines[b.line] = line
	}
	line.Total += b.instructions
	if hits := t.hitsOf(b.block); hits > 0 {
		line.Covered += b.instructions
		line.Hits = max(line.Hits, hits)
	}
}

// addBranch merges a jump with the other jumps of the same condition: a modifier
// is compiled into every function that has it.
func (f *fileCoverage) addBranch(j jumpSpan, t *Tally) {
	b := f.branches[j.span]
	if b == nil {
		b = &finding.BranchCoverage{Line: j.line, Span: j.span}
		f.branches[j.span] = b
	}
	for i := range b.Outcomes {
		arm, outcome := &b.Outcomes[i], j.branch+cover.Branch(i)
		if arm.Taken = arm.Taken || t.Covered(outcome); arm.Taken {
			arm.Near, arm.Distance = false, [4]uint64{}
			continue
		}
		if distance, near := t.near[outcome]; near && (!arm.Near || distance.Lt(&arm.Distance)) {
			arm.Near, arm.Distance = true, distance
		}
	}
}

// linesOf returns the mapping of a code to the source.
func (c *Lines) linesOf(code *evm.Code) *codeLines {
	for len(c.codes) <= code.ID {
		c.codes = append(c.codes, nil)
	}
	if c.codes[code.ID] == nil {
		c.codes[code.ID] = c.locate(code)
	}
	return c.codes[code.ID]
}

func (c *Lines) locate(code *evm.Code) *codeLines {
	out := new(codeLines)
	o := c.program.InfoOf(code)
	if o.Contract == nil || code.Init {
		return out
	}
	var exactly, whole []jumpSpan // with the span of the condition, and of its statement
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
		if b, jumps := c.cover.Branch(code, uint64(pc), false); jumps {
			list := &whole
			n, exact := c.definitionsOf(source).at(span)
			if exact {
				list = &exactly
			}
			if n != nil {
				*list = append(*list, jumpSpan{b, source, c.program.LinesOf(source).Line(n.Span.Start), n.Span})
			}
		}
	}
	out.jumps = exactly
	for _, j := range whole { // via IR, a do loop has one more jump, on whether it is the first round
		if !slices.ContainsFunc(exactly, func(e jumpSpan) bool { return e.source == j.source && e.span == j.span }) {
			out.jumps = append(out.jumps, j)
		}
	}
	return out
}

// Branches counts the arms of the conditions in the source of a code: those taken,
// and two for each condition.
func (c *Lines) Branches(code *evm.Code, t *Tally) (n finding.Coverage) {
	files := map[*solc.Source]*fileCoverage{}
	for _, j := range c.linesOf(code).jumps {
		fileOf(files, j.source).addBranch(j, t)
	}
	for _, f := range files {
		for _, b := range f.branches {
			n.Covered += b.Taken()
			n.Total += len(b.Outcomes)
		}
	}
	return n
}

// statement returns the source of the instruction at pc; false for code that
// the compiler added.
func (c *Lines) statement(o *program.CodeInfo, pc int) (*solc.Source, srcmap.Span, bool) {
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
func (c *Lines) definitionsOf(source *solc.Source) *definitions {
	if d := c.definitions[source]; d != nil {
		return d
	}
	d := &definitions{contracts: map[srcmap.Span]bool{}}
	if source.Unit != nil && source.Unit.Root != nil {
		for _, n := range source.Unit.Root.Find(ast.ContractDefinition) {
			d.contracts[n.Span] = true
		}
		d.branches = branchesOf(source.Unit.Root)
	}
	c.definitions[source] = d
	return d
}
