package solc

import (
	"bytes"
	"encoding/hex"
	"strings"
)

// cheatcodes is the account that Foundry answers for: the end of the hash of
// the words behind it.
var cheatcodes, _ = hex.DecodeString("7109709ecfa91a80626ff3989d68f67f5b1dd12d")

const cheatWords = "hevm cheat code"

// TestSuffix ends the names of the files that regression tests are written to.
const TestSuffix = ".leveret.t.sol"

// Harness says why a contract is none to look for faults in, but one that
// looks for them, and only together with a program that runs tests: the rest
// of a sentence about it. It is empty for all others, suites of properties
// included that can do without.
func (c *Contract) Harness() string {
	_, test := c.Methods["IS_TEST()"]
	_, script := c.Methods["IS_SCRIPT()"]
	switch {
	case strings.HasSuffix(c.File, TestSuffix):
		return "belongs to a regression test; run it with forge test"
	case script:
		return "is a script; fuzz the contracts that it uses"
	case test:
		return "is a test; fuzz the contracts that it uses"
	case c.cheats():
		return "needs Foundry's cheatcodes; run it with forge test"
	}
	return ""
}

// cheats reports whether a contract calls Foundry's cheatcodes.
func (c *Contract) cheats() bool {
	for _, code := range [][]byte{c.Runtime.Object, c.Creation.Object} {
		if bytes.Contains(code, cheatcodes) || bytes.Contains(code, []byte(cheatWords)) {
			return true
		}
	}
	return false
}
