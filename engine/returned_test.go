package engine

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"leveret/engine/search/searchtest"
	"leveret/engine/suite"
	"leveret/solc"
	"leveret/solc/solctest"
)

// returnedInputs is more than twice what the slowest compiler's code needs.
const returnedInputs = 20_000

// Comparisons that properties return are goals of the search like those of jumps, in
// the code of old and new compilers.
func TestReturnedComparisons(t *testing.T) {
	source, err := os.ReadFile("testdata/suites/Returned.sol")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ version, settings string }{
		{"0.4.26", "optimizer = false"},
		{"0.5.17", "optimizer = true"},
		{"0.6.12", "optimizer = false"},
		{"0.8.30", "optimizer = false"},
		{"0.8.30", "optimizer = true"},
		{"0.8.30", "optimizer = true\nvia_ir = true"},
	} {
		t.Run(row.version+" "+strings.ReplaceAll(row.settings, "\n", ", "), func(t *testing.T) {
			text := strings.Replace(string(source), ">=0.4.24 <0.9.0", row.version, 1)
			dir := solctest.Write(t, "foundry.toml", "[profile.default]\nsrc = 'src'\n"+row.settings, "src/Returned.sol", text)
			b := searchtest.Compile(t, dir+"/src/Returned.sol")
			config := solc.DefaultHarnessConfig(solc.Echidna)
			s, err := suite.NewHarness(context.Background(), contract(t, b, "Returned"), b.Contracts, config, suite.Options{Now: time.Now})
			if err != nil {
				t.Fatal(err)
			}
			results, err := SearchHarness(context.Background(), s, Options{Seed: 1, MaxInputs: returnedInputs})
			if err != nil {
				t.Fatal(err)
			}
			properties := 0
			for i := range results {
				r := &results[i]
				if !strings.HasPrefix(r.Test.Name, "echidna_") {
					continue
				}
				properties++
				if want := r.Test.Name != "echidna_holds"; (r.Finding != nil) != want {
					t.Errorf("%s: %s", r.Test.Name, r.Verdict.Status)
				} else if want {
					t.Log(r.Test.Name, fmt.Sprint(r.Finding.Inputs), r.Finding.Witness.Brief())
				}
			}
			if properties != 10 {
				t.Errorf("%d properties", properties)
			}
		})
	}
}
