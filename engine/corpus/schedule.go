package corpus

// maxEnergy bounds the inputs made from an Entry at one pick.
const maxEnergy = 1024

// A Schedule assigns the number of inputs to make from an Entry at a pick; 0
// skips it.
type Schedule struct {
	Name   string
	Energy func(c *Corpus, e *Entry) int
}

// CutOffExponential is AFLFast's cut-off exponential schedule (CCS 2016,
// section 3.4), the baseline of the papers: zero for paths that run more often
// than the mean, and for the others twice as much at every pick.
var CutOffExponential = Schedule{Name: "cut-off exponential", Energy: func(c *Corpus, e *Entry) int {
	if float64(c.Runs(e)) > c.MeanRuns() {
		return 0
	}
	return Slowed(e, min(1<<min(e.Usage.Selected, 10), maxEnergy))
}}

// usualGas is the most gas that an ordinary transaction uses.
const usualGas = 300_000

// Slowed reduces the energy of a slow Entry: one that takes ten times the usual
// gas gets a tenth.
func Slowed(e *Entry, energy int) int {
	if e.Gas > usualGas && energy > 0 {
		return max(1, int(uint64(energy)*usualGas/e.Gas))
	}
	return energy
}
