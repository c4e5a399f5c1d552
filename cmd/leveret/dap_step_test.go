package main

import (
	"path/filepath"
	"testing"

	"leveret/solc/solctest"
)

// A session starts at a line of the trace, also where it is debugged on another build than
// the one whose trace names the line: without the optimizer.
func TestDebugStep(t *testing.T) {
	h := newDebugHome(t)
	for _, optimised := range []bool{false, true} {
		if optimised {
			solctest.WriteIn(t, h.folder, "foundry.toml", "[profile.default]\nsrc = '.'\noptimizer = true\n")
		}
		for step, want := range map[string]struct {
			line  float64
			value string // an expression that is true there
		}{
			"1.1 Auction.sol:27":  {27, "highest == 0"},
			"1.2 Auction.sol:28":  {28, "highest == 0 && leader == msg.sender"},
			"2.2 Auction.sol:55":  {55, "owed == 0"},
			"2.9 Auction.sol:55":  {55, "owed == 0"}, // the nearest one
			"3.3 Auction.sol:49":  {49, "closed"},
			"2.s1 Auction.sol:33": {33, "owed == 0"},
		} {
			c, closeIn, ended := h.start(t)
			stop := c.Launch(dict{"report": filepath.Join(h.folder, "report.json"), "step": step})
			if line := c.Stack()[0]["line"]; stop["reason"] != "goto" || line != want.line {
				t.Errorf("optimised: %t, %s: stopped at line %v: %v", optimised, step, line, stop)
			}
			if v := c.Value(want.value); v != "true" {
				t.Errorf("optimised: %t, %s: %s is %v", optimised, step, want.value, v)
			}
			_ = closeIn()
			ended()
		}
	}
}
