package project

import (
	"path/filepath"
	"strings"
	"testing"

	"leveret/solc"
	"leveret/solc/solctest"
)

// harnessSource has test harnesses and contracts to fuzz. A comment marks each
// harness.
const harnessSource = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface Vm {
    function prank(address) external;
}

contract ByAddress { // cheatcodes
    Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    function it() external { vm.prank(address(1)); }
}

contract ByWords { // cheatcodes
    Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    function it() external { vm.prank(address(1)); }
}

contract Runs {
    Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    function test_it() external { vm.prank(address(1)); }
}

contract InConstructor { // cheatcodes
    constructor() { Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D).prank(msg.sender); }
    function f() external {}
}

contract Suite { // a test
    bool public IS_TEST = true;
}

contract Script { // a script
    bool public constant IS_SCRIPT = true;
}

contract Properties {
    uint256 total;
    function add(uint8 n) external { total += n; }
    function echidna_total() external view returns (bool) { return total < 1000; }
    function invariant_total() external view { assert(total < 1000); }
}
`

func TestTestCode(t *testing.T) {
	tools := realTools(t)
	for _, file := range []string{"Mixed.sol", "Mixed" + solc.TestSuffix} {
		root := solctest.Write(t, file, harnessSource)
		build, err := open(t, root, tools).Compile(t.Context(), []string{filepath.Join(root, file)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range build.Contracts {
			_, comment, _ := strings.Cut(harnessSource, "contract "+c.Name+" {")
			comment, _, _ = strings.Cut(comment, "\n")
			want := strings.TrimPrefix(comment, " // ")
			if strings.HasSuffix(file, solc.TestSuffix) {
				want = "regression test"
			}
			if c.Kind != solc.KindContract {
				continue
			}
			if have := c.TestCode(); !strings.Contains(have, want) || want == "" && have != "" {
				t.Errorf("%s in %s: %q, want %q", c.Name, file, have, want)
			}
		}
	}
}

// forge runs the tests of a file that is named so, whatever their contract inherits from.
func TestRunsTests(t *testing.T) {
	tools := realTools(t)
	const source = `pragma solidity ^0.8.0;
contract Plain {
    function test_sum() external pure { assert(1 + 1 == 2); }
}
`
	for file, want := range map[string]bool{"Plain.t.sol": true, "Plain.sol": false, "Plain" + solc.TestSuffix: false} {
		root := solctest.Write(t, file, source)
		build, err := open(t, root, tools).Compile(t.Context(), []string{filepath.Join(root, file)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c := build.Contracts[0]; c.RunsTests() != want {
			t.Errorf("%s in %s runs tests: %v", c.Name, file, !want)
		}
	}
}
