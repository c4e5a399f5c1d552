package locals

import (
	"path/filepath"
	"strings"
	"testing"

	"leveret/engine/search/searchtest"
	"leveret/solc/compiler"
)

// What the debugger shows of parameters, return variables and locals is what contracts
// report of them, and all of them are shown.
func TestValuesAreTrue(t *testing.T) {
	tools := compiler.NewToolchain(searchtest.Env(t))
	defer tools.Close()
	for _, c := range []struct{ contract, functions string }{
		{"Values", "Base.nested Base.twice Values.hook Values.elementary Values.named Values.lists Values.structs Values.modified Values.helper Values.tries Values.makes Values.assembled Sums.sum Sums.bump Child.constructor Parent.only"},
		{"Early", "EarlyBase.limited Early.values Early.helper Early.strings Early.calldatas"},
	} {
		b := searchtest.CompileWith(t, tools, filepath.Join("testdata", c.contract+".sol"))
		tally, err := Measure(t.Context(), tools, searchtest.Contract(t, b, c.contract), Options{Inputs: 600, Sequences: 24, Seed: 1})
		if err != nil {
			t.Fatalf("%s: %v", c.contract, err)
		}
		t.Logf("%s: shown %d, unknown %d", c.contract, tally.Shown, tally.Unknown)
		for _, e := range tally.Errors {
			t.Error(e)
		}
		if tally.Unknown > 0 || tally.Wrong > 0 {
			t.Errorf("%s: %d values are not shown, %d are wrong", c.contract, tally.Unknown, tally.Wrong)
		}
		for _, f := range strings.Fields(c.functions) {
			if !tally.Functions[b.Contracts[0].File+":"+f] {
				t.Errorf("%s: no value of %s", c.contract, f)
			}
		}
	}
}
