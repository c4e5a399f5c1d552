//go:build race

package present

// sequences are fewer where each takes ten times as long.
const sequences = 300
