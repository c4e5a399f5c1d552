package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"leveret/engine/bench/projects"
)

func TestCost(t *testing.T) {
	c := cost{Empty: []float64{1, 2, 1, 1}, Run: []float64{4, 3, 8, 3}} // adds 3, 1, 7, 2
	if got := c.tests(); got != 2.5 {
		t.Errorf("median %v, want 2.5", got)
	}
}

func TestWriteSpeeds(t *testing.T) {
	var out bytes.Buffer
	writeSpeeds(&out, []speed{
		{Project: "p", Repository: "o/p", Commit: "0123456789", Suites: 2, Tests: 10, Forge: cost{[]float64{1}, []float64{1.5}}, Leveret: cost{[]float64{1}, []float64{1.25}}},
		{Project: "q", Repository: "o/q", Commit: "0", Suites: 1, Tests: 10, Forge: cost{[]float64{1}, []float64{1.5}}, Leveret: cost{[]float64{1}, []float64{2}}},
	})
	for _, want := range []string{"| p | o/p@01234567 | 2 | 10 | 500 | 250 | 20 | 40 | 2.00 |", "| all |  | 3 | 20 | 1000 | 1250 | 20 | 16 | 0.80 |"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// A project is measured with the unit tests that pass in both programs, and only if both
// run the same.
func TestMeasure(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program that stands for leveret is a shell script")
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("p.json", forgeJSON)
	write("p/foundry.toml", "")
	// Without tests it complains; with a pattern it runs the one test that passes.
	leveret := write("leveret", "#!/bin/sh\ncase \"$*\" in *'--match-test ^$'*) echo no test matches >&2; exit 2;; *--match-test*) cat "+dir+"/some.json;; *) cat "+dir+"/all.json;; esac\n")
	write("all.json", leveretJSON)
	write("some.json", `{"suites":[{"file":"test/A.t.sol","contract":"A","tests":[{"name":"testSame()","kind":"unit","status":"passed"}]}]}`)
	r := runner{projects.Runner{Home: dir, Timeout: time.Minute}, leveret, dir}
	p := projects.Project{Name: "p"}
	pattern, err := r.passing(context.Background(), p, dir)
	if err != nil || pattern != `^(testSame\(\))$` || !regexp.MustCompile(pattern).MatchString("testSame()") {
		t.Errorf("%q, %v", pattern, err)
	}
	if _, used, err := r.used(context.Background(), p, filepath.Join(dir, "p"), leveret, "test", "--match-test", noTest); err != nil || used < 0 {
		t.Errorf("%v, %v", used, err)
	}
	if _, _, err := r.used(context.Background(), p, filepath.Join(dir, "p"), "false", "test"); err == nil {
		t.Error("a program that fails is measured")
	}
	ours, err := readLeveret([]byte(leveretJSON))
	if err != nil {
		t.Fatal(err)
	}
	passed := map[key]verdict{{Suite: "test/A.t.sol:A", Test: "testSame()"}: {Status: "passed"}}
	var s speed
	if err := s.count(passed, passed); err != nil || s.Tests != 1 || s.Suites != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	unset := key{Suite: "test/B.t.sol:B", Test: "setUp()"}
	both := map[key]verdict{{Suite: "test/A.t.sol:A", Test: "testSame()"}: {Status: "passed"}, unset: {Status: "failed"}}
	if err := s.count(both, both); err != nil || s.Tests != 1 || s.Suites != 1 {
		t.Errorf("a contract that neither sets up: %+v, %v", s, err)
	}
	if err := s.count(both, map[key]verdict{{Suite: "test/A.t.sol:A", Test: "testSame()"}: {Status: "passed"}, unset: {Status: "passed"}}); err == nil {
		t.Error("a setUp that fails in forge alone is left out")
	}
	if err := s.count(passed, ours); err == nil {
		t.Error("programs that run different tests are compared")
	}
	if err := s.count(map[key]verdict{{Suite: "x", Test: "y"}: {Status: "passed"}}, passed); err == nil {
		t.Error("programs that run different tests are compared")
	}
}
