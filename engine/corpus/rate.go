package corpus

// A Rate is how many of the latest inputs of a source, or made from an entry,
// were repeats of inputs that had been executed: an exponential moving average.
// The zero value is that of none.
type Rate struct {
	repeats int // 0: none, whole: all
}

// whole is a Rate of one, and latest the number of inputs that it averages.
const (
	whole  = 1 << 16
	latest = 32
)

// Count counts an input.
func (r *Rate) Count(repeat bool) {
	r.repeats -= r.repeats / latest
	if repeat {
		r.repeats += whole / latest
	}
}

// New returns how many of n inputs were no repeats. The next ones may be new
// again, as what they are made from changes.
func (r *Rate) New(n int) int { return n - n*r.repeats/whole }

// A Mean is an exponential moving average of how much work the inputs of a source
// take. The zero value is that of none.
type Mean struct {
	known bool
	value uint64
}

// Count counts an input.
func (m *Mean) Count(work uint64) {
	if !m.known {
		m.known, m.value = true, work
	}
	m.value += work/latest - m.value/latest
}

// Of returns the mean, or another value if no input was counted.
func (m *Mean) Of(none uint64) uint64 {
	if !m.known {
		return none
	}
	return m.value
}
