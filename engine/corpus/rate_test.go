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

// A Mean follows the latest inputs.
func TestMean(t *testing.T) {
	var m Mean
	if m.Of(7) != 7 {
		t.Error("a Mean of no input has a value")
	}
	for _, row := range []struct {
		inputs      int
		work        uint64
		least, most uint64
	}{
		{1, 1000, 1000, 1000}, {latest, 9000, 5500, 6500}, {10 * latest, 9000, 8900, 9000}, {10 * latest, 0, 0, 40}, {20 * latest, 1 << 40, 1<<40 - 1<<36, 1 << 40},
	} {
		for range row.inputs {
			m.Count(row.work)
		}
		if got := m.Of(7); got < row.least || got > row.most {
			t.Errorf("after %d inputs with a work of %d the mean is %d", row.inputs, row.work, got)
		}
	}
}
