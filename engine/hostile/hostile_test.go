package hostile

import (
	"strings"
	"testing"
)

// There are as many contracts as docs/SECURITY.md promises, each in a source of
// its own. That they compile is for `make storm` to see.
func TestAll(t *testing.T) {
	names, sources := map[string]bool{}, map[string]bool{}
	for _, c := range All() {
		if names[c.Name] || sources[c.Source] {
			t.Errorf("%q is there twice", c.Name)
		}
		names[c.Name], sources[c.Source] = true, true
		if strings.Count(c.Source, "contract "+Name+" ") != 1 || strings.Contains(c.Source, "%!") {
			t.Errorf("%q:\n%.300s", c.Name, c.Source)
		}
	}
	if len(names) < 80 {
		t.Errorf("%d contracts", len(names))
	}
}
