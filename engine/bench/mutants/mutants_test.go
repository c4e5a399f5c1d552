package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"leveret/engine/bench/projects"
	"leveret/solc/compiler"
	"leveret/solc/solctest"
)

const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Vault {
    uint256 public total;
    mapping(address => uint256) public shares;
    bool locked;

    modifier once() {
        require(!locked);
        locked = true;
        _;
        locked = false;
    }

    function put(uint256 a) external once {
        if (a > 1_000 && a != 7) revert("too much");
        shares[msg.sender] += a;
        total += a;
    }

    function take(uint256 a) external {
        shares[msg.sender] -= a;
        total = sub(total, a);
    }

    function divDown(uint256 a, uint256 b) public pure returns (uint256) { return a / b; }

    function divUp(uint256 a, uint256 b) public pure returns (uint256) { return (a + b - 1) / b; }

    function half(uint256 a) external pure returns (uint256) { return divUp(a, 2); }

    function sub(uint256 a, uint256 b) internal pure returns (uint256 c) {
        assembly {
            if lt(a, b) { revert(0, 0) }
            c := sub(a, b)
        }
    }
}
`

const tests = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Vault} from "../src/Vault.sol";

contract VaultTest {
    Vault vault = new Vault();

    function testPut() public {
        vault.put(5);
        require(vault.total() == 5);
    }

    function testFails() public {
        vault.take(1);
    }

    function testTake(uint256 a, uint256 b) public {
        a %= 1001;
        if (a == 7) return;
        vault.put(a);
        try vault.take(b) {
            require(b <= a && vault.total() == a - b && vault.shares(address(this)) == a - b);
        } catch {
            require(b > a);
        }
    }
}
`

// openVault opens a project with the Vault and its tests.
func openVault(t *testing.T) *opened {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{"foundry.toml": "[profile.default]\n", "src/Vault.sol": source, "test/Vault.t.sol": tests} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tools, err := filepath.Abs("../../../solc/testdata/npm")
	if err != nil {
		t.Fatal(err)
	}
	env := compiler.EnvFrom(os.Getenv)
	env.ToolDirs = []string{tools}
	solctest.Need(t, env.HasNode(), "no node to run the compilers with")
	to := &target{name: "vault", tests: []string{"test/*.sol"}, sources: []string{"src/*.sol"}}
	o, toolchain, err := to.open(context.Background(), env, root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { toolchain.Close() })
	return o
}

// Each operator plants its mutants, and each changes what it says.
func TestPlant(t *testing.T) {
	o := openVault(t)
	all := plant("vault", o.build, o.sources, o.relative, 1)
	want := map[string][2]string{ // one of each operator
		"comparison": {">", ">="}, "arithmetic": {"/", "*"}, "bound": {"1_000", "1001"}, "logic": {"&&", "||"}, "assignment": {"+=", "-="},
		"check": {"require(!locked);", "{}"}, "statement": {"locked = true;", "{}"}, "operands": {"total, a", "a, total"}, "rounding": {"divUp", "divDown"},
	}
	seen := map[string]bool{}
	for _, m := range all {
		if seen[m.ID] || string(m.text()) == source || m.File != "src/Vault.sol" {
			t.Errorf("%s: %+v", m.ID, m)
		}
		seen[m.ID] = true
		if line := strings.Split(source, "\n")[m.Line-1]; !strings.Contains(line, strings.Split(m.Before, "\n")[0]) {
			t.Errorf("line %d has no %q", m.Line, m.Before)
		}
		if want[m.Operator] == [2]string{m.Before, m.After} {
			delete(want, m.Operator)
		}
	}
	if len(want) > 0 {
		t.Errorf("not planted: %v", want)
	}
	kinds := map[string]bool{}
	for _, m := range all[:len(operators)] {
		kinds[m.Operator] = true
	}
	if len(kinds) != len(operators) {
		t.Errorf("the first %d mutants are of %d operators", len(operators), len(kinds))
	}
	again := plant("vault", o.build, o.sources, o.relative, 1)
	if !slices.EqualFunc(all, again, func(a, b *mutant) bool { return a.ID == b.ID }) {
		t.Error("the order is not that of the seed")
	}
}

// The fate of a mutant, and what the search says about one that survives.
func TestFates(t *testing.T) {
	o, ctx := openVault(t), context.Background()
	if k := (projects.Key{Suite: "test/Vault.t.sol:VaultTest", Test: "testFails()"}); o.units[k] {
		t.Error("a unit test that fails counts as passing")
	}
	find := func(operator, before, after string) *mutant {
		t.Helper()
		for _, m := range plant("vault", o.build, o.sources, o.relative, 1) {
			if m.Operator == operator && m.Before == before && m.After == after {
				if err := o.judgeMutant(ctx, m); err != nil {
					t.Fatal(err)
				}
				return m
			}
		}
		t.Fatalf("no mutant %s %q", operator, before)
		return nil
	}
	if m := find("assignment", "+=", "-="); m.Fate != killed || !strings.Contains(m.By, "testPut") {
		t.Errorf("%+v", m)
	}
	swapped := find("operands", "total, a", "a, total")
	if swapped.Fate != survives {
		t.Errorf("%+v", swapped)
	}
	if m := find("check", "if lt(a, b) { revert(0, 0) }", ""); m.Fate != survives {
		t.Errorf("%+v", m)
	}
	build, err := o.compile(ctx, swapped)
	if err != nil {
		t.Fatal(err)
	}
	r, err := o.search(ctx, build, 5*time.Second, 1, nil)
	if err != nil || !r.Found || !strings.HasPrefix(r.Test, "VaultTest.testTake") {
		t.Errorf("%+v, %v", r, err)
	}
	if anyway, err := o.failsAnyway(ctx, &r); err != nil || anyway {
		t.Errorf("the counterexample fails without the mutant: %t, %v", anyway, err)
	}
	same := *o
	same.build = build
	if anyway, err := same.failsAnyway(ctx, &r); err != nil || !anyway {
		t.Errorf("the counterexample fails on the same sources: %t, %v", anyway, err)
	}
	if r, err = o.search(ctx, o.build, 300*time.Millisecond, 1, nil); err != nil || r.Found || r.CPU < 0.3 || r.Inputs == 0 {
		t.Errorf("unchanged: %+v, %v", r, err)
	}
	if r, err = o.search(ctx, build, 300*time.Millisecond, 1, map[string]bool{"testTake": true}); err != nil || r.Found {
		t.Errorf("a test that is left out: %+v, %v", r, err)
	}
}

// Comments give each test its number of runs.
func TestShare(t *testing.T) {
	o := openVault(t)
	c := &copied{opened: o, Plan: plan{CPU: 2}}
	at := c.places()[projects.Key{Suite: "test/Vault.t.sol:VaultTest", Test: "testTake(uint256,uint256)"}]
	if len(c.places()) != 1 || !strings.HasPrefix(at, "test/Vault.t.sol:fuzz:") {
		t.Fatal(c.places())
	}
	// The only test takes 2 s of CPU time for 1000 runs, so 10 s are 5000.
	c.share(map[projects.Key]projects.Result{
		{Suite: "test/Vault.t.sol:VaultTest", Test: "testTake(uint256,uint256)"}: {Status: "passed", Kind: "fuzz", Runs: 1000, Seconds: 4},
	})
	if c.Plan.Runs[at] != 5000 {
		t.Errorf("%v", c.Plan.Runs)
	}
}

func TestTargetList(t *testing.T) {
	known, err := projects.List("")
	if err != nil {
		t.Fatal(err)
	}
	list, err := parseTargets(targetList, known)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, to := range list {
		if names[to.name] {
			t.Errorf("%s twice", to.name)
		}
		names[to.name] = true
	}
	for _, bad := range []string{"a solady test/A.sol", "a nowhere test/A.sol src/A.sol"} {
		if _, err := parseTargets(bad, known); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

// A file of results is read again, and the tables count what both tools ran.
func TestTables(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results.jsonl")
	r, err := load(file)
	if err != nil {
		t.Fatal(err)
	}
	keep := func(l line) {
		t.Helper()
		if err := r.add(l); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range []string{"a", "b", "c", "d"} {
		keep(line{Mutant: &mutant{ID: id, Target: "t", File: "F.sol", Line: 3, Operator: "bound", Before: "1", After: "2", Fate: survives}})
	}
	keep(line{Mutant: &mutant{ID: "e", Target: "t", Operator: "logic", Fate: killed}})
	runs := func(id, tool string, budget float64, found ...bool) {
		for i, yes := range found {
			keep(line{Run: &run{Mutant: id, Tool: tool, Budget: budget, Seed: uint64(i + 1), Found: yes}})
		}
	}
	runs("a", forgeTool, 10, true)
	runs("a", leveretTool, 10, true)
	runs("b", forgeTool, 10, false, false, false, false, true)
	runs("b", leveretTool, 10, false)
	runs("b", leveretTool, 60, true)
	runs("c", forgeTool, 10, true)
	runs("c", leveretTool, 10, false)
	runs("d", forgeTool, 10, false) // not run with all seeds, and not by leveret
	keep(line{Run: &run{Mutant: "t", Tool: leveretTool, Budget: 10, Seed: 1, Found: true, Test: "SetTest.testAdd(uint256)"}})
	runs("t", leveretTool, 10, false)
	if r, err = load(file); err != nil {
		t.Fatal(err)
	}
	if failing := r.failing("t"); len(failing) != 1 || !failing["testAdd"] {
		t.Errorf("of the unchanged sources fail %v", failing)
	}
	long := &session{options: options{budget: time.Minute}, results: r}
	short := &session{options: options{budget: 10 * time.Second}, results: r}
	if !long.foundSooner("a") || long.foundSooner("b") || long.foundSooner("d") || short.foundSooner("a") {
		t.Error("what 10 seconds find counts as found in more, and nothing else does")
	}
	var out bytes.Buffer
	r.write(&out)
	for _, want := range []string{
		"| all | 5 | 4 | 3 | 2 | 1 | 1 | 0 | 2 | 2 | 2 | 0 | 0 |",
		"not by leveret in 10 s:\n\n- c F.sol:3 bound `1` → `2`",
		"Found by neither in 10 s:\n\n- b F.sol:3",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}
