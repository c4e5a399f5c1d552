package session

import (
	"bytes"
	"slices"

	"leveret/engine/finding"
	"leveret/solc"
	"leveret/solc/change"
	"leveret/solc/srcmap"
)

// A layout maps places of a text to another one that differs from it by
// blanks and comments alone.
type layout struct {
	starts, ends map[int]int // offsets where tokens start and end
	old, now     *srcmap.Lines
}

// newLayout compares the tokens of two texts; nil if they differ.
func newLayout(old, now []byte) *layout {
	before, after := solc.Tokens(old), solc.Tokens(now)
	if len(before) != len(after) {
		return nil
	}
	l := &layout{map[int]int{}, map[int]int{}, srcmap.NewLines(old), srcmap.NewLines(now)}
	for i, a := range before {
		b := after[i]
		if !bytes.Equal(old[a.Start:a.End()], now[b.Start:b.End()]) {
			return nil
		}
		l.starts[a.Start], l.ends[a.End()] = b.Start, b.End()
	}
	return l
}

// span maps a range whose ends are those of tokens.
func (l *layout) span(s srcmap.Span) (srcmap.Span, bool) {
	start, starts := l.starts[s.Start]
	end, ends := l.ends[s.End()]
	return srcmap.Span{Source: s.Source, Start: start, Length: end - start}, starts && ends && end >= start
}

// line maps a line by its first token.
func (l *layout) line(line int) (int, bool) {
	start, end := l.old.LineSpan(line)
	for at := start; at < end; at++ {
		if to, ok := l.starts[at]; ok {
			return l.now.OffsetPosition(to).Line, true
		}
	}
	return 0, false
}

// relocate moves the places of a finding to the build of a contract with the
// same code; false if the sources differ by more than blanks and comments.
func relocate(f *finding.Finding, from *sources, c *Contract) (*finding.Finding, bool) {
	if len(from.texts) != len(c.sources.texts) {
		return nil, false
	}
	layouts := map[string]*layout{}
	for path, old := range from.texts {
		now, ok := c.sources.texts[path]
		if !ok {
			return nil, false
		}
		if bytes.Equal(old, now) {
			continue
		}
		if layouts[path] = newLayout(old, now); layouts[path] == nil {
			return nil, false
		}
	}
	next, exact := *f, true
	move := func(p finding.Place) finding.Place {
		moved, ok := relocatePlace(p, layouts[p.Path], from.texts[p.Path], c)
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

// relocatePlace moves one place. A place whose own text changed, if only by a
// blank, is left to the engine: what it says may quote that.
func relocatePlace(p finding.Place, l *layout, old []byte, c *Contract) (finding.Place, bool) {
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
func (e exploration) in(c *Contract) *finding.Exploration {
	if e.Exploration == nil || e.sources.equal(c.sources) {
		return e.Exploration
	}
	moved := &finding.Exploration{Functions: e.Functions}
	for _, f := range e.Files {
		source, old := c.Build.PathSource(f.Path), e.sources.texts[f.Path]
		if f.Path == "" || source == nil {
			continue
		}
		if !bytes.Equal(old, source.Text) {
			f = relocateCoverage(f, old, source)
		}
		moved.Files = append(moved.Files, f)
	}
	return moved
}

// relocateCoverage moves what is known of a file: by tokens or, where those
// differ too, by comparing lines.
func relocateCoverage(f finding.FileCoverage, old []byte, source *solc.Source) finding.FileCoverage {
	span, line := byLines(old, source.Text)
	if l := newLayout(old, source.Text); l != nil {
		span, line = l.span, l.line
	}
	now := srcmap.NewLines(source.Text)
	lines, branches := f.Lines, f.Branches
	f.Lines, f.Branches = nil, nil
	for _, l := range lines {
		if to, ok := line(l.Line); ok {
			l.Line = to
			f.Lines = append(f.Lines, l)
		}
	}
	for _, b := range branches {
		if to, ok := span(b.Span); ok {
			b.Span, b.Line = to, now.OffsetPosition(to.Start).Line
			b.Span.Source = source.ID
			f.Branches = append(f.Branches, b)
		}
	}
	return f
}

// byLines maps ranges and lines of a text to another by comparing lines.
func byLines(old, now []byte) (func(srcmap.Span) (srcmap.Span, bool), func(int) (int, bool)) {
	edits := change.Diff(old, now)
	before, after := srcmap.NewLines(old), srcmap.NewLines(now)
	span := func(s srcmap.Span) (srcmap.Span, bool) {
		start, end, f := follow(old, now, edits, s.Start, s.End())
		return srcmap.Span{Source: s.Source, Start: start, Length: end - start}, f != gone
	}
	line := func(line int) (int, bool) {
		start, end := before.LineSpan(line)
		to, ok := span(srcmap.Span{Start: start, Length: end - start})
		return after.OffsetPosition(to.Start).Line, ok
	}
	return span, line
}

// Coverage returns what the campaigns on a contract say about a file of its
// build; nil if they say nothing.
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
