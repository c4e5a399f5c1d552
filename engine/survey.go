package engine

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/program"
	"leveret/solc"
	"leveret/solc/ast"
	"leveret/solc/srcmap"
)

// exploreEvery is how often an observer gets a new Exploration.
const exploreEvery = time.Second

// A survey is where the blocks and jumps of the running codes stand in the
// source. Each code is looked at once; what is told about a campaign then
// costs no more than its blocks.
type survey struct {
	codes  []*surveyed // by evm.Code.ID; nil: not looked at yet
	spans  map[*solc.Source]*definitions
	inputs map[*input.Function]int
	hits   []int // inputs, by cover.Block
	told   time.Time
}

// surveyed is one code of the project.
type surveyed struct {
	blocks []blockLines
	jumps  []jumpPlace
}

// blockLines is what a block has on one line of one source.
type blockLines struct {
	block        cover.Block
	source       *solc.Source
	line         int
	instructions int
}

// jumpPlace is a conditional jump of the user's.
type jumpPlace struct {
	branch cover.Branch // that falls through
	source *solc.Source
	line   int
	span   srcmap.Span
}

// definitions are the spans of a source that stand for no statement: code that
// the compiler adds to a contract or a function has them.
type definitions struct{ contracts, functions map[srcmap.Span]bool }

// tally counts an input for the Exploration.
func (c *campaign) tally(r *result) {
	s := &c.survey
	if s.inputs == nil {
		s.inputs = map[*input.Function]int{}
	}
	s.inputs[r.sequence.Last().Function]++
	for _, b := range r.run.Blocks {
		for int(b) >= len(s.hits) {
			s.hits = append(s.hits, make([]int, int(b)+1-len(s.hits))...)
		}
		s.hits[b]++
	}
}

// explored returns the Exploration if it is due, nil otherwise.
func (c *campaign) explored(now time.Time) *finding.Exploration {
	if now.Sub(c.survey.told) < exploreEvery {
		return nil
	}
	c.survey.told = now
	return c.explore()
}

// explore says where the campaign went so far.
func (c *campaign) explore() *finding.Exploration {
	files := map[*solc.Source]*fileSurvey{}
	for _, code := range c.cover.Codes() {
		for _, b := range c.surveyOf(code).blocks {
			c.addLines(fileOf(files, b.source), b)
		}
		for _, j := range c.surveyOf(code).jumps {
			c.addBranch(fileOf(files, j.source), j)
		}
	}
	e := &finding.Exploration{Functions: c.functionsCovered()}
	for source, f := range files {
		e.Files = append(e.Files, f.coverage(source))
	}
	slices.SortFunc(e.Files, func(a, b finding.FileCoverage) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Path, b.Path))
	})
	return e
}

// fileSurvey collects what is known about one source: several codes may have
// the same line.
type fileSurvey struct {
	lines    map[int]*finding.LineCoverage
	branches map[srcmap.Span]*finding.BranchCoverage
}

func fileOf(files map[*solc.Source]*fileSurvey, source *solc.Source) *fileSurvey {
	f := files[source]
	if f == nil {
		f = &fileSurvey{map[int]*finding.LineCoverage{}, map[srcmap.Span]*finding.BranchCoverage{}}
		files[source] = f
	}
	return f
}

func (f *fileSurvey) coverage(source *solc.Source) finding.FileCoverage {
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

func (c *campaign) addLines(f *fileSurvey, b blockLines) {
	line := f.lines[b.line]
	if line == nil {
		line = &finding.LineCoverage{Line: b.line}
		f.lines[b.line] = line
	}
	line.Total += b.instructions
	if int(b.block) < len(c.survey.hits) && c.survey.hits[b.block] > 0 {
		line.Covered += b.instructions
		line.Hits = max(line.Hits, c.survey.hits[b.block])
	}
}

// addBranch joins a jump with those of the same condition elsewhere: a
// modifier is compiled into every function that has it.
func (c *campaign) addBranch(f *fileSurvey, j jumpPlace) {
	b := f.branches[j.span]
	if b == nil {
		b = &finding.BranchCoverage{Line: j.line, Span: j.span}
		f.branches[j.span] = b
	}
	for i := range b.Arms {
		arm, outcome := &b.Arms[i], j.branch+cover.Branch(i)
		if arm.Taken = arm.Taken || c.corpus.Covered(outcome); arm.Taken {
			arm.Near, arm.Distance = false, [4]uint64{}
			continue
		}
		if _, distance := c.corpus.Best(outcome); distance != nil && (!arm.Near || distance.Lt(&arm.Distance)) {
			arm.Near, arm.Distance = true, *distance
		}
	}
}

// functionsCovered counts for each function of the contract under test.
func (c *campaign) functionsCovered() []finding.FunctionCoverage {
	paths := map[*input.Function]int{}
	for _, e := range c.corpus.Entries {
		paths[e.Function()]++
	}
	var list []finding.FunctionCoverage
	for i := range c.callees {
		if f := c.callees[i].Function; c.callees[i].Contract == c.program.Under {
			list = append(list, finding.FunctionCoverage{Function: f, Inputs: c.survey.inputs[f], Paths: paths[f]})
		}
	}
	return list
}

// surveyOf finds the places of a code, at first sight.
func (c *campaign) surveyOf(code *evm.Code) *surveyed {
	s := &c.survey
	for len(s.codes) <= code.ID {
		s.codes = append(s.codes, nil)
	}
	if s.codes[code.ID] == nil {
		s.codes[code.ID] = c.newSurvey(code)
	}
	return s.codes[code.ID]
}

func (c *campaign) newSurvey(code *evm.Code) *surveyed {
	out := new(surveyed)
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
			out.jumps = append(out.jumps, jumpPlace{b, source, line, span})
		}
	}
	return out
}

// statement returns the user's source of the instruction at pc; false for what
// the compiler adds to a contract.
func (c *campaign) statement(o *program.CodeInfo, pc int) (*solc.Source, srcmap.Span, bool) {
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

// definitionsOf collects the definitions of a source, at first sight.
func (c *campaign) definitionsOf(source *solc.Source) *definitions {
	s := &c.survey
	if d := s.spans[source]; d != nil {
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
	if s.spans == nil {
		s.spans = map[*solc.Source]*definitions{}
	}
	s.spans[source] = d
	return d
}
