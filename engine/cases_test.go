package engine

import (
	"path/filepath"
	"testing"
)

func TestTry(t *testing.T) {
	for _, name := range []string{"FivePaths", "ThreeStep", "Squares", "LoopMaze"} {
		b := compile(t, filepath.Join("../../shared/cases", name+".sol"))
		result := run(t, b, name, Options{MaxInputs: 20000, Seed: 1})
		t.Logf("%s: %+v %s", name, result.Stats, result.Note)
		for _, f := range result.Findings {
			t.Logf("   %s %s:%d %s (%d inputs)\n%s", f.ID, f.Place.File, f.Place.Start.Line, f.Message, f.Inputs, f.Witness)
		}
	}
}
