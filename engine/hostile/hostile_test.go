package hostile

import (
	"strings"
	"testing"
)

// The number of contracts equals that in docs/SECURITY.md, and each has its own
// source. `make storm` checks that they compile.
func TestAll(t *testing.T) {
	names, sources := map[string]bool{}, map[string]bool{}
	for _, c := range All() {
		if names[c.Name] || sources[c.Source] {
			t.Errorf("duplicate contract %q", c.Name)
		}
		names[c.Name], sources[c.Source] = true, true
		if strings.Count(c.Source, "contract "+Name+" ") != 1 || strings.Contains(c.Source, "%!") {
			t.Errorf("%q:\n%.300s", c.Name, c.Source)
		}
	}
	if len(names) < 80 {
		t.Errorf("got %d contracts", len(names))
	}
}
