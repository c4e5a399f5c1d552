package session

import (
	"fmt"
	"strings"
	"testing"
)

// Typing in a large file with thousands of findings: each edit moves all of
// them, also after edits in distant places.
func BenchmarkTyping(b *testing.B) {
	var text strings.Builder
	text.WriteString("contract A\n")
	for i := range 10_000 {
		if i%5 == 0 {
			fmt.Fprintf(&text, "bug b%d\n", i)
		} else {
			fmt.Fprintf(&text, "    some line of code, number %d, of usual length;\n", i)
		}
	}
	for _, test := range []struct {
		name  string
		lines []int
	}{
		{"one place", []int{5001}},
		{"two places", []int{12, 9902}},
	} {
		b.Run(test.name, func(b *testing.B) {
			l := newLab(b)
			l.open("A.sol", text.String())
			l.rest()
			for i := range b.N {
				at := Point{Line: test.lines[i%len(test.lines)]}
				if err := l.Change(l.path("A.sol"), int32(i+2), []TextChange{{Start: at, End: at, Text: "x"}}); err != nil {
					b.Fatal(err)
				}
				if n := len(l.Snapshot().Marks(l.path("A.sol"))); n != 2000 {
					b.Fatalf("%d findings are shown", n)
				}
			}
		})
	}
}
