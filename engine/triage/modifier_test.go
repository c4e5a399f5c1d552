package triage

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"leveret/engine/debug"
	"leveret/engine/finding"
	"leveret/engine/search/searchtest"
	"leveret/solc/solctest"
)

// at names the functions on the stack with their lines, the innermost first.
func (d debugged) at() string {
	d.Helper()
	stack, err := d.Stack()
	if err != nil {
		d.Fatal(err)
	}
	var list []string
	for i := range stack {
		list = append(list, fmt.Sprintf("%s:%d", stack[i].Name, stack[i].Place.Start.Line))
	}
	return strings.Join(list, " < ")
}

// A step over a statement goes through modifiers into the body and back, as the source
// reads, although modifiers are functions of their own in code via IR.
func TestDebugModifiers(t *testing.T) {
	text, err := os.ReadFile("testdata/Modified.sol")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ settings, lines, outOf string }{
		{"", "10 20 20 20 16 21 22 11 12", "Modified.set:21"},
		{"via_ir = true\n", "10 11 20 20 16 17 21 22 12", "Modified.set:22"}, // nothing is left of line 21 behind the call
	} {
		settings := c.settings
		dir := solctest.Write(t, "foundry.toml", "[profile.default]\nsrc = \"src\"\noffline = true\n"+settings, "src/Modified.sol", string(text))
		all := newTriagingOf(t, searchtest.Compile(t, filepath.Join(dir, "src", "Modified.sol")), "Modified")
		d := all.debug(t, finding.Finding{}, all.call(t, "set", 5).Txs[0])
		forwards := []string{d.at()}
		for {
			if moved, err := d.Next(debug.ByStatement); err != nil || !moved {
				break
			}
			forwards = append(forwards, d.at())
		}
		if have := strings.ReplaceAll(strings.Join(forwards, " "), "Modified.set:", ""); have != c.lines {
			t.Errorf("%q: steps over statements stop at %s, want %s", settings, have, c.lines)
		}
		bothWays(t, d.Recording)
		for _, want := range []struct{ name, at string }{{"Modified.set", "Modified.set:10"}, {"twice", "Modified.twice:10 < Modified.set:21"}} {
			hits, known := d.Function(want.name)
			if !known || len(hits) != 1 || d.Goto(hits[0]) != nil || d.at() != want.at {
				t.Errorf("%q: %s begins at %v: %s, want %s", settings, want.name, hits, d.at(), want.at)
			}
		}
		d.next(1)
		if _, err := d.StepOut(); err != nil || d.at() != c.outOf {
			t.Errorf("%q: out of twice at %s", settings, d.at())
		}
		if stack, err := d.Stack(); err != nil || d.RestartFrame(&stack[0]) != nil || d.at() != "Modified.set:10" {
			t.Errorf("%q: set begins at %s", settings, d.at())
		}
		if !slices.Contains(forwards, "Modified.set:22") {
			t.Errorf("%q: %v", settings, forwards)
		}
		d.Close()
	}
}
