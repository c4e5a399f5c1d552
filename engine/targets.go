package engine

import (
	"leveret/engine/evm"
	"leveret/engine/lookahead"
	"leveret/solc"
	"leveret/solc/srcmap"
)

// initialTargets says what to aim at: the lines that the user changed or
// named, or else everything of the contract under test that never ran.
func (c *campaign) initialTargets() map[lookahead.Target]bool {
	targets := map[lookahead.Target]bool{}
	for _, d := range c.base.contracts {
		code := c.base.world.Code(d.address)
		if len(c.options.Lines) > 0 {
			c.aimAtLines(targets, code)
		} else if code == c.underCode {
			c.aimAtAll(targets, code)
		}
	}
	if len(targets) == 0 && len(c.options.Lines) > 0 {
		c.aimAtAll(targets, c.underCode) // nothing of the lines became code
	}
	return targets
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
		if b, ok := c.cover.Bytecode(code).BlockAt(uint64(pc)); ok {
			targets[lookahead.Target{Code: code.ID, PC: c.cover.Bytecode(code).Blocks[b].Start}] = true
		}
	}
}

// linePCs lists the instructions that code has for the user's lines: changed
// text widens to the statements, or function heads, that it touches.
func (c *campaign) linePCs(code *evm.Code) []int {
	o := c.program.owner(code)
	if o.contract == nil {
		return nil
	}
	var pcs []int
	for _, lines := range c.options.Lines {
		source := o.contract.Build.Source(lines.File)
		if source == nil {
			continue
		}
		for _, span := range lines.Spans {
			span.Source = source.ID
			for _, touched := range touchedSpans(source, span) {
				pcs = append(pcs, o.pcs.SpanPCs(touched)...)
			}
		}
	}
	return pcs
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
