package engine

import (
	"context"
	"slices"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/lookahead"
	"leveret/engine/oracle"
	"leveret/engine/program"
	"leveret/solc"
	"leveret/solc/srcmap"
)

// Explain tells what becomes of options.Lines as targets of a campaign on
// contract, and runs that campaign to see how near it comes.
func Explain(ctx context.Context, contract *solc.Contract, project []*solc.Contract, options Options) (aim *finding.TargetReport, err error) {
	err = guard(contract, func() (err error) {
		aim, err = explained(ctx, contract, project, options)
		return err
	})
	return aim, err
}

func explained(ctx context.Context, contract *solc.Contract, project []*solc.Contract, options Options) (*finding.TargetReport, error) {
	options.Lookahead = LookaheadOn
	ctx, done := options.until(ctx)
	defer done()
	c, err := newCampaign(ctx, contract, project, options)
	if err != nil {
		return nil, err
	}
	if c.result.Note != "" {
		return &finding.TargetReport{Note: c.result.Note}, nil
	}
	aim := &finding.TargetReport{Creation: c.atDeployment()}
	if !c.ahead.asked {
		return aim, nil
	}
	c.explainWays(aim)
	c.loop(ctx)
	c.explainCodes(aim)
	c.explainRuns(aim)
	return aim, nil
}

// atDeployment counts the instructions of the lines in the creation code.
func (c *campaign) atDeployment() (count int) {
	under := c.program.UnderTest
	for _, lines := range c.options.Lines {
		for _, touched := range touchedBy(under.Build, lines) {
			for _, e := range under.Creation.Map {
				if touched.Contains(e.Span) {
					count++
				}
			}
		}
	}
	return count
}

// explainCodes lists where the lines are.
func (c *campaign) explainCodes(aim *finding.TargetReport) {
	for _, d := range c.base.Contracts {
		code := c.base.World.Code(d.Address)
		pcs := c.linePCs(code)
		if len(pcs) == 0 {
			continue
		}
		slices.Sort(pcs)
		pcs = slices.Compact(pcs)
		aimed := finding.TargetCode{Contract: d.Contract.Name, Instructions: len(pcs)}
		taken := c.cover.Bytecode(code)
		last := -1
		for _, pc := range pcs {
			if b, ok := taken.BlockAt(uint64(pc)); ok && b != last {
				last = b
				aimed.Blocks = append(aimed.Blocks, finding.TargetBlock{
					Start: taken.Blocks[b].Start, End: taken.Blocks[b].End, Hits: c.hitsOf(code, uint64(pc)),
				})
			}
		}
		aim.Codes = append(aim.Codes, aimed)
	}
}

// hitsOf counts the inputs that ran the block at pc.
func (c *campaign) hitsOf(code *evm.Code, pc uint64) int {
	if b, ok := c.cover.BlockAt(code, pc); ok {
		return c.coverage.Hits(b)
	}
	return 0
}

// explainWays says of every function whether its calls reach the lines.
func (c *campaign) explainWays(aim *finding.TargetReport) {
	reached := false
	var all []*lookahead.Distances
	for _, callee := range c.callees {
		e := finding.TargetEntry{Contract: callee.Contract.Name, Function: callee.Function}
		for _, w := range c.waysOf(callee, c.callsOf(callee)) {
			all = append(all, w)
			switch {
			case w.Met(lookahead.Reached):
				if e.Verdict != finding.Reachable || w.Start < e.Jumps {
					e.Verdict, e.Jumps = finding.Reachable, w.Start
				}
			case e.Verdict == finding.Reachable:
			case !w.Complete():
				e.Verdict = finding.Unknown
			case w.Met(lookahead.Called) && e.Verdict == finding.Unreachable:
				e.Verdict = finding.CallsOut
			}
		}
		reached = reached || e.Verdict == finding.Reachable
		aim.Functions = append(aim.Functions, e)
	}
	if !reached {
		c.explainGuards(aim, all)
	}
}

// explainGuards names the conditions that keep all calls away.
func (c *campaign) explainGuards(aim *finding.TargetReport, all []*lookahead.Distances) {
	seen := map[srcmap.Span]bool{}
	for _, g := range c.ahead.analyzer.ConstantJumps(all) {
		site := oracle.Site{Code: c.codeNumbered(g.Code), PC: uint64(g.PC)}
		b, ok := c.program.LocateSite(site)
		if !ok || b.Node == nil || program.IsDefinition(b.Node) || seen[b.Place.Span] {
			continue
		}
		seen[b.Place.Span] = true
		aim.Guards = append(aim.Guards, finding.ConstantCondition{Place: b.Place, Text: b.Text})
	}
}

// codeNumbered finds a deployed code by its number.
func (c *campaign) codeNumbered(id int) *evm.Code {
	for _, d := range c.base.Contracts {
		if code := c.base.World.Code(d.Address); code.ID == id {
			return code
		}
	}
	return nil
}

// explainRuns says how near the campaign came.
func (c *campaign) explainRuns(aim *finding.TargetReport) {
	aim.Inputs = c.result.Stats.Inputs
	targets := map[cover.BlockID]bool{}
	for _, d := range c.base.Contracts {
		code := c.base.World.Code(d.Address)
		for _, pc := range c.linePCs(code) {
			aim.Hits = max(aim.Hits, c.hitsOf(code, uint64(pc)))
			if b, ok := c.cover.BlockAt(code, uint64(pc)); ok {
				targets[b] = true
			}
		}
	}
	for _, e := range c.corpus.Entries {
		if aim.Hits > 0 && c.enters(e, targets) {
			aim.First = e.Sequence
			break
		}
	}
	if c.direction != nil {
		c.explainMisses(aim)
	}
}

// enters reports whether the last Tx of an Entry runs one of some blocks.
func (c *campaign) enters(e *corpus.Entry, blocks map[cover.BlockID]bool) bool {
	x, last := c.executors[0], len(e.Sequence.Txs)-1
	x.Recorder.Reset()
	_, outcome := x.Transact(c.statesOf(e)[last], &e.Sequence.Txs[last], nil, x.Recorder.Hooks())
	return slices.ContainsFunc(x.Recorder.Finish(outcome.Status).Blocks, func(b cover.BlockID) bool { return blocks[b] })
}

// maxMisses is how many outcomes on the way are told of.
const maxMisses = 3

// explainMisses tells of the outcomes on the way to the lines that no input
// took. Those that come after the lines do not keep anybody away.
func (c *campaign) explainMisses(aim *finding.TargetReport) {
	for _, b := range c.direction.byDistance(c.corpus.Missed()) {
		far, ok := c.direction.outcomes[b]
		if !ok || len(aim.Nearest) == maxMisses {
			return
		}
		site := c.cover.BranchSite(b)
		place, ok := c.program.LocateSite(oracle.Site{Code: site.Code, PC: site.PC})
		if !ok {
			continue
		}
		best, cost := c.corpus.Best(b)
		aim.Nearest = append(aim.Nearest, finding.NearMiss{
			Place: place.Place, Text: place.Text, Jumps: far, Distance: *cost, Sequence: best.Sequence,
		})
	}
}
