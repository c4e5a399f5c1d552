package triage

import (
	"slices"
	"testing"

	"github.com/holiman/uint256"

	"leveret/engine/finding"
	"leveret/engine/input"
)

// A contract that the deployment chose does harm if it returns numbers in place of data,
// even the plainest ones.
func TestNumbersAreNoData(t *testing.T) {
	all := newTriaging(t, "../oracle/testdata/overflow/miss_data_06.sol", "Reader")
	s := all.call(t, "read")
	one := *uint256.NewInt(1)
	s.Txs[0].Script = &input.Script{Mode: input.Accept, Answers: [][]uint256.Int{slices.Repeat([]uint256.Int{one}, 10)}}
	verdicts := all.Check(s)
	if len(verdicts) == 0 {
		t.Fatal("nothing is reported")
	}
	for i := range verdicts {
		if r := &verdicts[i].report; r.Severity != finding.Information {
			t.Errorf("%s: %s", r.Severity, r.Message)
		}
	}
}
