package suppress

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// describe returns "first-last oracles" for each comment.
func describe(list []Comment) string {
	var parts []string
	for _, c := range list {
		last := fmt.Sprint(c.Last)
		if c.Last == math.MaxInt {
			last = "∞"
		}
		parts = append(parts, strings.TrimSpace(fmt.Sprintf("%d-%s %s", c.First, last, strings.Join(c.Oracles, " "))))
	}
	return strings.Join(parts, "; ")
}

func TestParse(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"// leveret-disable-next-line overflow -- counts up slowly\nx;", "2-2 overflow"},
		{"x; // leveret-disable-line", "1-1"},
		{"x; /* leveret-disable-line panic, overflow */ y;", "1-1 panic overflow"},
		{"// leveret-disable timestamp\na;\nb;\n// leveret-enable timestamp\nc;", "1-4 timestamp"},
		{"// leveret-disable\na;\n// leveret-enable\n", "1-3"},
		{"/*\n * leveret-disable-next-line overflow\n */\nx;", "4-4 overflow"},
		{`string s = "// leveret-disable-line"; x;`, ""},
		{`string s = 'it\'s // leveret-disable-line'; x;`, ""},
		{`s = "a\\"; // leveret-disable-line`, "1-1"},
		{"// see leveret-disable-line overflow\n// leveret-disabled\n//\n/**/ // leveret", ""},
		{"x; // todo // leveret-disable-line", ""},
		{"// leveret-disable a\n// leveret-enable b", "1-∞ a"},
		{"a\r\n// leveret-disable-next-line assertion\r\nb\r\n", "3-3 assertion"},
		{"leveret-disable-next-line\nb\n", ""},
		{"/// leveret-disable-line a,b", "1-1 a b"},
	} {
		if got := describe(Parse([]byte(row.text))); got != row.want {
			t.Errorf("%q: %q, want %q", row.text, got, row.want)
		}
	}
}

func TestCovers(t *testing.T) {
	const text = "a\n// leveret-disable assertion\nb\n// leveret-enable\nc\nd // leveret-disable-line\n"
	for oracle, want := range map[string][]int{"assertion": {2, 3, 4, 6}, "overflow": {6}} {
		var lines []int
		for line := range 8 {
			if slices.ContainsFunc(Parse([]byte(text)), func(c Comment) bool { return c.Covers(oracle, line) }) {
				lines = append(lines, line)
			}
		}
		if !slices.Equal(lines, want) {
			t.Errorf("%s: %v, want %v", oracle, lines, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("a\n// leveret-disable-next-line overflow, assertion -- why\nb\n/* leveret-enable */ \"//\" 'x\\'' /*"))
	f.Fuzz(func(t *testing.T, text []byte) {
		end := 0
		for _, s := range comments(text) {
			if s.Start < end || s.Length < 2 || s.End() > len(text) {
				t.Fatalf("comment at %d+%d of %d, after %d", s.Start, s.Length, len(text), end)
			}
			end = s.End()
		}
		for _, c := range Parse(text) {
			if !c.Span.Contains(c.Directive) || !strings.HasPrefix(string(text[c.Directive.Start:]), "leveret-") {
				t.Fatalf("%+v in %q", c, text)
			}
		}
	})
}
