package report

import (
	"strings"
	"unicode/utf8"

	"leveret/engine/finding"
	"leveret/engine/report/printable"
	"leveret/solc/srcmap"
)

// Limits of an excerpt. Longer ones are truncated.
const (
	maxExcerptLines   = 6
	maxExcerptColumns = 160
)

// A codeLine is one line of an excerpt. Columns From to To, in characters of Text
// from 0 and half-open, are underlined.
type codeLine struct {
	Number   int
	Text     string
	From, To int
}

// Before returns the text before the underlined part.
func (l codeLine) Before() string { return string([]rune(l.Text)[:l.From]) }

// Marked returns the underlined part.
func (l codeLine) Marked() string { return string([]rune(l.Text)[l.From:l.To]) }

// After returns the text after the underlined part.
func (l codeLine) After() string { return string([]rune(l.Text)[l.To:]) }

// excerpt returns the lines of a place in a text. It replaces tabs by four spaces,
// so that underlines align, and invalid UTF-8 by the replacement character. The
// second result reports whether lines are omitted.
func excerpt(text []byte, place finding.Place) (lines []codeLine, more bool) {
	if place.Start.Line < 1 {
		return nil, false
	}
	index := srcmap.NewLines(text)
	last := min(max(place.End.Line, place.Start.Line), index.Count())
	for number := place.Start.Line; number <= last; number++ {
		if len(lines) == maxExcerptLines {
			return lines, true
		}
		lines = append(lines, markLine(index.Text(number), number, place))
	}
	return lines, false
}

func markLine(raw []byte, number int, place finding.Place) codeLine {
	text := strings.ToValidUTF8(string(raw), string(utf8.RuneError))
	from, to := 0, utf8.RuneCountInString(text)
	if number == place.Start.Line {
		from = min(place.Start.Column-1, to)
	} else {
		from = to - utf8.RuneCountInString(strings.TrimLeft(text, " \t"))
	}
	if number == place.End.Line {
		to = max(from, min(place.End.Column-1, to))
	}
	return expand(codeLine{Number: number, Text: text, From: from, To: to})
}

// expand replaces tabs, adjusts the underline and truncates a long line.
func expand(l codeLine) codeLine {
	out := codeLine{Number: l.Number}
	var b strings.Builder
	column, i := 0, 0
	for _, r := range l.Text {
		if i == l.From {
			out.From = column
		}
		if i == l.To {
			out.To = column
		}
		i++
		switch {
		case r == '\t':
			b.WriteString("    ")
			column += 4
			continue
		case !printable.Rune(r):
			r = utf8.RuneError // no control characters on a terminal
		}
		b.WriteRune(r)
		column++
	}
	if l.From >= i {
		out.From = column
	}
	if l.To >= i {
		out.To = column
	}
	if r := []rune(b.String()); len(r) > maxExcerptColumns {
		out.Text = string(r[:maxExcerptColumns-1]) + "…"
		out.From, out.To = min(out.From, maxExcerptColumns-1), min(out.To, maxExcerptColumns-1)
		return out
	}
	out.Text = b.String()
	return out
}
