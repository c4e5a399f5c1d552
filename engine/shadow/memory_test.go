package shadow

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Flows of words lie side by side, and none overwrites another's, also if they do not fit
// or somebody appends to them.
func TestFlowMemory(t *testing.T) {
	var m flowMemory
	r := rand.New(rand.NewPCG(4, 2))
	for round := range 20 {
		var kept, want [][]Flow
		for word := range 200 {
			flows := m.room()
			for i := range r.IntN(8) + pieceSize*(r.IntN(20)/19) {
				flows = append(flows, Flow{Low: round, Bits: word, Shift: i})
			}
			flows = m.keep(flows)
			kept, want = append(kept, flows), append(want, slices.Clone(flows))
		}
		for _, flows := range kept {
			_ = append(flows, Flow{Low: -1})
		}
		for i := range kept {
			if !slices.Equal(kept[i], want[i]) {
				t.Fatalf("round %d: the flows of word %d are %v, not %v", round, i, kept[i], want[i])
			}
		}
		m.clear()
	}
}
