//go:build race

package present

// sequences is smaller because the race detector is about ten times slower.
const sequences = 300
