package engine

import (
	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/lookahead"
	"leveret/solc"
	"leveret/solc/srcmap"
)

// initialTargets says what to aim at: the lines that the user changed or
// named, or else everything of the contract under test that never ran. It
// reports whether somebody asked for these targets.
func (c *campaign) initialTargets() (targets map[lookahead.Target]bool, asked bool) {
	targets = map[lookahead.Target]bool{}
	for _, d := range c.base.Contracts {
		c.aimAtLines(targets, c.base.World.Code(d.Address))
	}
	for _, pc := range c.options.Targets {
		c.aimAt(targets, c.underCode, pc)
	}
	if len(targets) > 0 {
		return targets, true
	}
	c.aimAtAll(targets, c.underCode) // nothing was asked for, or nothing of it became code
	return targets, false
}

// aimAtAll makes a target of every block.
func (c *campaign) aimAtAll(targets map[lookahead.Target]bool, code *evm.Code) {
	for _, b := range c.cover.Bytecode(code).Blocks {
		if int(b.First) < c.cover.Bytecode(code).Count {
			targets[lookahead.Target{Code: code.ID, PC: b.Start}] = true
		}
	}
}

// aimAtLines makes targets of the blocks that code has for the user's lines.
func (c *campaign) aimAtLines(targets map[lookahead.Target]bool, code *evm.Code) {
	for _, pc := range c.linePCs(code) {
		c.aimAt(targets, code, uint64(pc))
	}
}

// aimAt makes a target of the block at pc.
func (c *campaign) aimAt(targets map[lookahead.Target]bool, code *evm.Code, pc uint64) {
	if b, ok := c.cover.Bytecode(code).BlockAt(pc); ok {
		targets[lookahead.Target{Code: code.ID, PC: c.cover.Bytecode(code).Blocks[b].Start}] = true
	}
}

// linePCs lists the instructions that code has for the user's lines: changed
// text widens to the statements, or function heads, that it touches.
func (c *campaign) linePCs(code *evm.Code) []int {
	o := c.program.InfoOf(code)
	if o.Contract == nil {
		return nil
	}
	var pcs []int
	for _, lines := range c.options.Lines {
		for _, touched := range touchedBy(o.Contract.Build, lines) {
			pcs = append(pcs, o.PCs.SpanPCs(touched)...)
		}
	}
	return pcs
}

// touchedBy lists what lines change in the sources of a build.
func touchedBy(build *solc.Build, lines Lines) (all []srcmap.Span) {
	source := build.Source(lines.File)
	if source == nil {
		return nil
	}
	for _, span := range lines.Spans {
		span.Source = source.ID
		all = append(all, touchedSpans(source, span)...)
	}
	return all
}

// touchedSpans widens a span to what it changes.
func touchedSpans(source *solc.Source, span srcmap.Span) []srcmap.Span {
	if source.Unit == nil {
		return []srcmap.Span{span}
	}
	var spans []srcmap.Span
	for _, n := range source.Unit.Touched(span) {
		spans = append(spans, n.Span)
	}
	return spans
}

// setGoals notes what an experiment waits for.
func (c *campaign) setGoals() {
	c.goals = map[cover.BlockID]bool{}
	for _, pc := range c.options.Targets {
		if b, ok := c.cover.BlockAt(c.underCode, pc); ok {
			c.goals[b] = true
		}
	}
}

// firstRun notes that a block of the contract under test ran for the first
// time.
func (c *campaign) firstRun(b cover.BlockID, site cover.BlockSite) {
	if c.options.Firsts || c.goals[b] {
		s := &c.result.Stats
		s.Firsts = append(s.Firsts, finding.FirstHit{PC: site.PC, Inputs: s.Inputs, Seconds: c.elapsed().Seconds()})
	}
	delete(c.goals, b)
}
