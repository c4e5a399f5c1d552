package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
)

const haskell = `
assertionTests = testGroup "Assertions"
  [ testContractV "assert/a.sol" (Just (\v -> v >= solcV (0,5,0) && v < solcV (0,8,0))) (Just "assert/config.yaml")
      [ ("f failed", passed "f"), ("g passed", solvedLen 2 "g")
      , ("list", solvedWith (SolCall ("f", [AbiInt 256 1])) "h") ]
  , testContract' "b.sol" (Just "B") Nothing Nothing True SymbolicWorker
      [ ("x", solved "x") ]
--  , testContract "old.sol" Nothing [ ("x", solved "x") ]
  , testContract' "b.sol" (Just "B") Nothing Nothing True FuzzWorker
      [ ("best", optimized "m" 40), ("none", notPresent "n") ]
  , testContract "count.sol" Nothing [ ("corpus", countCorpus 1) ]
  ]
other = solved "elsewhere"
`

func TestParseEchidna(t *testing.T) {
	want := []harness{
		{Tool: "echidna", File: "assert/a.sol", Config: "assert/config.yaml", Compilers: ">=0.5.0 <0.8.0", folder: "F", between: versions{5000, 8000},
			Expected: []expectation{{Test: "f", Kind: passed}, {Test: "g", Kind: solved, Count: 2}}},
		{Tool: "echidna", File: "b.sol", Contract: "B", folder: "F", Expected: []expectation{{Test: "m", Kind: optimized, Value: "40"}, {Test: "n", Kind: absent}}},
	}
	if got := parseEchidna(haskell, "F"); !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v, want\n%+v", got, want)
	}
	for version, want := range map[string]bool{"0.4.26": false, "0.5.0": true, "0.7.6": true, "0.8.0": false} {
		if got := (versions{5000, 8000}).contain(version); got != want {
			t.Errorf("%s: %v", version, got)
		}
	}
}

func TestParseMedusa(t *testing.T) {
	cases, err := parseMedusa("# none\n\na/b.sol A,B 2 testing.x.enabled=false testing.y=[\"z\"]\nc.sol C opt>=-5\n", "F")
	if err != nil {
		t.Fatal(err)
	}
	if c := cases[0]; c.Config != `{"fuzzing":{"targetContracts":["A","B"],"testing":{"x":{"enabled":false},"y":["z"]}}}` || c.Contract != "A" || c.Expected[0] != (expectation{Kind: failures, Count: 2}) {
		t.Errorf("%+v", c)
	}
	if e := cases[1].Expected[0]; e != (expectation{Test: "opt", Kind: optimized, Value: "-5"}) {
		t.Errorf("%+v", e)
	}
	for _, bad := range []string{"a.sol A", "a.sol A often", "a.sol A fails x=y"} {
		if _, err := parseMedusa(bad, "F"); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
	if all, err := parseMedusa(medusaList, "F"); err != nil || len(all) < 50 {
		t.Errorf("%d tests in medusa.txt, %v", len(all), err)
	}
}

func TestMet(t *testing.T) {
	tests := []outcome{{Name: "f(uint256)", Status: "failed", Example: []string{"a", "b"}}, {Name: "g()", Status: "passed", Best: "41"}}
	for _, c := range []struct {
		e  expectation
		ok bool
	}{
		{expectation{Test: "f", Kind: solved}, true},
		{expectation{Test: "f", Kind: solved, Count: 2}, true},
		{expectation{Test: "f", Kind: solved, Count: 1}, false},
		{expectation{Test: "f", Kind: passed}, false},
		{expectation{Test: "f", Kind: absent}, false},
		{expectation{Test: "g", Kind: passed}, true},
		{expectation{Test: "g", Kind: solved}, false},
		{expectation{Test: "h", Kind: passed}, true},
		{expectation{Test: "h", Kind: absent}, true},
		{expectation{Test: "h", Kind: solved}, false},
		{expectation{Test: "g", Kind: optimized, Value: "41"}, true},
		{expectation{Test: "g", Kind: optimized, Value: "42"}, false},
		{expectation{Kind: anyFails}, true},
		{expectation{Kind: noneFails}, false},
		{expectation{Kind: failures, Count: 1}, true},
		{expectation{Kind: failures, Count: 2}, false},
	} {
		if ok, got := c.e.met(tests); ok != c.ok {
			t.Errorf("%s: %v, %s", c.e, ok, got)
		}
	}
}

// A harness runs in a copy of its folder, with its configuration, with the newest compiler
// that compiles it.
func TestJudge(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program that stands for leveret is a shell script")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"src/A.sol": "library L {}\ncontract A {}\ncontract B {}", "src/c.yaml": "seqLen: 2", "tools/node_modules/solc-0.7.6/x": "", "tools/node_modules/solc-0.8.30/x": "", "tools/node_modules/solc-0.4.26/x": "",
		"leveret": "#!/bin/sh\ncase \"$*\" in *solc-0.8.30*) echo could not compile >&2; exit 2;; esac\n" +
			"[ \"$(cat echidna.yaml)\" = 'seqLen: 2' ] || exit 3\necho \"{\\\"suites\\\":[{\\\"tests\\\":[{\\\"name\\\":\\\"${12} ${13}()\\\",\\\"status\\\":\\\"failed\\\"}]}]}\"\nexit 1\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	compilers, err := compilersIn(filepath.Join(dir, "tools"))
	if err != nil || len(compilers) != 3 || compilers[0].version != "0.8.30" || compilers[2].version != "0.4.26" {
		t.Fatalf("%v, %v", compilers, err)
	}
	o := options{leveret: filepath.Join(dir, "leveret"), inputs: 5, seed: 1, timeout: time.Minute}
	r := result{harness: harness{Tool: "echidna", File: "A.sol", Config: "c.yaml", folder: filepath.Join(dir, "src"), Expected: []expectation{{Kind: noneFails}, {Kind: anyFails}}}}
	o.judge(context.Background(), &r, compilers)
	if r.Compiler != "0.7.6" || r.Error != "" || len(r.Tests) != 1 || r.Tests[0].Name != "A A.sol()" {
		t.Errorf("%+v", r)
	}
	none := result{harness: harness{Tool: "echidna", File: "A.sol", folder: filepath.Join(dir, "src"), between: versions{9000, 0}}}
	o.judge(context.Background(), &none, compilers)
	if none.Error == "" || none.Compiler != "" {
		t.Errorf("%+v", none)
	}
	var out bytes.Buffer
	writeTables(&out, latest([]result{none, r, r}))
	for _, want := range []string{"| echidna | 2 | 2 | 1 |", "- echidna A.sol c.yaml: no test fails expected, 1 fail"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}
