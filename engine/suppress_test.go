package engine

import "testing"

// Comments suppress the oracles that they name at their place, and the result
// counts what each suppressed.
func TestSuppressed(t *testing.T) {
	b := compile(t, "testdata/Suppressed.sol")
	r := run(t, b, "Silenced", Options{MaxInputs: 3000, Seed: 1, Suppress: true, Oracles: []string{"assertion", "overflow"}})
	for _, f := range r.Findings {
		if f.Place.Start.Line != 14 {
			t.Errorf("line %d: %s", f.Place.Start.Line, f.Message)
		}
	}
	if len(r.Findings) != 1 {
		t.Errorf("%d findings", len(r.Findings))
	}
	var used []int
	for _, s := range r.Suppressions {
		used = append(used, s.Suppressed)
	}
	if len(used) != 3 || used[0] != 1 || used[1] != 1 || used[2] != 0 {
		t.Errorf("suppressed %v, want [1 1 0]", used)
	}
	if open := run(t, b, "Silenced", Options{MaxInputs: 3000, Seed: 1, Oracles: []string{"assertion", "overflow"}}); len(open.Findings) != 3 || open.Suppressions != nil {
		t.Errorf("%d findings and %v with suppression off", len(open.Findings), open.Suppressions)
	}
}

// A comment at the assertion of a helper suppresses what is found at its calls.
func TestSuppressedInHelper(t *testing.T) {
	b := compile(t, "testdata/Suppressed.sol")
	r := run(t, b, "Helped", Options{MaxInputs: 3000, Seed: 1, Suppress: true, Oracles: []string{"assertion"}})
	if len(r.Findings) != 1 || r.Findings[0].Place.Start.Line != 32 {
		t.Errorf("%d findings", len(r.Findings))
	}
	if len(r.Suppressions) != 1 || r.Suppressions[0].Suppressed != 2 {
		t.Errorf("suppressed: %v", r.Suppressions)
	}
}
