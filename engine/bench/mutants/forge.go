package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"leveret/engine/bench/forge"
	"leveret/engine/bench/projects"
	"leveret/solc"
	"leveret/solc/ast"
)

// A copied is a folder with the sources that the tests of a target import, for
// forge. Comments in its tests say how many runs each test gets.
type copied struct {
	*opened
	projects.Runner
	tools, dir string
	Plan       plan
}

// A plan is how forge spends the budget of 10 CPU seconds on a target: each fuzz
// test and each invariant gets an equal part. It is kept in the copy.
type plan struct {
	Start  float64        // CPU seconds until the first test runs
	Runs   map[string]int // by FILE:LINE of the test function
	CPU    float64        // that the tests of the unchanged sources then take
	Failed []string       // names of tests that fail on the unchanged sources
}

// forgeBudget is the budget of one run of forge, in CPU seconds.
const forgeBudget = 10

// What calibration starts from: runs of each test.
const (
	firstRuns      = 1000
	firstSequences = 10
	maxRuns        = 50_000_000
)

// limits are forge's settings besides the project's: its defaults would end a
// test that has many runs and rejects many inputs, or spend the budget on
// shrinking.
var limits = []string{
	"FOUNDRY_FUZZ_MAX_TEST_REJECTS=4294967295", "FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT=0", "FOUNDRY_LINT_LINT_ON_BUILD=false", "FOUNDRY_DENY=never",
}

// copyOf makes the copy of a target, or finds the one that is there.
func copyOf(ctx context.Context, o *opened, r projects.Runner, tools, dir string) (*copied, error) {
	c := &copied{opened: o, Runner: r, tools: tools, dir: filepath.Join(dir, o.name)}
	if text, err := os.ReadFile(c.planFile()); err == nil {
		return c, json.Unmarshal(text, &c.Plan)
	}
	if err := os.RemoveAll(c.dir); err != nil {
		return nil, err
	}
	if err := c.fill(ctx); err != nil {
		return nil, err
	}
	if err := c.calibrate(ctx); err != nil {
		return nil, err
	}
	text, err := json.Marshal(c.Plan)
	if err != nil {
		return nil, err
	}
	return c, os.WriteFile(c.planFile(), text, 0o644)
}

func (c *copied) planFile() string { return filepath.Join(c.dir, "plan.json") }

// fill writes the sources, the configuration and the remappings that forge finds in
// the project.
func (c *copied) fill(ctx context.Context) error {
	for _, s := range c.build.Sources {
		if s == nil {
			continue
		}
		if name := c.relative(s); !filepath.IsLocal(name) {
			return fmt.Errorf("%s lies outside of the project", name)
		}
		if err := c.write(c.dir, c.relative(s), s.Text); err != nil {
			return err
		}
	}
	root := c.opened.project.Root
	config, err := os.ReadFile(filepath.Join(root, "foundry.toml"))
	if err != nil {
		return err
	}
	remappings, _, err := c.Run(ctx, root, c.environment(), forge.Path(c.tools), "remappings")
	if err != nil {
		return err
	}
	return errors.Join(c.write(c.dir, "foundry.toml", config), c.write(c.dir, "remappings.txt", remappings))
}

func (c *copied) write(dir, name string, text []byte) error {
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// calibrate finds the numbers of runs that spend the budget.
func (c *copied) calibrate(ctx context.Context) error {
	if err := c.compileIn(ctx, c.dir); err != nil {
		return err
	}
	// What a run costs before its first test: no test matches.
	_, usage, err := c.test(ctx, c.dir, command{seed: 1, match: "^$"})
	if err != nil {
		return err
	}
	c.Plan.Start = usage
	initial := []string{fmt.Sprint("FOUNDRY_FUZZ_RUNS=", firstRuns), fmt.Sprint("FOUNDRY_INVARIANT_RUNS=", firstSequences)}
	for range 5 {
		results, usage, err := c.test(ctx, c.dir, command{seed: 1, env: initial, match: searchedPattern})
		if err != nil {
			return err
		}
		c.Plan.CPU = usage - c.Plan.Start
		if c.leaveOut(results) {
			continue
		}
		if c.Plan.Runs != nil && c.Plan.CPU > 0.8*forgeBudget && c.Plan.CPU < 1.25*forgeBudget {
			return nil
		}
		c.share(results)
		if err := c.comment(ctx); err != nil {
			return err
		}
	}
	return nil
}

// leaveOut leaves out the tests that fail on the unchanged sources. It returns whether
// there are some more: one of a kind that forge no longer runs ends its whole suite, so
// that the others did not run.
func (c *copied) leaveOut(results map[projects.Key]projects.Result) (more bool) {
	for k, r := range results {
		if r.Status == "failed" {
			name, _, _ := strings.Cut(k.Test, "(")
			c.Plan.Failed = append(c.Plan.Failed, name)
			more = true
		}
	}
	slices.Sort(c.Plan.Failed)
	return more
}

// share computes how many runs of each test take an equal part of the budget.
func (c *copied) share(results map[projects.Key]projects.Result) {
	var wall float64
	for _, r := range results {
		wall += r.Seconds
	}
	places, before, tests := c.places(), c.Plan.Runs, 0
	for k := range results {
		if _, ok := places[k]; ok {
			tests++
		}
	}
	c.Plan.Runs = map[string]int{}
	for k, r := range results {
		at, ok := places[k]
		if !ok || wall == 0 {
			continue
		}
		runs := cmp.Or(before[at], firstRuns)
		if r.Kind == "invariant" {
			runs = cmp.Or(before[at], firstSequences)
		}
		spent := max(r.Seconds*c.Plan.CPU/wall, 1e-4)
		n := min(max(int(float64(runs)*forgeBudget/float64(tests)/spent), 1), maxRuns)
		// A function of a base contract runs in several suites: the slowest decides.
		if old, ok := c.Plan.Runs[at]; !ok || n < old {
			c.Plan.Runs[at] = n
		}
	}
}

// places are the test functions whose inputs are searched, as FILE:OFFSET.
func (c *copied) places() map[projects.Key]string {
	all := map[projects.Key]string{}
	suites, err := c.suites(c.build)
	if err != nil {
		return nil
	}
	for _, s := range suites {
		for _, t := range s.Tests.Tests {
			if !searched(t, nil) || t.Kind == solc.TableTest {
				continue
			}
			source := c.build.Source(t.File)
			for _, f := range source.Unit.Root.Find(ast.FunctionDefinition) {
				if f.Name() == t.Name && source.Lines.OffsetPosition(f.NameSpan(source.Text).Start).Line == t.Line {
					all[projects.Key{Suite: c.relative(s.Unit.Build.Source(s.Contract.File)) + ":" + s.Contract.Name, Test: t.Signature}] = fmt.Sprintf("%s:%s:%d", c.relative(source), t.Kind, f.Span.Start)
				}
			}
		}
	}
	return all
}

// comment writes the numbers of runs into the tests, and compiles them.
func (c *copied) comment(ctx context.Context) error {
	profile := cmp.Or(c.getenv("FOUNDRY_PROFILE"), "default")
	for _, s := range c.build.Sources {
		if s == nil {
			continue
		}
		var edits []edit
		for at, n := range c.Plan.Runs {
			var offset int
			rest, ok := strings.CutPrefix(at, c.relative(s)+":")
			if !ok {
				continue
			}
			kind, number, _ := strings.Cut(rest, ":")
			if _, err := fmt.Sscan(number, &offset); err != nil {
				return err
			}
			edits = append(edits, edit{offset, offset, fmt.Sprintf("\n/// forge-config: %s.%s.runs = %d\n", profile, kind, n)})
		}
		if len(edits) == 0 {
			continue
		}
		slices.SortFunc(edits, func(a, b edit) int { return b.start - a.start })
		text := slices.Clone(s.Text)
		for _, e := range edits {
			text = slices.Concat(text[:e.start], []byte(e.text), text[e.end:])
		}
		if err := c.write(c.dir, c.relative(s), text); err != nil {
			return err
		}
	}
	return c.compileIn(ctx, c.dir)
}

// compileIn has forge compile a copy.
func (c *copied) compileIn(ctx context.Context, dir string) error {
	_, _, err := c.Run(ctx, dir, slices.Concat(limits, c.environment()), forge.Path(c.tools), "build")
	return err
}

// A command is one run of `forge test`.
type command struct {
	seed  uint64
	limit float64 // CPU seconds of the process; 0: none, and it goes on after a failure
	env   []string
	match string // of the signatures of tests
}

// searchedPattern matches the signatures of tests whose inputs are searched.
const searchedPattern = `\([^)]|^(invariant|statefulFuzz)`

// test runs tests of a copy, and returns the results and the CPU seconds of the
// process. There are no results if the limit ended it.
func (c *copied) test(ctx context.Context, dir string, run command) (map[projects.Key]projects.Result, float64, error) {
	for _, folder := range []string{"cache/fuzz", "cache/invariant"} {
		if err := os.RemoveAll(filepath.Join(dir, folder)); err != nil { // failures of other runs
			return nil, 0, err
		}
	}
	args, seconds := []string{"test", "--json", "--threads", "1", "--match-test", run.match}, 0
	if run.limit > 0 {
		args, seconds = append(args, "--fail-fast"), int(run.limit)+1
	}
	if failed := c.Plan.Failed; len(failed) > 0 {
		args = append(args, "--no-match-test", `^(`+strings.Join(failed, "|")+`)\(`)
	}
	args = forge.Limited(seconds, forge.Path(c.tools), args...)
	env := slices.Concat(limits, c.environment(), run.env, []string{fmt.Sprintf("FOUNDRY_FUZZ_SEED=%#x", run.seed)})
	out, state, err := c.Run(ctx, dir, env, args[0], args[1:]...)
	if state == nil {
		return nil, 0, err
	}
	cpu := (state.UserTime() + state.SystemTime()).Seconds()
	if run.limit > 0 && cpu >= run.limit {
		return nil, cpu, nil
	}
	if err != nil || !bytes.Contains(out, []byte("{")) { // no test matches
		return nil, cpu, err
	}
	results, err := projects.ReadForge(out)
	return results, cpu, err
}

// rejects matches reasons that are no failures of a test.
var rejects = regexp.MustCompile(`rejected too many inputs|too many global rejects`)

// mutated makes the copy with a mutant, and compiles it. It stays there for other
// seeds.
func (c *copied) mutated(ctx context.Context, m *mutant) (string, error) {
	dir := filepath.Join(filepath.Dir(c.dir), "mutants", m.ID)
	done := filepath.Join(dir, ".built")
	if _, err := os.Stat(done); err == nil {
		return dir, nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	if out, err := exec.CommandContext(ctx, "cp", "-a", c.dir, dir).CombinedOutput(); err != nil {
		return "", fmt.Errorf("cp: %w: %s", err, out)
	}
	if err := c.write(dir, m.File, m.text()); err != nil {
		return "", err
	}
	if err := c.compileIn(ctx, dir); err != nil {
		return "", err
	}
	return dir, os.WriteFile(done, nil, 0o644)
}

// search has forge search the tests of a mutant for its budget.
func (c *copied) search(ctx context.Context, m *mutant, seed uint64) (run, error) {
	r := run{Tool: forgeTool, Seed: seed, Budget: forgeBudget}
	dir, err := c.mutated(ctx, m)
	if err != nil {
		return r, err
	}
	results, cpu, err := c.test(ctx, dir, command{seed: seed, limit: 1.5*max(forgeBudget, c.Plan.CPU) + c.Plan.Start, match: searchedPattern})
	if err != nil {
		return r, err
	}
	r.CPU = max(0, cpu-c.Plan.Start)
	for k, v := range results {
		r.Inputs += v.Runs
		if v.Status == "failed" && !rejects.MatchString(v.Reason) && (!r.Found || k.Suite+k.Test < r.Test) {
			r.Found, r.Test, r.Reason = true, k.Suite+"."+k.Test, v.Reason
		}
	}
	return r, ctx.Err()
}
