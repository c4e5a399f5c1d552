package engine

import (
	"testing"

	"leveret/engine/finding"
)

// Each finding is found once and then shrunk once, with the same ID and place. The
// result has the shrunk witness and the first occurrence.
func TestFindingsAreShrunkAfterTheyAreFound(t *testing.T) {
	b := compile(t, "testdata/Planted.sol")
	shorter := 0
	for _, name := range []string{"Stateful", "Property", "Sale", "Hashed", "Phrase"} {
		found, shrunk := map[string]finding.Finding{}, map[string]finding.Finding{}
		r := run(t, b, name, Options{MaxInputs: 4000, Seed: 1, Observe: func(e Event) {
			switch e.Kind {
			case EventFound:
				if _, again := found[e.Finding.ID]; again {
					t.Errorf("%s is found twice", e.Finding.ID)
				}
				found[e.Finding.ID] = *e.Finding
			case EventShrunk:
				first, known := found[e.Finding.ID]
				if _, again := shrunk[e.Finding.ID]; again || !known {
					t.Errorf("%s is shrunk twice or before it is found", e.Finding.ID)
				}
				if first.Place != e.Finding.Place || len(first.Witness.Txs) < len(e.Finding.Witness.Txs) {
					t.Errorf("%s at %v became longer or moved to %v", e.Finding.ID, first.Place, e.Finding.Place)
				}
				shrunk[e.Finding.ID] = *e.Finding
			}
		}})
		if len(r.Findings) == 0 || len(found) != len(r.Findings) || len(shrunk) != len(found) {
			t.Errorf("%s: %d findings, %d found, %d shrunk", name, len(r.Findings), len(found), len(shrunk))
		}
		for _, f := range r.Findings {
			if f.Witness.String() != shrunk[f.ID].Witness.String() || f.Inputs != found[f.ID].Inputs || f.Inputs == 0 {
				t.Errorf("%s is in the result with %d inputs and\n%s", f.ID, f.Inputs, f.Witness)
			}
			if f.Witness.String() != found[f.ID].Witness.String() {
				shorter++
			}
		}
	}
	if shorter == 0 {
		t.Error("no witness became shorter")
	}
}
