package report

import (
	"leveret/engine/finding"
	"leveret/solc/srcmap"
	"strings"
	"testing"
)

// TestExcerpt underlines places, those that do not fit the text included.
func TestExcerpt(t *testing.T) {
	text := []byte("one\n\ttwo(x)\r\n\xff\x1b[31m three\nlast")
	for _, c := range []struct {
		start, end srcmap.Position
		want       string // the lines, what is underlined in brackets
	}{
		{srcmap.Position{Line: 1, Column: 1}, srcmap.Position{Line: 1, Column: 4}, "[one]"},
		{srcmap.Position{Line: 2, Column: 2}, srcmap.Position{Line: 2, Column: 5}, "    [two](x)"},
		{srcmap.Position{Line: 1, Column: 2}, srcmap.Position{Line: 2, Column: 5}, "o[ne]|    [two](x)"},
		{srcmap.Position{Line: 3, Column: 1}, srcmap.Position{Line: 3, Column: 2}, "[\ufffd]\ufffd[31m three"},
		{srcmap.Position{Line: 4, Column: 3}, srcmap.Position{Line: 9, Column: 1}, "la[st]"},
		{srcmap.Position{Line: 4, Column: 99}, srcmap.Position{Line: 4, Column: 100}, "last[]"},
		{srcmap.Position{Line: 9, Column: 1}, srcmap.Position{Line: 9, Column: 2}, ""},
		{srcmap.Position{}, srcmap.Position{}, ""},
		{srcmap.Position{Line: 1, Column: 3}, srcmap.Position{Line: 1, Column: 1}, "on[]e"},
	} {
		lines, _ := excerpt(text, finding.Place{Start: c.start, End: c.end})
		var got []string
		for _, l := range lines {
			got = append(got, l.Before()+"["+l.Marked()+"]"+l.After())
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%v-%v: got %q, want %q", c.start, c.end, s, c.want)
		}
	}
}

func TestExcerptIsBounded(t *testing.T) {
	long := []byte(strings.Repeat(strings.Repeat("x", 1000)+"\n", 50))
	lines, more := excerpt(long, finding.Place{Start: srcmap.Position{Line: 1, Column: 900}, End: srcmap.Position{Line: 50, Column: 1}})
	if len(lines) != maxExcerptLines || !more || len([]rune(lines[0].Text)) > maxExcerptColumns {
		t.Errorf("%d lines, more %t", len(lines), more)
	}
	for _, l := range lines {
		_ = l.Before() + l.Marked() + l.After()
	}
}
