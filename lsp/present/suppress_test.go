package present

import (
	"slices"
	"strings"
	"testing"
)

func TestSuppressions(t *testing.T) {
	for _, test := range []struct {
		name, text string
		oracle     string
		lines      []int // that are silenced, of the first six
	}{
		{"next line", "a\n// leveret-disable-next-line\nb\nc\n", "assertion", []int{3}},
		{"named", "a\n// leveret-disable-next-line assertion\nb\n", "assertion", []int{3}},
		{"another named", "a\n// leveret-disable-next-line overflow\nb\n", "assertion", nil},
		{"several", "a\n// leveret-disable-next-line overflow, assertion\nb\n", "assertion", []int{3}},
		{"with a reason", "// leveret-disable-next-line assertion -- we know\nb\n", "assertion", []int{2}},
		{"block comment", "a /* leveret-disable-line assertion */\nb\n", "assertion", []int{1}},
		{"same line", "a\nb // leveret-disable-line\n", "assertion", []int{2}},
		{"range", "a\n// leveret-disable\nb\nc\n// leveret-enable\nd\n", "assertion", []int{2, 3, 4, 5}},
		{"open range", "a\n// leveret-disable assertion\nb\nc\nd\ne", "assertion", []int{2, 3, 4, 5, 6}},
		{"closed by another name", "// leveret-disable assertion\n// leveret-enable overflow\nb\nc\nd\ne", "assertion", []int{1, 2, 3, 4, 5, 6}},
		{"carriage returns", "a\r\n// leveret-disable-next-line assertion\r\nb\r\n", "assertion", []int{3}},
		{"no comment", "leveret-disable-next-line\nb\n", "assertion", nil},
		{"unknown word", "// leveret-disable-everything\nb\n", "assertion", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var lines []int
			for line := 1; line <= 6; line++ {
				if slices.ContainsFunc(suppressions([]byte(test.text)), func(s suppression) bool { return s.covers(test.oracle, line) }) {
					lines = append(lines, line)
				}
			}
			if !slices.Equal(lines, test.lines) {
				t.Errorf("silenced %v, want %v", lines, test.lines)
			}
		})
	}
}

func FuzzSuppressions(f *testing.F) {
	f.Add([]byte("a\n// leveret-disable-next-line overflow, assertion -- why\nb\n/* leveret-enable */"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, s := range suppressions(text) {
			if s.start < 0 || s.end < s.start || s.end > len(text) || !strings.HasPrefix(string(text[s.start:s.end]), "leveret-") {
				t.Fatalf("%+v in %q", s, text)
			}
		}
	})
}
