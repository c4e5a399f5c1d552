package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"leveret/engine/oracle"
	"leveret/solc/solctest"
)

// forge finds the real forge that `make tools` installs.
func forge(t *testing.T) string {
	t.Helper()
	arch := map[string]string{"amd64": "amd64", "arm64": "arm64"}[runtime.GOARCH]
	name, err := filepath.Abs(filepath.Join(compilers, "node_modules", "@foundry-rs", "forge-"+runtime.GOOS+"-"+arch, "bin", "forge"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = os.Stat(name)
	solctest.Need(t, err == nil, "forge is not installed; run make tools")
	return name
}

// A foundryCase is a faulty contract and its fix.
type foundryCase struct {
	name, solc string
	oracles    string
	text       []byte
	old, new   string
}

// foundryCases reads the contracts of testdata/foundry, by compiler.
func foundryCases(t *testing.T) map[string][]foundryCase {
	t.Helper()
	files, err := filepath.Glob("testdata/foundry/*.sol")
	if err != nil || len(files) == 0 {
		t.Fatal("no contracts", err)
	}
	cases := map[string][]foundryCase{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c := foundryCase{name: strings.TrimSuffix(filepath.Base(file), ".sol"), oracles: "assertion", text: text}
		for line := range strings.Lines(string(text)) {
			if v, ok := strings.CutPrefix(line, "pragma solidity "); ok {
				c.solc = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(v), ";"))
			}
			if name, ok := strings.CutPrefix(line, "// oracle: "); ok {
				c.oracles = strings.TrimSpace(name)
			}
			if fix, ok := strings.CutPrefix(line, "// fix: "); ok {
				c.old, c.new, _ = strings.Cut(strings.TrimSpace(fix), " =>")
			}
		}
		cases[c.solc] = append(cases[c.solc], c)
	}
	return cases
}

// fixed is the text with the fix.
func (c *foundryCase) fixed(t *testing.T) []byte {
	head, body, _ := bytes.Cut(c.text, []byte("// fix: "))
	_, body, _ = bytes.Cut(body, []byte("\n"))
	if !bytes.Contains(body, []byte(c.old)) {
		t.Fatalf("%s has no %q", c.name, c.old)
	}
	body = bytes.Replace(body, []byte(c.old), []byte(strings.TrimSpace(c.new)), 1)
	return slices.Concat(head, body)
}

// unexportable are the oracles whose findings no test can show.
var unexportable = []*oracle.Oracle{&oracle.TxOrigin, &oracle.UnboundedLoop}

// TestFoundry runs generated tests in the real forge: each fails on the faulty
// contract and passes on the fixed one.
func TestFoundry(t *testing.T) {
	needCompilers(t)
	forge := forge(t)
	all := foundryCases(t)
	for _, o := range oracle.All {
		there := false
		for _, cases := range all {
			there = there || slices.ContainsFunc(cases, func(c foundryCase) bool { return slices.Contains(strings.Split(c.oracles, ","), o.Name) })
		}
		if !there && !slices.Contains(unexportable, o) {
			t.Errorf("no contract for oracle %s", o.Name)
		}
	}
	for version, cases := range all {
		t.Run(version, func(t *testing.T) {
			root := foundryProject(t, version)
			for _, c := range cases {
				writeAll(t, filepath.Join(root, "src", c.name+".sol"), c.text)
				exportFindings(t, root, &c)
			}
			for test, failed := range forgeTest(t, forge, root) {
				if !failed {
					t.Errorf("%s passes on the faulty contract", test)
				}
			}
			for _, c := range cases {
				writeAll(t, filepath.Join(root, "src", c.name+".sol"), c.fixed(t))
			}
			results := forgeTest(t, forge, root)
			for test, failed := range results {
				if failed {
					t.Errorf("%s fails on the fixed contract", test)
				}
			}
			if len(results) < len(cases) {
				t.Errorf("%d tests for %d contracts", len(results), len(cases))
			}
		})
	}
}

// foundryProject creates a project that compiles with an npm package.
func foundryProject(t *testing.T, version string) string {
	root := t.TempDir()
	script, err := filepath.Abs("testdata/foundry/solc.js")
	if err != nil {
		t.Fatal(err)
	}
	soljson, err := filepath.Abs(filepath.Join(compilers, "node_modules", "solc-"+version, "soljson.js"))
	if err != nil {
		t.Fatal(err)
	}
	shell := fmt.Sprintf("#!/bin/sh\nGLIBC_TUNABLES=glibc.malloc.hugetlb=1 exec node '%s' '%s' \"$@\"\n", script, soljson)
	writeAll(t, filepath.Join(root, "solc"), []byte(shell))
	if err := os.Chmod(filepath.Join(root, "solc"), 0o755); err != nil {
		t.Fatal(err)
	}
	writeAll(t, filepath.Join(root, "foundry.toml"), []byte("[profile.default]\nsrc = \"src\"\ntest = \"test\"\noffline = true\n"))
	return root
}

func writeAll(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// exportFindings fuzzes a contract and exports all findings as tests. A second export
// must not change the file.
func exportFindings(t *testing.T, root string, c *foundryCase) {
	t.Helper()
	name := c.name
	tools, err := filepath.Abs(compilers)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("LEVERET_TOOLS", tools)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(root, ".cache"))
	file := filepath.Join(root, "src", name+".sol")
	found := filepath.Join(root, name+".json")
	run := func(want int, args ...string) string {
		t.Helper()
		var out, err bytes.Buffer
		if code := run(args, console{out: &out, err: &err}); code != want {
			t.Fatalf("leveret %s: exit code %d\n%s%s", strings.Join(args, " "), code, &out, &err)
		}
		return out.String()
	}
	flags := []string{"fuzz", "--seed", "1", "--workers", "1", "--contract", name, "--oracles", c.oracles,
		"--fail-on", "info", "--format", "json", "--output", found}
	if strings.Contains(c.oracles, ",") {
		flags = append(flags, "--max-inputs", "3000")
	} else {
		flags = append(flags, "--max-inputs", "50000", "--stop-on-first")
	}
	run(exitFound, append(flags, file)...)
	export := append([]string{"replay", "--test", "foundry"}, ids(t, found)...) // named, so that notes become tests too
	export = append(export, found)
	run(exitFound, export...)
	test := filepath.Join(root, "test", name+".leveret.t.sol")
	once, err := os.ReadFile(test)
	if err != nil {
		t.Fatal(err)
	}
	if said := run(exitFound, export...); !strings.Contains(said, "already has") {
		t.Errorf("the second export says %s", said)
	}
	if twice, err := os.ReadFile(test); err != nil || !bytes.Equal(once, twice) {
		t.Errorf("the second export changes the file: %v", err)
	}
	if testing.Verbose() {
		_, function, _ := bytes.Cut(once, []byte("function test_"))
		t.Logf("%s", function)
	}
}

// ids returns flags that name all findings of a report.
func ids(t *testing.T, path string) (flags []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	saved, err := parseFindings(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range saved.findings {
		flags = append(flags, "--id", f.ID)
	}
	return flags
}

// forgeTest runs all tests and returns which of them failed.
func forgeTest(t *testing.T, forge, root string) map[string]bool {
	t.Helper()
	cmd := exec.Command(forge, "test", "--json", "--use", filepath.Join(root, "solc"))
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "HOME="+root, "FOUNDRY_OFFLINE=true", "NO_COLOR=1")
	var out, errors bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errors
	err := cmd.Run() // 1 if tests fail
	var suites map[string]struct {
		TestResults map[string]struct {
			Status string `json:"status"`
			Reason string `json:"reason"`
		} `json:"test_results"`
	}
	if bad := json.Unmarshal(out.Bytes(), &suites); bad != nil || len(suites) == 0 {
		t.Fatalf("forge: %v\n%s%s", err, &out, &errors)
	}
	failed := map[string]bool{}
	for _, s := range suites {
		for name, r := range s.TestResults {
			failed[name] = r.Status != "Success"
			t.Logf("%s: %s %s", name, r.Status, r.Reason)
		}
	}
	return failed
}
