package replay

// maxPeriod is the longest repeated run of Steps that is folded: the body of a
// loop.
const maxPeriod = 32

// fold merges repeated runs of Steps: the iterations of a loop appear once,
// with their number.
func fold(steps []Step) []Step {
	var out []Step
	for i := 0; i < len(steps); {
		period, times := repetition(steps[i:])
		first := len(out)
		out = append(out, steps[i:i+period]...)
		if times > 1 {
			out[first].Times, out[first].Of = times, period
		}
		i += period * times
	}
	return out
}

// repetition returns the shortest run at the start that repeats at once, and
// its count; the first Step alone if none repeats.
func repetition(steps []Step) (period, times int) {
	for period := 1; period <= maxPeriod && 2*period <= len(steps); period++ {
		if times := rounds(steps, period); times > 1 {
			return period, times
		}
	}
	return 1, 1
}

// rounds counts the repetitions of the first period Steps at the start.
func rounds(steps []Step, period int) int {
	n := period
	for n < len(steps) && steps[n].Depth == steps[n-period].Depth && same(steps[n].Place, steps[n-period].Place) {
		n++
	}
	return n / period
}
