package solc

import (
	"bytes"
	"encoding/hex"
	"strings"
)

// cheatcodes is the address of Foundry's cheatcodes: the last 20 bytes of the
// hash of cheatWords.
var cheatcodes, _ = hex.DecodeString("7109709ecfa91a80626ff3989d68f67f5b1dd12d")

const cheatWords = "hevm cheat code"

// IsTestFile reports whether a file is named as Foundry's files of tests are.
func IsTestFile(path string) bool { return strings.HasSuffix(path, ".t.sol") }

// TestSuffix ends the names of files with generated regression tests.
const TestSuffix = ".leveret.t.sol"

// TestFile returns the path of a contract's regression tests, with slashes and
// relative to the project's root.
func TestFile(contract string) string { return "test/" + contract + TestSuffix }

// TestCode returns why a contract is test code that is not fuzzed, as the rest of a
// sentence about it. It is empty for other contracts, also for those with tests or
// properties.
func (c *Contract) TestCode() string {
	_, test := c.Methods["IS_TEST()"]
	_, script := c.Methods["IS_SCRIPT()"]
	switch {
	case strings.HasSuffix(c.File, TestSuffix):
		return "belongs to a regression test; run it with leveret test"
	case script:
		return "is a script; fuzz the contracts that it uses"
	case c.RunsTests():
		return ""
	case test:
		return "is a test without test functions; fuzz the contracts that it uses"
	case c.cheats():
		return "needs Foundry's cheatcodes; run the tests that use it with leveret test, or itself with leveret test --harness " + c.Name
	}
	return ""
}

// ServesTests reports whether c is test code or a harness: no other contract needs it.
func (c *Contract) ServesTests() bool { return c.TestCode() != "" || c.Harness() != nil }

// RunsTests reports whether c is fuzzed by running its tests: as a harness, or as forge
// does. For the latter, it has tests, and inherits from Test, calls cheatcodes, or is in a
// file whose name says so. Other contracts with properties are fuzzed as what they are.
func (c *Contract) RunsTests() bool {
	return c.Harness() != nil || c.needsRunner() && Suite(c) != nil
}

// needsRunner reports whether only a test runner can call c as it is meant.
func (c *Contract) needsRunner() bool {
	_, script := c.Methods["IS_SCRIPT()"]
	_, test := c.Methods["IS_TEST()"]
	return !script && (test || c.cheats() || IsTestFile(c.File)) && !strings.HasSuffix(c.File, TestSuffix)
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
