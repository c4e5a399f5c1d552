package change

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// apply applies edits in a simple way.
func apply(old, text []byte, edits []Edit) []byte {
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
		edits := Diff([]byte(old), []byte(text))
		if got := apply([]byte(old), []byte(text), edits); string(got) != text {
			t.Errorf("%q to %q: edits %v produce %q", old, text, edits, got)
		}
		for _, h := range Hunks([]byte(old), []byte(text)) {
			if h.Start > 0 && old[h.Start-1] != '\n' {
				t.Errorf("%q to %q: hunk %+v does not start at a line", old, text, h)
			}
			if h.At+h.Size > len(text) {
				t.Errorf("%q to %q: hunk %+v is outside of the new text", old, text, h)
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

// A line that is inserted or deleted before one with the same indentation does not
// touch that one.
func TestDiffOfWholeLines(t *testing.T) {
	for _, row := range []struct {
		short, long string
		start, size int
	}{
		{"a\n  b\n", "a\n  // c\n  b\n", 2, 7},
		{"  b\n", "  // c\n  b\n", 0, 7},
		{"a\r\n\tb\r\n", "a\r\n\t\r\n\tb\r\n", 3, 3},
		{"a\n  b\n", "a\n  c\n b\n", 4, 3},
	} {
		if got, want := fmt.Sprint(Diff([]byte(row.short), []byte(row.long))), fmt.Sprint([]Edit{{row.start, row.start, row.size}}); got != want {
			t.Errorf("%q to %q: %s, want %s", row.short, row.long, got, want)
		}
		if got, want := fmt.Sprint(Diff([]byte(row.long), []byte(row.short))), fmt.Sprint([]Edit{{row.start, row.start + row.size, 0}}); got != want {
			t.Errorf("%q to %q: %s, want %s", row.long, row.short, got, want)
		}
	}
}

// Edits of a line are those of its words, without what two words have in common.
func TestDiffOfWords(t *testing.T) {
	for _, row := range []struct{ old, text, want string }{
		{"a = b; assert(x != 3);", "\ta = b; assert(x != 9);", "[{0 0 1} {19 20 1}]"},
		{"two(b)", "twain(b, cd)", "[{2 3 3} {5 5 4}]"},
		{"x\nf(a) + g(b)\n", "y\nf(ä) + g(d)\n", "[{0 1 1} {4 5 2} {11 12 1}]"},
		{"a.b", "c.d" + strings.Repeat("e", maxWordDiff), fmt.Sprint([]Edit{{0, 3, 3 + maxWordDiff}})},
	} {
		if got := fmt.Sprint(Diff([]byte(row.old), []byte(row.text))); got != row.want {
			t.Errorf("%q to %.20q: %v, want %v", row.old, row.text, got, row.want)
		}
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
		if got := apply(old, text, Diff(old, text)); !bytes.Equal(got, text) {
			t.Fatalf("%q to %q produced %q", old, text, got)
		}
	})
}
