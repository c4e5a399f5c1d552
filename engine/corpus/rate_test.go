package corpus

import "testing"

// A Rate follows the latest inputs.
func TestRate(t *testing.T) {
	var r Rate
	for _, row := range []struct {
		inputs, repeats int // in turn
		least, most     int // new ones of 1000
	}{
		{1, 0, 1000, 1000}, {0, 10 * latest, 0, 5}, {latest, 0, 550, 700}, {10 * latest, 0, 995, 1000}, {10 * latest, 10 * latest, 450, 550},
	} {
		for n := range max(row.inputs, row.repeats) {
			if n < row.inputs {
				r.Count(false)
			}
			if n < row.repeats {
				r.Count(true)
			}
		}
		if n := r.New(1000); n < row.least || n > row.most {
			t.Errorf("after %d new inputs and %d repeats: %d", row.inputs, row.repeats, n)
		}
	}
}
