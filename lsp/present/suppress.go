package present

import (
	"bytes"
	"slices"
	"strings"
)

// Comments that silence findings: of some oracles or, without a name, of all.
const (
	disableNextLine = "leveret-disable-next-line"
	disableLine     = "leveret-disable-line"
	disableFrom     = "leveret-disable"
	enableFrom      = "leveret-enable"
)

// A suppression is one such comment.
type suppression struct {
	line       int      // 1-based, of the comment
	start, end int      // bytes of the comment's words
	first      int      // 1-based lines it holds for, both included
	last       int      //
	oracles    []string // empty: all
}

func (s suppression) covers(oracle string, line int) bool {
	return s.first <= line && line <= s.last && (len(s.oracles) == 0 || slices.Contains(s.oracles, oracle))
}

// forever is the last line of a range that is never closed.
const forever = int(^uint(0) >> 1)

// suppressions finds the comments in a text. A comment counts wherever it
// stands, as long as "//" or "/*" is before it on its line.
func suppressions(text []byte) []suppression {
	if !bytes.Contains(text, []byte(disableFrom)) {
		return nil
	}
	var found []suppression
	at := 0
	for n, line := range bytes.SplitAfter(text, []byte("\n")) {
		if s, word, ok := suppressionOn(line, at, n+1); ok {
			if word == enableFrom {
				closeRanges(found, s)
			} else {
				found = append(found, s)
			}
		}
		at += len(line)
	}
	return found
}

func suppressionOn(line []byte, at, n int) (s suppression, word string, ok bool) {
	comment := bytes.Index(line, []byte("//"))
	if block := bytes.Index(line, []byte("/*")); block >= 0 && (comment < 0 || block < comment) {
		comment = block
	}
	if comment < 0 {
		return s, "", false
	}
	i := bytes.Index(line[comment:], []byte("leveret-"))
	if i < 0 {
		return s, "", false
	}
	i += comment
	words := strings.TrimRight(string(line[i:]), "\r\n")
	words, _, _ = strings.Cut(words, "*/")
	words, _, _ = strings.Cut(words, "//")
	words, _, _ = strings.Cut(words, "--") // a reason may follow
	words = strings.TrimRight(words, " \t")
	fields := strings.FieldsFunc(words, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' })
	s = suppression{line: n, start: at + i, end: at + i + len(words), oracles: fields[1:]}
	switch fields[0] {
	case disableNextLine:
		s.first, s.last = n+1, n+1
	case disableLine:
		s.first, s.last = n, n
	case disableFrom:
		s.first, s.last = n, forever
	case enableFrom:
		s.first = n
	default:
		return s, "", false
	}
	return s, fields[0], true
}

// closeRanges ends the open ranges that an enabling comment names.
func closeRanges(open []suppression, by suppression) {
	for i := range open {
		if open[i].last == forever && (len(by.oracles) == 0 || slices.Equal(by.oracles, open[i].oracles)) {
			open[i].last = by.first
		}
	}
}
