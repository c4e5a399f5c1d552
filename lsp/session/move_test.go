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
		want             string // what the range covers afterwards
		fate             fate
	}{
		{"line above grows", "one;", "one and more;", mark, moved},
		{"line above goes", "one;\n", "", mark, moved},
		{"line inserted above", "one;\n", "one;\nnew;\n", mark, moved},
		{"line below changes", "three", "3", mark, moved},
		{"line inserted below", "two();\n", "two();\nnew;\n", mark, moved},
		{"above and below", text, "zero;\none;\n  two();\n3;\nfour;\n", mark, moved},
		{"comment on its line", "two();", "two(); // why", mark, touched},
		{"text before it on its line", "  two", "  if (x) two", mark, touched},
		{"inside it", "two()", "two(7)", "two(7)", touched},
		{"its front", "two", "twain", "twain()", touched},
		{"its line deleted", "  two();\n", "", "", gone},
		{"its line emptied", "two();", "", "", gone},
		{"deleted with its neighbours", "one;\n  two();\n\tthree;", "", "", gone},
		{"everything replaced", text, "nothing;\nas;\nit was;\n", "nothing;", touched},
	} {
		t.Run(test.name, func(t *testing.T) {
			after := strings.Replace(text, test.old, test.fresh, 1)
			edits := change.Diff([]byte(text), []byte(after))
			start, end, got := follow([]byte(text), []byte(after), edits, at, at+len(mark))
			if got != test.fate {
				t.Fatalf("fate %v, want %v (edits %v)", got, test.fate, edits)
			}
			if got != gone && after[start:end] != test.want {
				t.Errorf("covers %q, want %q (edits %v)", after[start:end], test.want, edits)
			}
		})
	}
}

// Whatever is edited, a range stays inside the text.
func FuzzFollow(f *testing.F) {
	f.Add([]byte("a\nb\nc\n"), []byte("a\nc\n"), uint(0), uint(1))
	f.Add([]byte("x\na\nb\ny\nc\nz\n"), []byte("x\nA\nb\ny\nz\nq\n"), uint(2), uint(3))
	f.Add([]byte("a\r\nb\r\n"), []byte("a\r\nc\r\n"), uint(0), uint(1))
	f.Add([]byte("no end"), []byte("no end\n"), uint(0), uint(6))
	f.Fuzz(func(t *testing.T, old, text []byte, start, length uint) {
		from := int(start % uint(len(old)+1))
		to := from + int(length%uint(len(old)-from+1))
		s, e, fate := follow(old, text, change.Diff(old, text), from, to)
		if fate != gone && (s < 0 || e < s || e > len(text)) {
			t.Fatalf("%d-%d of %q is %d-%d of %q", from, to, old, s, e, text)
		}
		if fate == moved && !bytes.Equal(old[from:to], text[s:e]) {
			t.Fatalf("%q moved to %q", old[from:to], text[s:e])
		}
	})
}
