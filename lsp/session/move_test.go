package session

import (
	"bytes"
	"strings"
	"testing"

	"leveret/solc/change"
)

func TestFollow(t *testing.T) {
	const text = "one;\n  two();\n\tthree;\nfour;\n"
	const mark = "two()"
	at := strings.Index(text, mark)
	for _, test := range []struct {
		name, old, fresh string
		want             string // the text in the range after the edit
		effect           editEffect
	}{
		{"line above grows", "one;", "one and more;", mark, kept},
		{"line above goes", "one;\n", "", mark, kept},
		{"line inserted above", "one;\n", "one;\nnew;\n", mark, kept},
		{"line with its indentation inserted above", "  two", "  new;\n  two", mark, kept},
		{"line break before it", "  two", "  \n  two", mark, kept},
		{"line below changes", "three", "3", mark, kept},
		{"line inserted below", "two();\n", "two();\nnew;\n", mark, kept},
		{"above and below", text, "zero;\none;\n  two();\n3;\nfour;\n", mark, kept},
		{"comment on its line", "two();", "two(); // why", mark, touched},
		{"text before it on its line", "  two", "  if (x) two", mark, touched},
		{"inside it", "two()", "two(7)", "two(7)", touched},
		{"its front", "two", "twain", "twain()", touched},
		{"its first word", "two", "four", "four()", touched},
		{"before it and inside it", "  two()", "\tif (x) two(7)", "two(7)", touched},
		{"before it, inside it and behind it", "  two();", "{ two(7, 8); }", "two(7, 8)", touched},
		{"a line break inside it", "two()", "two(\n)", "two(\n)", touched},
		{"all of it by lines", "two()", "abc;\n  defgh", "abc;", touched},
		{"its line deleted", "  two();\n", "", "", deleted},
		{"its line emptied", "two();", "", "", deleted},
		{"deleted with its neighbours", "one;\n  two();\n\tthree;", "", "", deleted},
		{"everything replaced", text, "nothing;\nas;\nit was;\n", "nothing;", touched},
	} {
		t.Run(test.name, func(t *testing.T) {
			after := strings.Replace(text, test.old, test.fresh, 1)
			edits := change.Diff([]byte(text), []byte(after))
			start, end, got := follow([]byte(text), []byte(after), edits, at, at+len(mark))
			if got != test.effect {
				t.Fatalf("effect %v, want %v (edits %v)", got, test.effect, edits)
			}
			if got != deleted && after[start:end] != test.want {
				t.Errorf("covers %q, want %q (edits %v)", after[start:end], test.want, edits)
			}
		})
	}
}

// After any edit, a range stays inside the text.
func FuzzFollow(f *testing.F) {
	f.Add([]byte("a\nb\nc\n"), []byte("a\nc\n"), uint(0), uint(1))
	f.Add([]byte("x\na\nb\ny\nc\nz\n"), []byte("x\nA\nb\ny\nz\nq\n"), uint(2), uint(3))
	f.Add([]byte("a\r\nb\r\n"), []byte("a\r\nc\r\n"), uint(0), uint(1))
	f.Add([]byte("no end"), []byte("no end\n"), uint(0), uint(6))
	f.Fuzz(func(t *testing.T, old, text []byte, start, length uint) {
		from := int(start % uint(len(old)+1))
		to := from + int(length%uint(len(old)-from+1))
		s, e, effect := follow(old, text, change.Diff(old, text), from, to)
		if effect != deleted && (s < 0 || e < s || e > len(text)) {
			t.Fatalf("%d-%d of %q is %d-%d of %q", from, to, old, s, e, text)
		}
		if effect == kept && !bytes.Equal(old[from:to], text[s:e]) {
			t.Fatalf("%q moved to %q", old[from:to], text[s:e])
		}
	})
}
