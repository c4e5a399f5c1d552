package direct

import (
	"slices"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/lookahead"
	"leveret/engine/oracle"
	"leveret/solc"
	"leveret/solc/srcmap"
)

// Creation counts the instructions of the lines in the creation code of a
// contract.
func (q *Request) Creation(under *solc.Contract) (count int) {
	for _, lines := range q.Lines {
		for _, touched := range lines.touched(under.Build) {
			for _, e := range under.Creation.Map {
				if touched.Contains(e.Span) {
					count++
				}
			}
		}
	}
	return count
}

// Asked reports whether the user named targets that exist.
func (l *Lookahead) Asked() bool { return l != nil && l.asked }

// ExplainReach says of every function whether its calls reach the targets, and
// which conditions keep all of them away.
func (l *Lookahead) ExplainReach(to *finding.TargetReport) {
	reached := false
	var all []*lookahead.Distances
	for _, callee := range l.subject.Callees {
		e := finding.TargetEntry{Contract: callee.Contract.Name, Function: callee.Function}
		for _, w := range l.waysOf(callee, l.callsOf(callee)) {
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
		to.Functions = append(to.Functions, e)
	}
	if !reached {
		l.explainGuards(to, all)
	}
}

// explainGuards lists the conditions that keep all calls away.
func (l *Lookahead) explainGuards(to *finding.TargetReport, all []*lookahead.Distances) {
	seen := map[srcmap.Span]bool{}
	for _, g := range l.analyzer.ConstantJumps(all) {
		site := oracle.Site{Code: l.codeOf(g.Code), PC: uint64(g.PC)}
		b, ok := l.subject.Program.LocateSite(site)
		if !ok || b.Node == nil || oracle.IsDefinition(b.Node) || seen[b.Place.Span] {
			continue
		}
		seen[b.Place.Span] = true
		to.Guards = append(to.Guards, finding.ConstantCondition{Place: b.Place, Text: b.Text})
	}
}

// codeOf returns the deployed code with an ID.
func (l *Lookahead) codeOf(id int) *evm.Code {
	for _, d := range l.subject.Deployment.Contracts {
		if code := l.subject.Deployment.World.Code(d.Address); code.ID == id {
			return code
		}
	}
	return nil
}

// Hits counts the inputs that executed the block at a program counter.
type Hits func(code *evm.Code, pc uint64) int

// ExplainCodes lists the instructions of the lines in each contract.
func (l *Lookahead) ExplainCodes(to *finding.TargetReport, hits Hits) {
	for _, d := range l.subject.Deployment.Contracts {
		code := l.subject.Deployment.World.Code(d.Address)
		pcs := l.request.linePCs(l.subject, code)
		if len(pcs) == 0 {
			continue
		}
		slices.Sort(pcs)
		pcs = slices.Compact(pcs)
		target := finding.TargetCode{Contract: d.Contract.Name, Instructions: len(pcs)}
		compiled := l.subject.Cover.Bytecode(code)
		last := -1
		for _, pc := range pcs {
			if b, ok := compiled.BlockAt(uint64(pc)); ok && b != last {
				last = b
				target.Blocks = append(target.Blocks, finding.TargetBlock{
					Start: compiled.Blocks[b].Start, End: compiled.Blocks[b].End, Hits: hits(code, uint64(pc)),
				})
			}
		}
		to.Codes = append(to.Codes, target)
	}
}

// ExplainRuns says how near the campaign came. x executes entries again.
func (l *Lookahead) ExplainRuns(to *finding.TargetReport, hits Hits, x *exec.Executor) {
	to.Inputs = l.progress.Inputs
	targets := map[cover.BlockID]bool{}
	for _, d := range l.subject.Deployment.Contracts {
		code := l.subject.Deployment.World.Code(d.Address)
		for _, pc := range l.request.linePCs(l.subject, code) {
			to.Hits = max(to.Hits, hits(code, uint64(pc)))
			if b, ok := l.subject.Cover.BlockAt(code, uint64(pc)); ok {
				targets[b] = true
			}
		}
	}
	if to.Hits == 0 {
		return
	}
	for _, e := range l.corpus.Entries {
		if l.executes(e, targets, x) {
			to.First = e.Sequence
			return
		}
	}
}

// executes reports whether the last transaction of e executes one of some
// blocks.
func (l *Lookahead) executes(e *corpus.Entry, blocks map[cover.BlockID]bool, x *exec.Executor) bool {
	_, _, run := x.Watch(l.corpus.LastState(e), e.Sequence.Last(), nil)
	return slices.ContainsFunc(run.Blocks, func(b cover.BlockID) bool { return blocks[b] })
}

// maxNearest bounds the missed branches in a report.
const maxNearest = 3

// ExplainMisses lists the uncovered branches on the way to the targets. Branches
// that come after a target keep no input away. x executes entries again, and tried
// returns the inputs that came to the condition of a branch, by source.
func (g *Guide) ExplainMisses(to *finding.TargetReport, x *exec.Executor, tried func(cover.Branch) []finding.SourceInputs) {
	if g == nil {
		return
	}
	subject := g.lookahead.subject
	for _, b := range g.ByDistance(g.corpus.Missed()) {
		jumps, ok := g.ahead[b]
		if !ok || len(to.Nearest) == maxNearest {
			return
		}
		site := subject.Cover.BranchSite(b)
		place, ok := subject.Program.LocateSite(oracle.Site{Code: site.Code, PC: site.PC})
		if !ok {
			continue
		}
		best, cost := g.corpus.Best(b)
		miss := finding.NearMiss{Place: place.Place, Text: place.Text, Jumps: jumps, Distance: *cost, Sequence: best.Sequence, Tried: tried(b)}
		miss.Compared, miss.Depends, miss.Needs = g.lookahead.condition(best, b, x)
		to.Nearest = append(to.Nearest, miss)
	}
}
