package engine

import (
	"reflect"
	"testing"
)

// No source changes the run that the others and the triage learn from, although it is in
// the memory of the executor.
func TestLearningKeepsTheRun(t *testing.T) {
	for _, row := range []struct {
		file  string
		names []string
	}{{"testdata/Sequences.sol", []string{"Lock", "Queue", "Turns"}}, {"testdata/Planted.sol", []string{"Stateful", "Linear", "Voucher"}}} {
		b := compile(t, row.file)
		for _, name := range row.names {
			c := begin(t, b, name, Options{MaxInputs: 4000, Seed: 1})
			c.loadCorpus()
			w := c.workers[0]
			for !w.spent(t.Context()) && w.budget.take() {
				r := w.execute()
				before := r.Run
				before.Keep()
				w.learn(r)
				after := r.Run
				after.Keep()
				if !reflect.DeepEqual(before, after) {
					t.Fatalf("%s: after %s the run is %+v, and was %+v", name, r.Sequence, after, before)
				}
			}
		}
	}
}
