package srcmap

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// Lines is the line index of a text. Lines end at \n, \r\n or \r, as in the
// Language Server Protocol. A byte-order mark at the start takes no column:
// editors do not count it as text. A byte that is not valid UTF-8 counts as
// one character.
//
// Nothing is out of range: offsets and positions outside the text or between
// the bytes of a character are moved to the closest place before them that is
// inside (a position before the first, to the first).
type Lines struct {
	text   []byte
	starts []int // byte offset of the first character of each line
}

// NewLines indexes text and keeps it.
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

// Count returns the number of lines, at least 1: the text behind the last
// line end is a line, empty or not.
func (l *Lines) Count() int { return len(l.starts) }

// Text returns the text of line n (1-based) without its end; nil if there is
// no such line. It is not to be changed.
func (l *Lines) Text(n int) []byte {
	if n < 1 || n > len(l.starts) {
		return nil
	}
	start, end := l.bounds(n - 1)
	return l.text[start:end:end]
}

// LineSpan returns the byte range of line n (1-based) without its end; of the
// closest line if there is no such one.
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

// place returns the index of the line that holds offset and the line's bytes
// before offset, cut back to a whole character.
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

// index returns the index of the line that holds offset.
func (l *Lines) index(offset int) int {
	return max(0, sort.SearchInts(l.starts, offset+1)-1)
}

// Line returns the number of the line that holds a byte offset, from 1.
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

// SpanPositions returns the Positions of the first character of s and of the
// one behind its last.
func (l *Lines) SpanPositions(s Span) (start, end Position) {
	return l.OffsetPosition(s.Start), l.OffsetPosition(s.End())
}
