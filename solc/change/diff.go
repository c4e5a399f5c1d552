// Package change finds changes between two texts, and since a revision in git.
// It reads git's files itself: the configuration of a repository can make git
// run any program.
package change

import (
	"bytes"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"
)

// An Edit replaces the bytes from Start to End of a text by Size other bytes.
type Edit struct {
	Start, End int
	Size       int
}

// A TextEdit replaces the bytes from Start to End of a text.
type TextEdit struct {
	Start, End int
	Text       string
}

// Edits returns the edits that turn old into text, in ascending order.
func Edits(old, text []byte) []TextEdit {
	var list []TextEdit
	ahead := 0
	for _, e := range Diff(old, text) {
		at := e.Start + ahead
		list = append(list, TextEdit{e.Start, e.End, string(text[at : at+e.Size])})
		ahead += e.Size - (e.End - e.Start)
	}
	return list
}

// maxDiffLines bounds the middle part that is compared line by line, which
// takes some milliseconds for ten thousand lines.
const maxDiffLines = 40_000

// Diff returns the edits that turn old into text, in ascending order, with
// offsets in old. It compares by lines, and similar lines by words.
func Diff(old, text []byte) []Edit {
	if bytes.Equal(old, text) {
		return nil
	}
	start, end := common(old, text)
	a, b := old[start:len(old)-end], text[start:len(text)-end]
	lines := bytes.Count(a, newline) + bytes.Count(b, newline)
	switch {
	case len(a) == 0:
		back := toLineStart(text[:start], b)
		return []Edit{{start - back, start - back, len(b)}}
	case len(b) == 0:
		back := toLineStart(old[:start], a)
		return []Edit{{start - back, start - back + len(a), 0}}
	case lines == 0 || lines > maxDiffLines:
		return appendEdits(nil, start, a, b)
	}
	var edits []Edit
	for _, h := range Hunks(old, text) {
		edits = h.refine(edits, old, text)
	}
	return edits
}

// toLineStart returns by how much an inserted or deleted part that follows before can
// move back, with the same effect, so that it is of whole lines; 0 if it cannot. Without
// that, a line with the indentation of the next one would change the next one.
func toLineStart(before, part []byte) int {
	indent := before[bytes.LastIndexByte(before, '\n')+1:]
	if lines, ok := bytes.CutSuffix(part, indent); ok && bytes.HasSuffix(lines, newline) {
		return len(indent)
	}
	return 0
}

// refine adds the edits inside a hunk, line by line. If both sides have equally
// many lines it pairs them in order, or else by similarity.
func (h Hunk) refine(edits []Edit, old, text []byte) []Edit {
	a, b := splitLines(old[h.Start:h.End]), splitLines(text[h.At:h.At+h.Size])
	pairs := alike(a, b)
	i, j, at := 0, 0, h.Start
	for _, p := range append(pairs, [2]int{len(a), len(b)}) {
		before, after := bytes.Join(a[i:p[0]], nil), bytes.Join(b[j:p[1]], nil)
		edits = appendEdits(edits, at, before, after)
		at += len(before)
		i, j = p[0], p[1]
		if i < len(a) {
			edits = appendEdits(edits, at, a[i], b[j])
			at += len(a[i])
			i, j = i+1, j+1
		}
	}
	return edits
}

// maxAlike bounds the pairs of lines that are compared by similarity.
const maxAlike = 10_000

// alike pairs similar lines of a and b, in order.
func alike(a, b [][]byte) (pairs [][2]int) {
	if len(a) == len(b) {
		for i := range a {
			pairs = append(pairs, [2]int{i, i})
		}
		return pairs
	}
	if len(a)*len(b) > maxAlike {
		return nil
	}
	best := make([][]int, len(a)+1) // similarity of the best pairs of a[i:] and b[j:]
	for i := range best {
		best[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1])
			if l := likeness(a[i], b[j]); l > 0 {
				best[i][j] = max(best[i][j], l+best[i+1][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch best[i][j] {
		case best[i+1][j]:
			i++
		case best[i][j+1]:
			j++
		default:
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		}
	}
	return pairs
}

// likeness returns the number of bytes that two lines share at both ends; 0 if
// it is less than half of the shorter line.
func likeness(a, b []byte) int {
	a, b = bytes.TrimSpace(a), bytes.TrimSpace(b)
	prefix, suffix := common(a, b)
	if n := prefix + suffix; 2*n >= min(len(a), len(b)) {
		return n
	}
	return 0
}

// splitLines splits a text after each line end.
func splitLines(text []byte) (lines [][]byte) {
	for len(text) > 0 {
		n := lineLength(text)
		lines = append(lines, text[:n])
		text = text[n:]
	}
	return lines
}

func lineLength(text []byte) int {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i + 1
	}
	return len(text)
}

// maxWordDiff bounds the bytes of lines that are compared by words.
const maxWordDiff = 10_000

// appendEdits appends the edits that turn a, at an offset, into b: those of words if
// each is of one line.
func appendEdits(edits []Edit, at int, a, b []byte) []Edit {
	from, to := common(a, b)
	at, a, b = at+from, a[from:len(a)-to], b[from:len(b)-to]
	if len(a)+len(b) == 0 {
		return edits
	}
	if len(a)+len(b) > maxWordDiff || bytes.Contains(a, newline) || bytes.Contains(b, newline) {
		return append(edits, Edit{at, at + len(a), len(b)})
	}
	for _, h := range align(a, b, wordLength) {
		from, to := common(a[h.Start:h.End], b[h.At:h.At+h.Size])
		edits = append(edits, Edit{at + h.Start + from, at + h.End - to, h.Size - from - to})
	}
	return edits
}

// wordLength returns the length of the word that a text begins with; other bytes
// stand alone.
func wordLength(text []byte) int {
	n := 0
	for n < len(text) && inWord(text[n]) {
		n++
	}
	return max(n, 1)
}

// inWord reports whether a byte is of a name, a number or of UTF-8 beyond ASCII.
func inWord(c byte) bool {
	return c >= utf8.RuneSelf || c == '_' || c == '$' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

var newline = []byte{'\n'}

// common returns the length of the longest common prefix of a and b, and of the
// longest common suffix of the rest.
func common(a, b []byte) (prefix, suffix int) {
	n := min(len(a), len(b))
	for prefix < n && a[prefix] == b[prefix] {
		prefix++
	}
	for suffix < n-prefix && a[len(a)-1-suffix] == b[len(b)-1-suffix] {
		suffix++
	}
	return prefix, suffix
}

// A Hunk is an edit of whole lines. At is the offset of the replacement in the
// new text.
type Hunk struct {
	Edit
	At int
}

// Hunks compares old and text line by line. It cuts equal ends before the
// expensive comparison.
func Hunks(old, text []byte) []Hunk {
	prefix, suffix := common(old, text)
	prefix = bytes.LastIndexByte(old[:prefix], '\n') + 1
	suffix = wholeLines(old, text, suffix)
	a, b := old[prefix:len(old)-suffix], text[prefix:len(text)-suffix]
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	if bytes.Count(a, newline)+bytes.Count(b, newline) > maxDiffLines {
		return []Hunk{{Edit{prefix, prefix + len(a), len(b)}, prefix}}
	}
	hunks := align(a, b, lineLength)
	for i := range hunks {
		hunks[i].Start, hunks[i].End, hunks[i].At = hunks[i].Start+prefix, hunks[i].End+prefix, hunks[i].At+prefix
	}
	return hunks
}

// align compares two texts piece by piece. length returns the length of the piece
// that a text begins with.
func align(a, b []byte, length func([]byte) int) (hunks []Hunk) {
	letters := map[string]rune{}
	before, after := spell(letters, a, length), spell(letters, b, length)
	ahead := 0 // pieces that the new text is ahead of the old one
	for _, e := range udiff.Strings(before.text, after.text) {
		from, to, size := e.Start/letterSize, e.End/letterSize, len(e.New)/letterSize
		at := after.offsets[from+ahead]
		h := Hunk{Edit{before.offsets[from], before.offsets[to], after.offsets[from+ahead+size] - at}, at}
		if last := len(hunks) - 1; last >= 0 && hunks[last].End == h.Start {
			hunks[last].End = h.End
			hunks[last].Size += h.Size
		} else {
			hunks = append(hunks, h)
		}
		ahead += size - (to - from)
	}
	return hunks
}

// A spelling is a text with one letter for each of its pieces.
type spelling struct {
	text    string
	offsets []int // of each piece, and of the end
}

// Letters come from a range in which all have the same size in UTF-8.
const (
	firstLetter = 0x10000
	letterSize  = 4
)

// spell maps every piece to a letter, equal pieces to the same one, so that a diff
// of letters is a diff of pieces.
func spell(letters map[string]rune, text []byte, length func([]byte) int) spelling {
	s := spelling{offsets: []int{0}}
	var word []rune
	for at := 0; at < len(text); {
		n := length(text[at:])
		piece := string(text[at : at+n])
		if letters[piece] == 0 {
			letters[piece] = firstLetter + rune(len(letters))
		}
		word = append(word, letters[piece])
		at += n
		s.offsets = append(s.offsets, at)
	}
	s.text = string(word)
	return s
}

// wholeLines shortens a common suffix to whole lines of both texts.
func wholeLines(a, b []byte, suffix int) int {
	atLine := func(t []byte) bool {
		at := len(t) - suffix
		return at == 0 || t[at-1] == '\n'
	}
	if atLine(a) && atLine(b) {
		return suffix
	}
	i := bytes.IndexByte(a[len(a)-suffix:], '\n')
	if i < 0 {
		return 0
	}
	return suffix - i - 1
}
