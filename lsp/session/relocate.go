package session

import (
	"bytes"
	"slices"

	"leveret/engine/finding"
	"leveret/solc"
	"leveret/solc/change"
	"leveret/solc/scan"
	"leveret/solc/srcmap"
)

// A tokenMap maps positions of a text to another one that differs only in
// whitespace and comments.
type tokenMap struct {
	starts, ends map[int]int  // offsets where tokens start and end
	targets      map[int]bool // offsets of the other text where tokens start
	old, now     *srcmap.Lines
}

// newTokenMap returns nil if the tokens of the texts differ.
func newTokenMap(old, now []byte) *tokenMap {
	before, after := scan.Tokens(old), scan.Tokens(now)
	if len(before) != len(after) {
		return nil
	}
	l := &tokenMap{map[int]int{}, map[int]int{}, map[int]bool{}, srcmap.NewLines(old), srcmap.NewLines(now)}
	for i, a := range before {
		b := after[i]
		if !bytes.Equal(old[a.Start:a.End()], now[b.Start:b.End()]) {
			return nil
		}
		l.starts[a.Start], l.ends[a.End()], l.targets[b.Start] = b.Start, b.End(), true
	}
	return l
}

// span maps a range. It returns false unless both ends are those of tokens.
func (l *tokenMap) span(s srcmap.Span) (srcmap.Span, bool) {
	start, starts := l.starts[s.Start]
	end, ends := l.ends[s.End()]
	return srcmap.Span{Source: s.Source, Start: start, Length: end - start}, starts && ends && end >= start
}

// line maps a line, counted from 1, by its first token. whole reports whether
// the line still has the same tokens.
func (l *tokenMap) line(line int) (to int, whole bool) {
	start, end := l.old.LineSpan(line)
	old, now := 0, 0 // tokens of the lines
	for at := start; at < end; at++ {
		token, ok := l.starts[at]
		if !ok {
			continue
		}
		old++
		if to == 0 {
			to = l.now.OffsetPosition(token).Line
		}
	}
	for from, end := l.now.LineSpan(max(to, 1)); from < end; from++ {
		if l.targets[from] {
			now++
		}
	}
	return to, old > 0 && old == now
}

// relocate moves the positions of a finding to the build of a contract with
// the same code. It returns false if the sources differ in more than
// whitespace and comments.
func relocate(f *finding.Finding, from *sources, c *Contract) (*finding.Finding, bool) {
	if len(from.texts) != len(c.sources.texts) {
		return nil, false
	}
	tokens := map[string]*tokenMap{}
	for path, old := range from.texts {
		now, ok := c.sources.texts[path]
		if !ok {
			return nil, false
		}
		if bytes.Equal(old, now) {
			continue
		}
		if tokens[path] = newTokenMap(old, now); tokens[path] == nil {
			return nil, false
		}
	}
	next, exact := *f, true
	move := func(p finding.Place) finding.Place {
		moved, ok := relocatePlace(p, tokens[p.Path], from.texts[p.Path], c)
		exact = exact && ok
		return moved
	}
	next.Place = move(f.Place)
	next.Related, next.Reads = slices.Clone(f.Related), slices.Clone(f.Reads)
	for i := range next.Related {
		next.Related[i].Place = move(f.Related[i].Place)
	}
	for i := range next.Reads {
		next.Reads[i].Place = move(f.Reads[i].Place)
	}
	return &next, exact
}

// relocatePlace moves one position. It returns false if the text at the
// position changed, even in whitespace, because the finding may quote it.
func relocatePlace(p finding.Place, l *tokenMap, old []byte, c *Contract) (finding.Place, bool) {
	source := c.Build.PathSource(p.Path)
	if p.Path == "" || source == nil {
		return p, p.Path == ""
	}
	p.Span.Source = source.ID
	if l == nil {
		return p, true
	}
	from := p.Span
	to, ok := l.span(from)
	if !ok || !bytes.Equal(old[from.Start:from.End()], source.Text[to.Start:to.End()]) {
		return p, false
	}
	p.Span = to
	p.Start, p.End = l.now.OffsetPosition(to.Start), l.now.OffsetPosition(to.End())
	return p, true
}

// in returns an exploration in the texts of a contract with the same code.
// exact is false if a line with code was split or joined: a campaign would
// report other lines.
func (e exploration) in(c *Contract) (moved *finding.CoverageReport, exact bool) {
	if e.CoverageReport == nil || e.sources.equal(c.sources) {
		return e.CoverageReport, true
	}
	moved, exact = &finding.CoverageReport{Functions: e.Functions}, true
	for _, f := range e.Files {
		source, old := c.Build.PathSource(f.Path), e.sources.texts[f.Path]
		if f.Path == "" || source == nil {
			continue
		}
		if !bytes.Equal(old, source.Text) {
			var same bool
			f, same = relocateCoverage(f, old, source)
			exact = exact && same
		}
		moved.Files = append(moved.Files, f)
	}
	return moved, exact
}

// relocateCoverage moves the coverage of a file by tokens or, if those differ,
// by comparing lines.
func relocateCoverage(f finding.FileCoverage, old []byte, source *solc.Source) (finding.FileCoverage, bool) {
	span, line := byLines(old, source.Text)
	if l := newTokenMap(old, source.Text); l != nil {
		span, line = l.span, l.line
	}
	now, exact := srcmap.NewLines(source.Text), true
	lines, branches := f.Lines, f.Branches
	f.Lines, f.Branches = nil, nil
	for _, l := range lines {
		to, whole := line(l.Line)
		exact = exact && whole
		if to > 0 {
			l.Line = to
			f.Lines = append(f.Lines, l)
		}
	}
	for _, b := range branches {
		to, ok := span(b.Span)
		exact = exact && ok
		if ok {
			b.Span, b.Line = to, now.OffsetPosition(to.Start).Line
			b.Span.Source = source.ID
			f.Branches = append(f.Branches, b)
		}
	}
	return f, exact
}

// byLines returns functions that map ranges and lines of a text to another one
// by comparing lines.
func byLines(old, now []byte) (func(srcmap.Span) (srcmap.Span, bool), func(int) (int, bool)) {
	edits := change.Diff(old, now)
	before, after := srcmap.NewLines(old), srcmap.NewLines(now)
	span := func(s srcmap.Span) (srcmap.Span, bool) {
		start, end, effect := follow(old, now, edits, s.Start, s.End())
		return srcmap.Span{Source: s.Source, Start: start, Length: end - start}, effect != deleted
	}
	line := func(line int) (int, bool) {
		start, end := before.LineSpan(line)
		from, _, effect := follow(old, now, edits, start, end)
		if effect == deleted {
			return 0, false
		}
		return after.OffsetPosition(from).Line, effect == kept
	}
	return span, line
}

// Coverage returns the coverage of a file by the campaigns on a contract; nil
// if there is none.
func (c *Contract) Coverage(path string) *finding.FileCoverage {
	if c.Explored == nil {
		return nil
	}
	i := slices.IndexFunc(c.Explored.Files, func(f finding.FileCoverage) bool { return f.Path == path && path != "" })
	if i < 0 {
		return nil
	}
	return &c.Explored.Files[i]
}
