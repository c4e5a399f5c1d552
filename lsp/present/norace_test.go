//go:build !race

package present

// sequences is how many random sequences of edits the property is tried with.
const sequences = 2000
