package main

import (
	"context"
	"os"
	"slices"

	"leveret/engine/bench/forge"
	"leveret/engine/bench/projects"
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
	projects.Runner
	leveret, tools string
}

// forge compiles and runs the tests of a project, and returns the JSON.
func (r runner) forge(ctx context.Context, p projects.Project, dir string) ([]byte, error) {
	if _, err := r.run(ctx, p, dir, forge.Path(r.tools), "build"); err != nil {
		return nil, err
	}
	return r.run(ctx, p, dir, forge.Path(r.tools), append([]string{"test", "--json", "--threads", "1"}, p.Flags...)...)
}

// test runs leveret's tests of a project with the same compilers, fuzz tests with as many inputs as forge gives them by
// default, and returns the JSON.
func (r runner) test(ctx context.Context, p projects.Project, dir string) ([]byte, error) {
	return r.run(ctx, p, dir, r.leveret, slices.Concat([]string{"test", "--format", "json", "--seed", "1", "--max-inputs", "256"}, p.Flags, []string{"."})...)
}

// run returns what a program prints.
func (r runner) run(ctx context.Context, p projects.Project, dir, program string, args ...string) ([]byte, error) {
	out, _, err := r.Run(ctx, dir, slices.Concat(limits, p.Env), program, args...)
	return out, err
}

// forgeResults returns forge's JSON of a project, which is kept in a file: the
// tests of a commit do not change.
func (r runner) forgeResults(ctx context.Context, p projects.Project, dir, file string) ([]byte, error) {
	if text, err := os.ReadFile(file); err == nil {
		return text, nil
	}
	text, err := r.forge(ctx, p, dir)
	if err != nil {
		return nil, err
	}
	return text, os.WriteFile(file, text, 0o644)
}
