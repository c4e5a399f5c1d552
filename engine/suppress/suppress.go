// Package suppress parses the comments that suppress findings. The engine and
// the language server both use it, so that an editor and a CI job hide the same.
package suppress

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"leveret/solc/srcmap"
)

// The directives. A directive is the first word of a comment; names of oracles
// may follow, then "--" and a reason.
const (
	disableNextLine = "leveret-disable-next-line"
	disableLine     = "leveret-disable-line"
	disable         = "leveret-disable"
	enable          = "leveret-enable"
)

// A Comment suppresses findings on some lines.
type Comment struct {
	Span        srcmap.Span // of the comment, in bytes; Source is not set
	Directive   srcmap.Span // from the directive to the last oracle
	First, Last int         // covered lines, 1-based; Last is math.MaxInt for an open range
	Oracles     []string    // names; empty: all
}

// Covers reports whether c suppresses an oracle's findings on a line.
func (c *Comment) Covers(oracle string, line int) bool {
	return c.First <= line && line <= c.Last && (len(c.Oracles) == 0 || slices.Contains(c.Oracles, oracle))
}

// NextLine returns the directive that suppresses oracles on the next line.
func NextLine(oracles ...string) string { return disableNextLine + " " + strings.Join(oracles, ", ") }

// Parse returns the suppression comments of a Solidity source, in order. Text
// inside string literals does not count.
func Parse(text []byte) []Comment {
	if !bytes.Contains(text, []byte(disable)) {
		return nil
	}
	lines := srcmap.NewLines(text)
	var list []Comment
	for _, span := range comments(text) {
		directive, words := parseDirective(text, span)
		if len(words) == 0 {
			continue
		}
		c := Comment{Span: span, Directive: directive, Oracles: words[1:]}
		c.First, c.Last = lines.OffsetPosition(span.Start).Line, lines.OffsetPosition(span.End()).Line
		switch words[0] {
		case disableNextLine:
			c.First, c.Last = c.Last+1, c.Last+1
		case disableLine:
		case disable:
			c.Last = math.MaxInt
		case enable:
			closeRanges(list, &c)
			continue
		default:
			continue
		}
		list = append(list, c)
	}
	return list
}

// closeRanges ends the open ranges that an enabling comment names.
func closeRanges(list []Comment, by *Comment) {
	for i := range list {
		if list[i].Last == math.MaxInt && (len(by.Oracles) == 0 || slices.Equal(by.Oracles, list[i].Oracles)) {
			list[i].Last = by.First
		}
	}
}

// parseDirective returns the words of a comment without its reason, and their
// spans.
func parseDirective(text []byte, span srcmap.Span) (srcmap.Span, []string) {
	const separators, marks = " \t\r\n,", "/* \t\r\n"
	comment := string(text[span.Start:span.End()])
	inner := strings.TrimLeft(comment, marks)
	at := len(comment) - len(inner)
	inner, _, _ = strings.Cut(inner, "--")
	inner = strings.TrimRight(inner, marks)
	words := strings.FieldsFunc(inner, func(r rune) bool { return strings.ContainsRune(separators, r) })
	return srcmap.Span{Start: span.Start + at, Length: len(inner)}, words
}

// comments returns the spans of the comments of a Solidity source.
func comments(text []byte) (spans []srcmap.Span) {
	for i := 0; i < len(text); {
		rest := text[i:min(i+2, len(text))]
		switch {
		case string(rest) == "//" || string(rest) == "/*":
			end := commentEnd(text, i)
			spans = append(spans, srcmap.Span{Start: i, Length: end - i})
			i = end
		case text[i] == '"' || text[i] == '\'':
			i = stringEnd(text, i)
		default:
			i++
		}
	}
	return spans
}

// commentEnd returns the end of the comment at an offset.
func commentEnd(text []byte, at int) int {
	stop, keep := "\n", 0
	if text[at+1] == '*' {
		stop, keep = "*/", 2
	}
	if n := bytes.Index(text[at+2:], []byte(stop)); n >= 0 {
		return at + 2 + n + keep
	}
	return len(text)
}

// stringEnd returns the end of the string literal at an offset, at the latest
// the end of its line.
func stringEnd(text []byte, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[at]:
			return i + 1
		case '\n':
			return i
		}
	}
	return len(text)
}
