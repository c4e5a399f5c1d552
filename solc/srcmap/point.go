package srcmap

import "unicode/utf8"

// An Encoding is a unit in which the Language Server Protocol counts characters
// in a line.
type Encoding uint8

// The position encodings of the protocol. UTF16 is its default.
const (
	UTF16 Encoding = iota
	UTF8
	UTF32
)

// A Point is a Position of the Language Server Protocol: both fields are
// 0-based, Character in units of an Encoding.
type Point struct {
	Line      int
	Character int
}

// units returns the number of units of the character r with size bytes.
func (e Encoding) units(r rune, size int) int {
	switch {
	case e == UTF8:
		return size
	case e == UTF16 && r > 0xffff:
		return 2
	}
	return 1
}

// OffsetPoint returns the Point of a byte offset.
func (l *Lines) OffsetPoint(offset int, e Encoding) Point {
	line, before := l.place(offset)
	p := Point{Line: line}
	for len(before) > 0 {
		r, size := utf8.DecodeRune(before)
		p.Character += e.units(r, size)
		before = before[size:]
	}
	return p
}

// PointOffset returns the byte offset of a Point. A Character after the end of
// the line means its end, as the protocol requires; a Line after the last one
// means the end of the text.
func (l *Lines) PointOffset(p Point, e Encoding) int {
	if p.Line < 0 {
		return l.starts[0]
	}
	if p.Line >= len(l.starts) {
		return len(l.text)
	}
	at, end := l.bounds(p.Line)
	for left := p.Character; left > 0 && at < end; {
		r, size := utf8.DecodeRune(l.text[at:end])
		if left -= e.units(r, size); left < 0 {
			break
		}
		at += size
	}
	return at
}

// SpanPoints returns the Points of the first character of s and of the one after
// its last.
func (l *Lines) SpanPoints(s Span, e Encoding) (start, end Point) {
	return l.OffsetPoint(s.Start, e), l.OffsetPoint(s.End(), e)
}

// PointsSpan returns the span between two Points in the source with the given
// index.
func (l *Lines) PointsSpan(start, end Point, e Encoding, source int) Span {
	from, to := l.PointOffset(start, e), l.PointOffset(end, e)
	return Span{Source: source, Start: from, Length: max(0, to-from)}
}
