package srcmap

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// Lines is the line index of a text. Lines end at \n, \r\n or \r, as in the
// Language Server Protocol. A byte-order mark at the start has no column,
// because editors do not count it as text. An invalid UTF-8 byte counts as one
// character.
//
// All offsets and positions are accepted: those outside of the text or inside a
// character move to the closest preceding valid one, those before the text to
// its start.
type Lines struct {
	text   []byte
	starts []int // byte offset of the first character of each line
}

// NewLines indexes text and keeps a reference to it.
func NewLines(text []byte) *Lines {
	first := 0
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		first = 3
	}
	l := &Lines{text: text, starts: []int{first}}
	for i := first; i < len(text); i++ {
		if text[i] == '\n' || text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			l.starts = append(l.starts, i+1)
		}
	}
	return l
}

// Count returns the number of lines, at least 1. The text after the last line
// end is a line even if it is empty.
func (l *Lines) Count() int { return len(l.starts) }

// Text returns the text of line n (1-based) without its end; nil if there is no
// such line. Callers must not modify it.
func (l *Lines) Text(n int) []byte {
	if n < 1 || n > len(l.starts) {
		return nil
	}
	start, end := l.bounds(n - 1)
	return l.text[start:end:end]
}

// LineSpan returns the byte range of line n (1-based) without its end. It clamps
// n to the existing lines.
func (l *Lines) LineSpan(n int) (start, end int) {
	return l.bounds(max(0, min(n-1, len(l.starts)-1)))
}

// bounds returns the byte range of the line with index i, without its end.
func (l *Lines) bounds(i int) (start, end int) {
	start, end = l.starts[i], len(l.text)
	if i+1 < len(l.starts) {
		end = l.starts[i+1] - 1
		if end > start && l.text[end] == '\n' && l.text[end-1] == '\r' {
			end--
		}
	}
	return start, end
}

// place returns the index of the line that contains offset and the line's bytes
// before offset, truncated to whole characters.
func (l *Lines) place(offset int) (line int, before []byte) {
	line = l.index(offset)
	start, end := l.bounds(line)
	offset = max(start, min(offset, end))
	for at := offset - 1; at >= max(start, offset-utf8.UTFMax+1); at-- {
		if !utf8.RuneStart(l.text[at]) {
			continue
		}
		if _, size := utf8.DecodeRune(l.text[at:end]); at+size > offset {
			offset = at
		}
		break
	}
	return line, l.text[start:offset]
}

// index returns the index of the line that contains offset.
func (l *Lines) index(offset int) int {
	return max(0, sort.SearchInts(l.starts, offset+1)-1)
}

// Line returns the 1-based line number of a byte offset.
func (l *Lines) Line(offset int) int { return l.index(offset) + 1 }

// OffsetPosition returns the Position of a byte offset.
func (l *Lines) OffsetPosition(offset int) Position {
	line, before := l.place(offset)
	return Position{Line: line + 1, Column: utf8.RuneCount(before) + 1}
}

// PositionOffset returns the byte offset of a Position.
func (l *Lines) PositionOffset(p Position) int {
	return l.PointOffset(Point{Line: p.Line - 1, Character: p.Column - 1}, UTF32)
}

// SpanPositions returns the Positions of the first character of s and of the one
// after its last.
func (l *Lines) SpanPositions(s Span) (start, end Position) {
	return l.OffsetPosition(s.Start), l.OffsetPosition(s.End())
}
