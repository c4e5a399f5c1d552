package session

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// apply is the slow way to make an edit.
func apply(old, text []byte, edits []edit) []byte {
	var out []byte
	at, ahead := 0, 0
	for _, e := range edits {
		out = append(out, old[at:e.Start]...)
		out = append(out, text[e.Start+ahead:e.Start+ahead+e.Size]...)
		at = e.End
		ahead += e.Size - (e.End - e.Start)
	}
	return append(out, old[at:]...)
}

var diffTests = []struct{ old, text string }{
	{"", ""}, {"", "a"}, {"a", ""}, {"a\n", "a\n"},
	{"a\nb\nc\n", "a\nc\n"}, {"a\nc\n", "a\nb\nc\n"},
	{"a\nb\nc", "a\nB\nc"}, {"a\na\na\n", "a\na\n"},
	{"x\na\nb\ny\nc\nz\n", "x\nA\nb\ny\nz\nq\n"},
	{"a\r\nb\r\n", "a\r\nc\r\n"}, {"same\n", "same"}, {"no end", "no end\n"},
}

func TestDiffTurnsOldIntoNew(t *testing.T) {
	check := func(old, text string) {
		t.Helper()
		edits := diff([]byte(old), []byte(text))
		if got := apply([]byte(old), []byte(text), edits); string(got) != text {
			t.Errorf("%q to %q: edits %v make %q", old, text, edits, got)
		}
		for _, h := range lineHunks([]byte(old), []byte(text)) {
			if h.Start > 0 && old[h.Start-1] != '\n' {
				t.Errorf("%q to %q: hunk %+v does not start a line", old, text, h)
			}
			if h.at+h.Size > len(text) {
				t.Errorf("%q to %q: hunk %+v is out of the new text", old, text, h)
			}
		}
	}
	for _, test := range diffTests {
		check(test.old, test.text)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		old := randomLines(r)
		check(old, mutateLines(r, old))
	}
}

func randomLines(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(12) {
		fmt.Fprintf(&b, "%c%c\n", 'a'+rune(r.IntN(4)), 'a'+rune(r.IntN(3)))
	}
	return b.String()
}

func mutateLines(r *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	for range r.IntN(4) {
		i := r.IntN(len(lines))
		switch r.IntN(3) {
		case 0:
			lines[i] = ""
		case 1:
			lines[i] += "new\n"
		case 2:
			lines[i] = "x" + lines[i]
		}
	}
	return strings.Join(lines, "")
}

func FuzzDiff(f *testing.F) {
	for _, test := range diffTests {
		f.Add([]byte(test.old), []byte(test.text))
	}
	f.Fuzz(func(t *testing.T, old, text []byte) {
		if got := apply(old, text, diff(old, text)); !bytes.Equal(got, text) {
			t.Fatalf("%q to %q made %q", old, text, got)
		}
	})
}

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
			edits := diff([]byte(text), []byte(after))
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
	for _, test := range diffTests {
		f.Add([]byte(test.old), []byte(test.text), uint(0), uint(1))
	}
	f.Fuzz(func(t *testing.T, old, text []byte, start, length uint) {
		from := int(start % uint(len(old)+1))
		to := from + int(length%uint(len(old)-from+1))
		s, e, fate := follow(old, text, diff(old, text), from, to)
		if fate != gone && (s < 0 || e < s || e > len(text)) {
			t.Fatalf("%d-%d of %q is %d-%d of %q", from, to, old, s, e, text)
		}
		if fate == moved && !bytes.Equal(old[from:to], text[s:e]) {
			t.Fatalf("%q moved to %q", old[from:to], text[s:e])
		}
	})
}
