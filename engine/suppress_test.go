package engine

import (
	"strings"
	"testing"

	"leveret/engine/program"
	"leveret/solc"
)

// What a comment says, and which lines it holds for.
func TestSuppressions(t *testing.T) {
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
		{"// see leveret-disable-line\n// leveret-disabled\n//\n/**/ // leveret", ""},
		{"// leveret-disable a\n// leveret-enable b", "1-∞ a"},
	} {
		p := &program.Program{}
		s := &solc.Source{Name: "a.sol", Text: []byte(row.text)}
		var list []*suppression
		for _, span := range comments(s.Text) {
			list = silencer(p, list, s, span)
		}
		var got []string
		for _, s := range list {
			got = append(got, strings.TrimSpace(s.String()))
		}
		if strings.Join(got, "; ") != row.want {
			t.Errorf("%q: %q, should be %q", row.text, got, row.want)
		}
	}
}

func FuzzComments(f *testing.F) {
	f.Add("a // b\n/* c */ \"//\" 'x\\'' /*")
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, s := range comments([]byte(text)) {
			if s.Start < end || s.Length < 2 || s.End() > len(text) {
				t.Fatalf("comment at %d+%d of %d, after %d", s.Start, s.Length, len(text), end)
			}
			end = s.End()
		}
	})
}

// Comments silence what they name where they stand, and it is known which
// silenced nothing.
func TestSuppressed(t *testing.T) {
	b := compile(t, "testdata/Silenced.sol")
	r := run(t, b, "Silenced", Options{MaxInputs: 3000, Seed: 1, Suppress: true, Oracles: []string{"assertion", "overflow"}})
	for _, f := range r.Findings {
		if f.Place.Start.Line != 14 {
			t.Errorf("line %d: %s", f.Place.Start.Line, f.Message)
		}
	}
	if len(r.Findings) != 1 {
		t.Errorf("%d findings", len(r.Findings))
	}
	var used []int
	for _, s := range r.Silencers {
		used = append(used, s.Silenced)
	}
	if len(used) != 3 || used[0] != 1 || used[1] != 1 || used[2] != 0 {
		t.Errorf("silenced %v, should be [1 1 0]", used)
	}
	if open := run(t, b, "Silenced", Options{MaxInputs: 3000, Seed: 1, Oracles: []string{"assertion", "overflow"}}); len(open.Findings) != 3 || open.Silencers != nil {
		t.Errorf("%d findings and %v if comments do not count", len(open.Findings), open.Silencers)
	}
}
