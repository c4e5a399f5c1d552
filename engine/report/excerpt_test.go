package report

import (
	"leveret/engine/finding"
	"leveret/engine/report/words"
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

func TestNumber(t *testing.T) {
	for in, want := range map[string]string{
		"0": "0", "-7": "-7", "1000000": "1000000", "21786492178": "21786492178", "1000000000000": "1e12", "-25000000000000": "-25e12",
		"18446744073709551615": "2**64 - 1", "18446744073709551616": "2**64", "18446744073709551620": "2**64 + 4",
		"115792089237316195423570985008687907853269984665640564039457584007913129639935": "2**256 - 1",
		"-57896044618658097711785492504343953926634992332820282019728792003956564819968": "-(2**255)",
		"57896044618658097711785492504343953926634992332820282019728792003956564819949":  "2**255 - 19",
		"123456789012345678901234567891":                                                 "123456789012345678901234567891",
	} {
		if got := words.Number(in); got != want {
			t.Errorf("number(%s) = %s, want %s", in, got, want)
		}
	}
}
