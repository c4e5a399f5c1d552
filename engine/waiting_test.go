package engine

import (
	"context"
	"testing"
	"time"

	"leveret/engine/suite"
	"leveret/solc"
)

// The time that passes before a call that reverts counts for the next one, as in Echidna
// and Medusa, but not that before a call that vm.assume rejects.
func TestTimePassesBeforeFailingCalls(t *testing.T) {
	b := compile(t, "testdata/suites/Waiting.sol")
	for _, tool := range []solc.HarnessTool{solc.Echidna, solc.Medusa} {
		for name, fails := range map[string]bool{"Waiting": true, "Rejecting": false} {
			config := solc.DefaultHarnessConfig(tool)
			config.Checks.Assertions, config.Calls.Views = true, true
			config.Calls.MaxTimeDelay, config.Limits.SequenceLength = 1, 2
			s, err := suite.NewHarness(context.Background(), contract(t, b, name), b.Contracts, config, suite.Options{Now: time.Now})
			if err != nil {
				t.Fatal(err)
			}
			results, err := SearchHarness(context.Background(), s, Options{Seed: 1, MaxInputs: 2000})
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for _, r := range results {
				if r.Finding == nil {
					continue
				}
				found = true
				if txs := r.Finding.Witness.Txs; len(txs) != 2 || txs[0].Delay.Seconds != 1 || txs[1].Delay.Seconds != 1 {
					t.Errorf("%v %s: %v", tool, name, r.Finding.Witness.Brief())
				}
			}
			if found != fails {
				t.Errorf("%v %s: failing %v, want %v", tool, name, found, fails)
			}
		}
	}
}
