//go:build !race

package present

// sequences is the number of random edit sequences.
const sequences = 1000
