package direct

import (
	"leveret/engine/evm"
	"leveret/engine/lookahead"
	"leveret/engine/search"
	"leveret/solc"
	"leveret/solc/srcmap"
)

// Lines are places in one source to aim at, as byte spans.
type Lines struct {
	File  string // source unit name
	Spans []srcmap.Span
}

// A Request is what the user wants a campaign to reach; it may be empty.
type Request struct {
	Lines []Lines
	PCs   []uint64 // in the deployed code of the contract under test
}

type targetSet map[lookahead.Target]bool

// targets returns the blocks that are asked for, or else all blocks of the
// contract under test. asked reports which.
func (q *Request) targets(s *search.Subject) (targets targetSet, asked bool) {
	targets = targetSet{}
	for _, d := range s.Deployment.Contracts {
		code := s.Deployment.World.Code(d.Address)
		for _, pc := range q.linePCs(s, code) {
			targets.add(s, code, uint64(pc))
		}
	}
	for _, pc := range q.PCs {
		targets.add(s, s.Code, pc)
	}
	if len(targets) > 0 {
		return targets, true
	}
	compiled := s.Cover.Bytecode(s.Code)
	for _, b := range compiled.Blocks {
		if int(b.First) < compiled.Count {
			targets[lookahead.Target{Code: s.Code.ID, PC: b.Start}] = true
		}
	}
	return targets, false
}

// add makes a target of the block at pc.
func (t targetSet) add(s *search.Subject, code *evm.Code, pc uint64) {
	compiled := s.Cover.Bytecode(code)
	if b, ok := compiled.BlockAt(pc); ok {
		t[lookahead.Target{Code: code.ID, PC: compiled.Blocks[b].Start}] = true
	}
}

// linePCs lists the instructions that code has for the lines: changed text is
// widened to the statements, or function heads, that it touches.
func (q *Request) linePCs(s *search.Subject, code *evm.Code) []int {
	info := s.Program.InfoOf(code)
	if info.Contract == nil {
		return nil
	}
	var pcs []int
	for _, lines := range q.Lines {
		for _, touched := range lines.touched(info.Contract.Build) {
			pcs = append(pcs, info.PCs.SpanPCs(touched)...)
		}
	}
	return pcs
}

// touched lists what the lines touch in the sources of a build.
func (l *Lines) touched(build *solc.Build) (all []srcmap.Span) {
	source := build.Source(l.File)
	if source == nil {
		return nil
	}
	for _, span := range l.Spans {
		span.Source = source.ID
		if source.Unit == nil {
			all = append(all, span)
			continue
		}
		for _, n := range source.Unit.Touched(span) {
			all = append(all, n.Span)
		}
	}
	return all
}
