package engine

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"leveret/engine/finding"
	"leveret/engine/input"
)

// A harness that is open is fuzzed as Medusa does: also by functions that are named like
// invariants of Foundry. What it finds is known before it ends, and replays from its JSON.
func TestOpenHarness(t *testing.T) {
	b := compile(t, "testdata/tests/Handlers.sol")
	c := contract(t, b, "Handlers")
	var found []finding.Finding
	early := 0
	options := Options{MaxInputs: 20_000, Seed: 1, Observe: func(e Event) {
		if e.Kind == EventFound {
			found = append(found, *e.Finding)
			if e.Stats.Inputs < 5_000 {
				early++
			}
		}
	}}
	result, err := Run(t.Context(), c, b.Contracts, options)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(found, func(a, b finding.Finding) int { return strings.Compare(a.Function, b.Function) })
	if len(found) != 2 || found[0].Function != "check(uint256)" || found[1].Function != "property_below()" || early != 2 {
		t.Fatalf("%d findings early: %+v", early, found)
	}
	best := slices.IndexFunc(result.Tests, func(test finding.Test) bool { return test.Signature == "optimize_count()" })
	if value, err := strconv.Atoi(result.Tests[best].Best); err != nil || value < 14 || len(result.Tests[best].Witness.Txs) == 0 {
		t.Errorf("what is maximized: %+v", result.Tests[best])
	}
	if len(result.Tests) != 4 || slices.ContainsFunc(result.Tests, func(test finding.Test) bool { return test.Status == "failed" && test.Signature != "property_below()" }) {
		t.Errorf("properties %+v", result.Tests)
	}
	if calls := found[1].Witness.Brief(); len(calls) != 1 || !strings.Contains(calls[0], "invariant_adds()") || !strings.Contains(calls[0], "(2 times)") {
		t.Errorf("the property fails by %q", calls)
	}
	if made := found[1].Witness.Deployment.Describe(); !slices.Equal(made, []string{"deployer creates Handlers()", "Handlers creates Counter"}) {
		t.Errorf("deployment %q", made)
	}
	for _, f := range found {
		creations, txs := f.Witness.JSON(input.BlockTime{})
		abi := map[string]*input.ABI{}
		for _, name := range []string{"Handlers", "Counter"} {
			if abi[name], err = input.ParseABI(contract(t, b, name).ABI); err != nil {
				t.Fatal(err)
			}
		}
		witness, err := input.FromJSON(creations, txs, input.BlockTime{}, func(of, signature string) *input.Function { return abi[of].Method(signature) })
		if err != nil {
			t.Fatal(err)
		}
		again, err := Replay(t.Context(), c, b.Contracts, witness, Outside{}, false)
		if err != nil || len(again.Findings) != 1 || again.Findings[0].ID != f.ID {
			t.Errorf("%s replays to %+v, %v", f.Function, again, err)
		}
		trace, err := Trace(t.Context(), c, b.Contracts, witness, Outside{}, f)
		if err != nil || !strings.Contains(trace.String(), "0x0000000000000000000000000000000000010000 calls Handlers.") {
			t.Errorf("the trace of %s: %v\n%v", f.Function, err, trace)
		}
	}
}

// A known finding that no longer fails is told at once, while the campaign goes on.
func TestGoneEarly(t *testing.T) {
	b := compile(t, "testdata/tests/Early.t.sol")
	c := contract(t, b, "EarlyTest")
	put := input.Tx{Function: &input.Function{Name: "put", Signature: "put(uint256)"}}
	told := -1
	options := Options{MaxInputs: 20_000, Seed: 1, Known: []input.Sequence{{Txs: []input.Tx{put}}}, Observe: func(e Event) {
		if e.Kind == EventGone && told < 0 {
			told = e.Stats.Inputs
		}
	}}
	if _, err := Run(t.Context(), c, b.Contracts, options); err != nil {
		t.Fatal(err)
	}
	if told < 0 || told > 1_000 {
		t.Errorf("told after %d inputs of 20000", told)
	}
	told, options.MaxInputs, options.Tests.Names = -1, 1_000, []string{"invariant_light()"}
	if _, err := Run(t.Context(), c, b.Contracts, options); err != nil {
		t.Fatal(err)
	}
	if told >= 0 {
		t.Error("told though it may be one of an invariant that did not run")
	}
}
