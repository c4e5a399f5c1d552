package testreport

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// All functions of the test contract that never succeed are listed, and a few of other
// contracts; -v lists all.
func TestReverting(t *testing.T) {
	s := Suite{File: "test/A.t.sol", Contract: "ATest"}
	for i := range 2 * fewOthers {
		s.Reverting = append(s.Reverting, Reverting{Contract: "Vault", Function: fmt.Sprintf("f%d()", i), Calls: 100},
			Reverting{Contract: "ATest", Function: fmt.Sprintf("own%d()", i), Calls: 100, Reason: "no", File: "test/A.t.sol", Line: 3})
	}
	s.Reverting = append(s.Reverting, Reverting{Contract: "ATest", Function: "long()", Calls: 100, Reason: "two\nlines " + strings.Repeat("é", 300)})
	for verbose, others := range map[int]int{0: fewOthers, 1: 2 * fewOthers} {
		var out bytes.Buffer
		if err := writeText(&out, &Report{Suites: []Suite{s}}, verbose); err != nil {
			t.Fatal(err)
		}
		text := out.String()
		if strings.Count(text, "  no call of Vault.f") != others || strings.Count(text, "  no call of own") != 2*fewOthers ||
			!strings.Contains(text, "  no call of own7() succeeded (100 calls), most often: no\n    at test/A.t.sol:3\n") {
			t.Errorf("verbose %d:\n%s", verbose, text)
		}
		if !strings.Contains(text, "most often: two lines "+strings.Repeat("é", longReason-10)+"…\n") {
			t.Errorf("a long reason: %s", text)
		}
		if more := strings.Contains(text, "  nor of 8 more functions of other contracts, which -v lists\n"); more != (verbose == 0) {
			t.Errorf("verbose %d:\n%s", verbose, text)
		}
	}
}
