package solc_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/project"
	"leveret/solc/solctest"
)

// compile compiles one file of a project with a foundry.toml.
func compile(t *testing.T, toml, source string) (*project.Project, *solc.Build) {
	t.Helper()
	root := solctest.Write(t, "foundry.toml", toml, "test/A.t.sol", source)
	tools := compiler.NewToolchain(compiler.Env{Path: os.Getenv("PATH"), ToolDirs: []string{solctest.Tools(t)}, CacheDir: t.TempDir(), Untrusted: true})
	t.Cleanup(func() { tools.Close() })
	p, err := project.Open(tools, root)
	if err != nil {
		t.Fatal(err)
	}
	build, err := p.Compile(t.Context(), []string{filepath.Join(root, "test/A.t.sol")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p, build
}

func TestFunctionTestKind(t *testing.T) {
	for _, row := range []struct {
		name       string
		parameters bool
		want       solc.TestKind
	}{
		{"test", false, solc.UnitTest}, {"testFoo", false, solc.UnitTest}, {"test_foo", true, solc.FuzzTest}, {"testFailFoo", true, solc.FuzzTest},
		{"testimony", false, solc.UnitTest}, {"Test", false, ""}, {"_test", false, ""},
		{"invariant", false, solc.InvariantTest}, {"invariantA", true, solc.InvariantTest}, {"statefulFuzz_x", false, solc.InvariantTest},
		{"tableSums", true, solc.TableTest}, {"tables", false, solc.TableTest},
		{"setUp", false, solc.SetUpFunction}, {"setup", false, solc.SetUpFunction}, {"setUp", true, ""},
		{"afterInvariant", false, solc.AfterInvariant}, {"AFTERINVARIANT", true, solc.AfterInvariant},
		{"beforeTestSetup", true, solc.BeforeTestSetup}, {"fixtureAmount", false, solc.Fixture}, {"fixture", true, solc.Fixture},
		{"", false, ""}, {"check_foo", false, ""}, {"echidna_x", false, ""},
	} {
		if got := solc.FunctionTestKind(row.name, row.parameters); got != row.want {
			t.Errorf("%s, parameters %v: %q, want %q", row.name, row.parameters, got, row.want)
		}
	}
}

// TestSuite compares the suites of small contracts with what forge runs of them.
func TestSuite(t *testing.T) {
	_, build := compile(t, "", `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Base {
    function testInherited() public virtual {}
    function testOverridden() public virtual {}
    uint256[] public fixtureAmount = [1, 2];
}
contract Plain is Base {
    function setUp() public {}
    function testOverridden() public override {}
    function testFuzz(uint256 amount, address[] calldata) external {}
    function tableRow(uint256 amount) external {}
    function invariant_a() external {}
    function afterInvariant() external {}
    function beforeTestSetup(bytes4) public pure returns (bytes[] memory) {}
    function testInternal() internal {}
    bool public testGetter;
}
contract Misspelled { function setup() public {} function testA() public {} }
contract Doubled { function setUp() public {} function setup() public {} function testA() public {} }
contract Removed { function testFailA() public {} function testFailB(uint) public {} }
contract Parameters { constructor(uint256) {} function testA() public {} }
abstract contract Abstract { function testA() public {} }
interface Face { function testA() external; }
contract None { function setUp() public {} function a() public {} }
library Lib { function testA() external {} }
contract Script { bool public IS_SCRIPT = true; function run() public {} }
`)
	got := ""
	for _, c := range build.Contracts {
		s := solc.Suite(c)
		if s == nil {
			continue
		}
		got += c.Name + ":"
		for _, test := range s.Tests {
			got += fmt.Sprintf(" %s %s %d", test.Signature, test.Kind, test.Line)
			if test.Removed {
				got += " removed"
			}
			got += ","
		}
		got += fmt.Sprintf(" %v %v %v %v %q %q\n", s.SetUp, s.AfterInvariant, s.BeforeTestSetup, s.Fixtures, s.Fault, s.Warnings)
	}
	want := `Base: testInherited() unit 4, testOverridden() unit 5, false false false [fixtureAmount(uint256)] "" []
Plain: invariant_a() invariant 13, tableRow(uint256) table 12, testFuzz(uint256,address[]) fuzz 11, testGetter() unit 17, testInherited() unit 4, testOverridden() unit 10, true true true [fixtureAmount(uint256)] "" []
Misspelled: testA() unit 19, false false false [] "" ["setup() is not called; did you mean setUp()?"]
Doubled: testA() unit 20, true false false [] "multiple setUp functions; keep one" ["setup() is not called; did you mean setUp()?"]
Removed: testFailA() unit 21 removed, testFailB(uint256) unit 21 removed, false false false [] "" []
Lib: testA() unit 26, false false false [] "" []
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for _, c := range build.Contracts {
		if c.IsScript() != (c.Name == "Script") {
			t.Errorf("%s is a script: %v", c.Name, c.IsScript())
		}
	}
}

// TestInline applies comments at contracts and functions, in all styles, and
// wrong ones.
func TestInline(t *testing.T) {
	p, build := compile(t, "[profile.default]\nfuzz.runs = 7\n[profile.ci-long]\n", `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// forge-config: default.fuzz.runs = 10
/// forge-config: ci-long.fuzz.runs = 99
contract A {
    /// @notice text forge-config: default.fuzz.runs = 11

    /// forge-config: default.fuzz.max-test-rejects = 5
    function testLines(uint256) public {} /** forge-config: default.invariant.depth = 3 */ function testSameLine() public {}
    /**
     * forge-config: default.isolate = true
     * forge-config: default.fuzz.seed = '0x1f'
     */
    function testBlock() public {}
    // forge-config: default.fuzz.runs = 666
    /* forge-config: default.fuzz.runs = 667 */
    function testNoDocumentation() public { /// forge-config: default.fuzz.runs = 668
    }
    /// forge-config: default.fuzz.runs = "many"
    function testBadValue() public {}
    /// forge-config: dflt.fuzz.runs = 3
    function testBadProfile() public {}
    /// forge-config: default.fuzz.runs 3
    /// forge-config: default.fuzz.runs = 12
    function testBadSyntax() public {}
    /// forge-config: default.block_number = 77
    /// forge-config: default.ffi = true
    function testIgnored() public {}
    function testInherits() public {}
}
contract B is A {}
`)
	var failures []string
	got := ""
	for _, c := range build.Contracts {
		own, errors := p.TestConfig.Inline(c)
		for _, test := range solc.Tests(c) {
			x := own.Test(test.Name)
			seed := "-"
			if x.Fuzz.Seed != nil {
				seed = x.Fuzz.Seed.Hex()
			}
			got += fmt.Sprintf("%s.%s %d %d %d %v %s %s %v\n", c.Name, test.Name, x.Fuzz.Runs, x.Fuzz.MaxTestRejects, x.Invariant.Depth, x.Isolate, seed, x.Chain.Number.Dec(), x.Cheats.FFI)
		}
		for _, err := range errors {
			failures = append(failures, err.Error())
		}
	}
	want := `A.testBadProfile 10 65536 500 false - 1 false
A.testBadSyntax 12 65536 500 false - 1 false
A.testBadValue 10 65536 500 false - 1 false
A.testBlock 10 65536 500 true 0x1f 1 false
A.testIgnored 10 65536 500 false - 1 false
A.testInherits 10 65536 500 false - 1 false
A.testLines 11 5 500 false - 1 false
A.testNoDocumentation 10 65536 500 false - 1 false
A.testSameLine 10 65536 3 false - 1 false
`
	for line := range strings.Lines(want) {
		name, _, _ := strings.Cut(line, " ")
		want += strings.Replace(name, "A.", "B.", 1) + " 7 65536 500 false - 1 false\n" // a base's comments do not count
	}
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	wantFailures := []string{
		`test/A.t.sol:20: forge-config: default.fuzz.runs: "many" is not a whole number from 0 to 4294967295; correct the value; the test runs without it`,
		`test/A.t.sol:22: forge-config: dflt.fuzz.runs begins with no profile; begin with one of ci-long, default, as in default.fuzz.runs = 500`,
		`test/A.t.sol:24: forge-config: default.fuzz.runs 3 cannot be read; write it like default.fuzz.runs = 500, one value in a line`,
	}
	if have := strings.Join(failures, "\n"); have != strings.Join(wantFailures, "\n") {
		t.Errorf("failures\n%s", have)
	}
	other := p.TestConfig
	other.Profile = "ci-long"
	for _, c := range build.Contracts[:1] {
		if own, _ := other.Inline(c); own.Test("testLines").Fuzz.Runs != 99 {
			t.Errorf("in profile ci-long: %d runs", own.Test("testLines").Fuzz.Runs)
		}
	}
}
