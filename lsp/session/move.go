package session

import (
	"bytes"

	"leveret/solc/change"
)

// An editEffect is the effect of edits on a range of text.
type editEffect int

const (
	kept    editEffect = iota // its lines are unchanged; they may have moved
	touched                   // its lines changed
	deleted                   // its lines were deleted
)

// follow returns where the range from start to end of old is in text, which
// the edits turned old into.
func follow(old, text []byte, edits []change.Edit, start, end int) (int, int, editEffect) {
	lineStart, lineEnd := linesAround(old, start, end)
	var hit *change.Edit // all edits of the range's lines, joined
	ahead := 0           // offset in text minus offset in old, before hit
	at := 0              // the same before the current edit
	first, last := 0, 0  // by how many bytes the edits of the lines move both ends
	apart := true        // each of them lies before, inside or behind the range
	for _, e := range edits {
		fresh := text[e.Start+at : e.Start+at+e.Size]
		delta := e.Size - (e.End - e.Start)
		switch {
		case hit == nil && e.End <= lineStart && (e.End < lineStart || endsLine(fresh)):
			ahead += delta
		case e.Start > lineEnd || e.Start == lineEnd && startsLine(fresh):
			// behind the range
		default:
			hit = join(hit, e)
			switch {
			case e.End <= start:
				first, last = first+delta, last+delta
			case e.Start >= end:
			case inside(e, start, end, fresh):
				last += delta
			default:
				apart = false
			}
		}
		at += delta
	}
	if hit == nil {
		return start + ahead, end + ahead, kept
	}
	if s, e := start+ahead+first, end+ahead+last; apart && len(bytes.TrimSpace(text[s:e])) > 0 {
		return s, e, touched
	}
	fresh := text[hit.Start+ahead : hit.Start+ahead+hit.Size]
	start, end, effect := rewrite(old, start, end, *hit, fresh)
	return start + ahead, end + ahead, effect
}

// join returns an edit that makes two consecutive ones; the first may be nil.
func join(a *change.Edit, b change.Edit) *change.Edit {
	if a == nil {
		return &b
	}
	return &change.Edit{Start: a.Start, End: b.End, Size: a.Size + b.Start - a.End + b.Size}
}

// inside reports whether an edit keeps the ends of a range. One that replaces all of
// it by several lines does not.
func inside(e change.Edit, start, end int, fresh []byte) bool {
	all := e.Start == start && e.End == end
	return start <= e.Start && e.End <= end && !(all && bytes.ContainsAny(fresh, "\r\n"))
}

// rewrite is follow for the joined edit of the range's lines, if the range cannot be
// followed through each of them.
func rewrite(old []byte, start, end int, e change.Edit, fresh []byte) (newStart, newEnd int, effect editEffect) {
	delta := e.Size - (e.End - e.Start)
	if e.Start <= start && end <= e.End {
		first, last := linesAround(old, start, end)
		if len(bytes.TrimSpace(fresh)) == 0 && e.Start <= contentStart(old, first) && contentEnd(old, last) <= e.End {
			return 0, 0, deleted
		}
		return onLine(fresh, e)
	}
	switch {
	case e.End <= start:
		return start + delta, end + delta, touched
	case e.Start >= end:
		return start, end, touched
	case e.Start <= start: // the front was replaced
		return e.Start + e.Size, end + delta, touched
	case end <= e.End: // the back was replaced
		return start, e.Start, touched
	}
	return start, end + delta, touched
}

// endsLine reports whether an edit that ends where a line starts keeps that
// line: it inserts nothing, or whole lines.
func endsLine(fresh []byte) bool {
	return len(fresh) == 0 || fresh[len(fresh)-1] == '\n' || fresh[len(fresh)-1] == '\r'
}

// startsLine is the same for an edit that starts where a line ends.
func startsLine(fresh []byte) bool {
	return len(fresh) == 0 || fresh[0] == '\n' || fresh[0] == '\r'
}

// onLine returns the range of the first line of the replacement that is not
// blank, for a range whose text was replaced.
func onLine(fresh []byte, e change.Edit) (start, end int, effect editEffect) {
	at := len(fresh) - len(bytes.TrimLeft(fresh, " \t\r\n"))
	line := fresh[at:]
	if i := bytes.IndexAny(line, "\r\n"); i >= 0 {
		line = line[:i]
	}
	start = e.Start + at
	return start, start + len(bytes.TrimRight(line, " \t")), touched
}

// linesAround returns the range of the lines that contain start to end,
// without the last line break.
func linesAround(text []byte, start, end int) (int, int) {
	start, end = min(max(start, 0), len(text)), min(max(end, 0), len(text))
	first := bytes.LastIndexAny(text[:start], "\r\n") + 1
	last := len(text)
	if i := bytes.IndexAny(text[end:], "\r\n"); i >= 0 {
		last = end + i
	}
	return first, max(first, last)
}

// contentStart skips the indentation of the line at start.
func contentStart(text []byte, start int) int {
	for start < len(text) && (text[start] == ' ' || text[start] == '\t') {
		start++
	}
	return start
}

// contentEnd skips back over the blanks at the end of a line.
func contentEnd(text []byte, end int) int {
	for end > 0 && (text[end-1] == ' ' || text[end-1] == '\t') {
		end--
	}
	return end
}
