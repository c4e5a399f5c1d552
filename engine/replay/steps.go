package replay

// maxPeriod is the longest run of Steps whose repetition is recognised: a
// loop's body.
const maxPeriod = 32

// fold puts runs of Steps that follow on themselves together: the rounds of a
// loop are shown once, with their number.
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

// repetition returns the shortest run at the start that is repeated at once,
// and how often it is there; the first Step alone if none is.
func repetition(steps []Step) (period, times int) {
	for period := 1; period <= maxPeriod && 2*period <= len(steps); period++ {
		if times := rounds(steps, period); times > 1 {
			return period, times
		}
	}
	return 1, 1
}

// rounds counts how often the first period Steps stand at the start in turn.
func rounds(steps []Step, period int) int {
	n := period
	for n < len(steps) && steps[n].Depth == steps[n-period].Depth && same(steps[n].Place, steps[n-period].Place) {
		n++
	}
	return n / period
}
