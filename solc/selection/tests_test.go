package selection

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/solctest"
)

// testProject has tests in sources, tests and a library, and a wrong comment.
var testProject = []string{
	"foundry.toml", "[fuzz]\nruns = 9",
	"src/A.sol", "contract A { function f() external {} }\ncontract InSource { function testSource() external {} }",
	"test/A.t.sol", "import '../src/A.sol'; import './Base.sol'; import '../lib/x/L.sol';\n/// forge-config: default.fuzz.runs = 3\ncontract ATest is Base { function testA(uint256) external {} function testB() external {} }",
	"test/Base.sol", "contract Base { function testBase() external {} }",
	"test/deep/B.t.sol", "import '../Base.sol';\n/// forge-config: default.fuzz.runs = x\ncontract BTest is Base { function invariant_b() external {} }",
	"lib/x/L.sol", "contract LTest { function testL() external {} }",
	"script/S.s.sol", "contract S { function run() external {} }",
}

func suites(t *testing.T, paths ...string) (string, []Suite, []error) {
	t.Helper()
	root := solctest.Write(t, testProject...)
	tools := compiler.NewToolchain(compiler.Env{Path: os.Getenv("PATH"), ToolDirs: []string{solctest.Tools(t)}, CacheDir: solctest.Cache(t), Untrusted: true})
	t.Cleanup(func() { tools.Close() })
	for i := range paths {
		paths[i] = filepath.Join(root, paths[i])
	}
	batches, failures, err := OpenTests(tools, paths)
	if err != nil {
		return err.Error(), nil, nil
	}
	var units []Unit
	for _, b := range batches {
		u, failed := b.Compile(t.Context())
		units, failures = append(units, u...), append(failures, failed...)
	}
	list, failed := Suites(units)
	return describe(list), list, append(failures, failed...)
}

func describe(list []Suite) string {
	text := ""
	for _, s := range list {
		text += s.Contract.Name
		for _, test := range s.Tests.Tests {
			text += fmt.Sprintf(" %s:%d", test.Signature, s.Config.Test(test.Name).Fuzz.Runs)
		}
		text += "; "
	}
	return text
}

func TestSuites(t *testing.T) {
	const inSource, a, base, b = "InSource testSource():9; ", "ATest testA(uint256):3 testB():3 testBase():3; ", "Base testBase():9; ", "BTest invariant_b():9 testBase():9; "
	for path, want := range map[string]string{
		".":            inSource + a + base + b,
		"test":         inSource + a + base + b,
		"test/deep":    inSource + base + b,
		"test/A.t.sol": inSource + a + base,
		"script":       "no Solidity file with tests",
		"lib":          "no Solidity file with tests",
	} {
		got, _, failures := suites(t, path)
		if got != want && !(strings.HasPrefix(want, "no ") && strings.Contains(got, want)) {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
		wrong := strings.Contains(want, b)
		if wrong != (len(failures) == 1) || wrong && !strings.Contains(failures[0].Error(), "test/deep/B.t.sol:2: forge-config: default.fuzz.runs = x cannot be read") {
			t.Errorf("%s: failures %v", path, failures)
		}
	}
}

func TestFilter(t *testing.T) {
	_, list, _ := suites(t, ".")
	for _, row := range []struct {
		filter solc.TestFilter
		want   string
	}{
		{solc.TestFilter{}, "InSource testSource():9; ATest testA(uint256):3 testB():3 testBase():3; Base testBase():9; BTest invariant_b():9 testBase():9; "},
		{solc.TestFilter{MatchTest: "uint"}, "ATest testA(uint256):3; "},
		{solc.TestFilter{MatchTest: "^test", NoMatchTest: "Base|Source"}, "ATest testA(uint256):3 testB():3; "},
		{solc.TestFilter{MatchContract: "Test$", NoMatchContract: "^A"}, "BTest invariant_b():9 testBase():9; "},
		{solc.TestFilter{MatchPath: "test/deep/*"}, "BTest invariant_b():9 testBase():9; "},
		{solc.TestFilter{NoMatchPath: "test/**"}, "InSource testSource():9; "},
	} {
		f, err := NewFilter(row.filter)
		if err != nil {
			t.Fatal(err)
		}
		if got := describe(f.Apply(list)); got != row.want {
			t.Errorf("%+v: %s, want %s", row.filter, got, row.want)
		}
	}
	list[1].Tests.Tests[2].Removed = true
	f, _ := NewFilter(solc.TestFilter{MatchContract: "ATest"})
	if got, want := describe(f.Apply(list)), "ATest testBase():3; "; got != want {
		t.Errorf("with a removed test: %s, want %s", got, want)
	}
	if len(list[1].Tests.Tests) != 3 {
		t.Error("a filter changed the suite")
	}
	if _, err := NewFilter(solc.TestFilter{MatchTest: "(", NoMatchContract: "["}); err == nil || !strings.Contains(err.Error(), "match_test: ") || !strings.Contains(err.Error(), "no_match_contract: ") {
		t.Errorf("error %v", err)
	}
}
