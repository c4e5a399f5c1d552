package replay

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"leveret/engine/finding"
)

// narrowest is the minimal number of columns for text beside long file names.
const narrowest = 60

// layOut wraps long lines and aligns the places.
func (d *drawing) layOut() []Line {
	wide, longest := 0, 0
	for _, r := range d.rows {
		longest = max(longest, columns(d.where(&r)))
	}
	room := max(narrowest, Width-longest-2)
	for _, r := range d.rows {
		if r.place != nil {
			wide = max(wide, min(room, columns(r.first+plain(r.text))))
		}
	}
	var lines []Line
	for _, r := range d.rows {
		lines = append(lines, d.lines(&r, room, wide)...)
	}
	return lines
}

// lines formats a row; its place follows its first line.
func (d *drawing) lines(r *row, room, wide int) []Line {
	var lines []Line
	for i, text := range wrap(plain(r.text), room-columns(r.first), room-columns(r.rest)) {
		l := Line{Text: r.rest + text, Place: r.place, Here: r.here != "", Stop: r.stop}
		if i == 0 {
			l.Text = r.first + text
			if where := d.where(r); where != "" {
				l.Text += strings.Repeat(" ", max(0, wide-columns(l.Text))+2) + where
			}
		}
		l.Text = strings.TrimRight(strings.ReplaceAll(l.Text, hardSpace, " "), " ")
		lines = append(lines, l)
	}
	return lines
}

// where is the text of the right column.
func (d *drawing) where(r *row) string {
	where := ""
	if r.place != nil {
		file := r.place.File
		if d.File != nil {
			file = d.File(*r.place)
		}
		where = fmt.Sprintf("%s:%d", file, r.place.Start.Line)
	}
	if r.here != "" {
		where += "  ← here: " + r.here
	}
	return where
}

// wrap breaks a text at spaces, if possible, into lines of first and then rest
// columns.
func wrap(text string, first, rest int) []string {
	var lines []string
	for room := max(20, first); columns(text) > room; room = max(20, rest) {
		end, space := 0, 0
		for i, n := 0, 0; i < len(text) && n < room; n++ {
			_, size := utf8.DecodeRuneInString(text[i:])
			i += size
			end = i
			if text[i-1] == ' ' {
				space = i
			}
		}
		if space > end/2 {
			end = space
		}
		lines = append(lines, strings.TrimRight(text[:end], " "))
		text = text[end:]
	}
	return append(lines, text)
}

// columns counts the columns of a text, one per character.
func columns(s string) int { return utf8.RuneCountInString(s) }

// plain removes characters that could corrupt a line or an editor: contracts
// control the texts they return.
func plain(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsGraphic(c) && c != utf8.RuneError {
			return c
		}
		return '·'
	}, s)
}

// StepLines lists the executed statements by transaction. See Lines for file.
func (t *Trace) StepLines(file func(finding.Place) string) []Line {
	d := drawing{View: Full(file)}
	n := 0
	for i := range t.Txs {
		tx := &t.Txs[i]
		if !tx.Check {
			n++
		}
		if i > 0 {
			d.rows = append(d.rows, row{})
		}
		d.rows = append(d.rows, row{text: tx.heading(n), rest: "   "})
		d.stop = Stop{Tx: tx.Number, Statement: true, Line: 1}
		for k := range tx.Steps {
			s := &tx.Steps[k]
			indent := strings.Repeat("  ", min(s.Depth, maxIndent)) + " "
			text := s.Text
			switch {
			case s.Times > 1 && s.Of > 1:
				text += fmt.Sprintf("  (this and the next %d: %d times)", s.Of-1, s.Times)
			case s.Times > 1:
				text += fmt.Sprintf("  (%d times)", s.Times)
			}
			d.rows = append(d.rows, row{first: indent, rest: indent + "  ", text: text, place: &s.Place, stop: d.next(s.At)})
		}
	}
	return d.layOut()
}
