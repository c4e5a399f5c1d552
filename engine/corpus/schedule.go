package corpus

// MaxEnergy bounds how many inputs are made from an Entry at one pick.
const MaxEnergy = 1024

// A Schedule says how many inputs an Entry is worth at this pick; 0 passes
// it over.
type Schedule struct {
	Name   string
	Energy func(c *Corpus, e *Entry) int
}

// CutOffExponential is AFLFast's schedule (CCS 2016, section 3.4), the
// papers' baseline: nothing for paths that are taken more often than the
// mean, for the others twice as much at every pick.
var CutOffExponential = Schedule{Name: "cut-off exponential", Energy: func(c *Corpus, e *Entry) int {
	if float64(c.Runs(e)) > c.MeanRuns() {
		return 0
	}
	return Slowed(e, min(1<<min(e.Usage.Selected, 10), MaxEnergy))
}}

// usualGas is what an ordinary transaction uses at most.
const usualGas = 300_000

// Slowed reduces the energy of an Entry that is slow to run: what takes ten
// times as long as usual gets a tenth.
func Slowed(e *Entry, energy int) int {
	if e.Gas > usualGas && energy > 0 {
		return max(1, int(uint64(energy)*usualGas/e.Gas))
	}
	return energy
}
