package engine

import (
	"strings"
	"testing"

	"leveret/engine/finding"
)

// Accounts that the code requires as senders are tried, also behind other conditions,
// and findings say who they are. One whose address is a number in the code and whose
// key is not known makes its findings notes.
func TestRequiredSenders(t *testing.T) {
	b := compile(t, "testdata/Senders.sol")
	for _, row := range []struct {
		name, function, says string
		severity             finding.Severity
		line                 int // of the check, from 1; 0: there is none
	}{
		{"Numbered", "second()", "whose key nobody here has", finding.Information, 14},
		{"Numbered", "anybody(uint256)", "", finding.Error, 0},
		{"Trusting", "check(uint256)", "whose key nobody here has", finding.Error, 32},
		{"Tested", "check(uint256)", "account 0 of Hardhat and Anvil: everybody has its key", finding.Error, 40},
	} {
		r := run(t, b, row.name, Options{MaxInputs: 4000, Seed: 1, Oracles: []string{"assertion"}})
		seen := false
		for _, f := range r.Findings {
			if f.Function != row.function {
				continue
			}
			seen = true
			last := finding.Related{}
			if n := len(f.Related); n > 0 {
				last = f.Related[n-1]
			}
			if f.Severity != row.severity || !strings.HasSuffix(last.Message, row.says) || last.Place.Start.Line+1 != max(row.line, 1) && last.Place.Start.Line != row.line {
				t.Errorf("%s.%s: %s, %+v", row.name, row.function, f.Severity, f.Related)
			}
			if f.Severity > finding.Information {
				replayed(t, b, row.name, f.Witness)
			}
		}
		if !seen {
			t.Errorf("%s.%s: not found", row.name, row.function)
		}
	}
}
