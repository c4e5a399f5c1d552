package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"leveret/engine/bench/forge"
)

// A result is the comparison of one project, a line of the file of results.
type result struct {
	Date       string       `json:"date"`
	Revision   string       `json:"revision"` // of leveret
	Project    string       `json:"project"`
	Repository string       `json:"repository"`
	Commit     string       `json:"commit"`
	Tests      []comparison `json:"tests"`
}

// limits make a run of forge finish in minutes: the verdicts of unit tests do not
// depend on them.
var limits = []string{"FOUNDRY_FUZZ_SEED=0x1", "FOUNDRY_INVARIANT_RUNS=8", "FOUNDRY_LINT_LINT_ON_BUILD=false"}

// A runner runs both programs on work trees.
type runner struct {
	leveret, tools, home string
	timeout              time.Duration
}

// forge compiles and runs the tests of a project, and returns the JSON.
func (r runner) forge(ctx context.Context, p project, dir string) ([]byte, error) {
	if _, err := r.run(ctx, p, dir, forge.Path(r.tools), "build"); err != nil {
		return nil, err
	}
	return r.run(ctx, p, dir, forge.Path(r.tools), append([]string{"test", "--json", "--threads", "1"}, p.flags...)...)
}

// test runs leveret's tests of a project with the same compilers, fuzz tests with as many inputs as forge gives them by
// default, and returns the JSON.
func (r runner) test(ctx context.Context, p project, dir string) ([]byte, error) {
	return r.run(ctx, p, dir, r.leveret, slices.Concat([]string{"test", "--format", "json", "--seed", "1", "--max-inputs", "256"}, p.flags, []string{"."})...)
}

// run returns what a program prints. Exit code 1 means that tests failed.
func (r runner) run(ctx context.Context, p project, dir, program string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	cmd.Env = slices.Concat(forge.Environment(r.home), limits, p.env)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1 || len(out) == 0 || args[0] != "test") {
		return nil, fmt.Errorf("%s %v: %w\n%s%s", filepath.Base(program), args, err, tail(out), tail(errs.Bytes()))
	}
	return out, nil
}

// tail is the end of a long output.
func tail(text []byte) []byte { return text[max(0, len(text)-2000):] }

// forgeResults returns forge's JSON of a project, which is kept in a file: the
// tests of a commit do not change.
func (r runner) forgeResults(ctx context.Context, p project, dir, file string) ([]byte, error) {
	if text, err := os.ReadFile(file); err == nil {
		return text, nil
	}
	text, err := r.forge(ctx, p, dir)
	if err != nil {
		return nil, err
	}
	return text, os.WriteFile(file, text, 0o644)
}
