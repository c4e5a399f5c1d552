package dap

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// docs/dap.md lists the requests that are handled and the capabilities that are declared.
func TestDocumented(t *testing.T) {
	text, err := os.ReadFile("../docs/dap.md")
	if err != nil {
		t.Fatal(err)
	}
	name := regexp.MustCompile("`(\\w+)`")
	var listed, capable []string
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			continue
		}
		for _, m := range name.FindAllStringSubmatch(cells[1], -1) {
			if strings.HasPrefix(m[1], "support") {
				capable = append(capable, m[1])
			} else {
				listed = append(listed, m[1])
			}
		}
	}
	slices.Sort(listed)
	if handled := slices.Sorted(maps.Keys(requests)); !slices.Equal(listed, handled) {
		t.Errorf("requests in docs/dap.md: %v\nhandled: %v", listed, handled)
	}
	c, _ := newLedger(t).serve(t)
	var declared []string
	for capability, value := range c.Ask("initialize", dict{}) {
		if value == true {
			declared = append(declared, capability)
		}
	}
	slices.Sort(capable)
	slices.Sort(declared)
	if !slices.Equal(capable, declared) {
		t.Errorf("capabilities in docs/dap.md: %v\ndeclared: %v", capable, declared)
	}
}
