package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"leveret/engine/bench/forge"
	"leveret/engine/bench/projects"
)

// A speed is what the unit tests of a project cost in both programs, a line of the file
// of results.
type speed struct {
	Date       string `json:"date"`
	Revision   string `json:"revision"` // of leveret
	Project    string `json:"project"`
	Repository string `json:"repository"`
	Commit     string `json:"commit"`
	Suites     int    `json:"suites"` // test contracts that were set up
	Tests      int    `json:"tests"`  // that ran, and passed in both
	Forge      cost   `json:"forge"`
	Leveret    cost   `json:"leveret"`
}

// A cost is the CPU seconds of the processes of a program, in each repetition.
type cost struct {
	Empty []float64 `json:"empty"` // without tests: reading the cached build, above all
	Run   []float64 `json:"run"`   // with the tests
}

// tests is the median of what tests add to a run, in CPU seconds.
func (c *cost) tests() float64 {
	added := make([]float64, len(c.Run))
	for i := range added {
		added[i] = c.Run[i] - c.Empty[i]
	}
	slices.Sort(added)
	return (added[(len(added)-1)/2] + added[len(added)/2]) / 2
}

// measure runs the unit tests of a project that pass in both programs, in turns.
func (r runner) measure(ctx context.Context, p projects.Project, folder string, times int) (*speed, error) {
	dir := filepath.Join(folder, p.Name)
	pattern, err := r.passing(ctx, p, folder)
	if err != nil {
		return nil, err
	}
	s := &speed{Project: p.Name, Repository: p.Origin.Repository, Commit: p.Origin.Commit}
	theirs := func(pattern string) (map[key]verdict, float64, error) {
		text, used, err := r.used(ctx, p, dir, forge.Path(r.tools), "test", "--json", "--threads", "1", "--match-test", pattern)
		if err != nil || pattern == noTest {
			return nil, used, err
		}
		v, err := readForge(text)
		return v, used, err
	}
	ours := func(pattern string) (map[key]verdict, float64, error) {
		text, used, err := r.used(ctx, p, dir, r.leveret, "test", "--format", "json", "--seed", "1", "--match-test", pattern, ".")
		if err != nil || pattern == noTest {
			return nil, used, err
		}
		v, err := readLeveret(text)
		return v, used, err
	}
	for range times {
		var ran [2]map[key]verdict
		for i, program := range []struct {
			run  func(string) (map[key]verdict, float64, error)
			cost *cost
		}{{theirs, &s.Forge}, {ours, &s.Leveret}} {
			_, empty, err := program.run(noTest)
			if err != nil {
				return nil, err
			}
			v, used, err := program.run(pattern)
			if err != nil {
				return nil, err
			}
			ran[i], program.cost.Empty, program.cost.Run = v, append(program.cost.Empty, empty), append(program.cost.Run, used)
		}
		if err := s.count(ran[0], ran[1]); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// count counts the tests that both programs ran. It fails unless they are the same, and
// all passed. A contract that neither can set up is left out.
func (s *speed) count(forge, leveret map[key]verdict) error {
	suites := map[string]bool{}
	s.Tests = 0
	for k, v := range forge {
		if k.Test == "setUp()" && v.Status == "failed" && leveret[k].Status == "failed" {
			continue
		}
		if other, ok := leveret[k]; !ok || v.Status != "passed" || other.Status != "passed" {
			return fmt.Errorf("%s of %s: %s in forge, %s in leveret", k.Test, k.Suite, v, other)
		}
		suites[k.Suite] = true
		s.Tests++
	}
	if len(leveret) != len(forge) {
		return fmt.Errorf("forge runs %d tests, leveret %d", len(forge), len(leveret))
	}
	s.Suites = len(suites)
	return nil
}

// noTest matches no test.
const noTest = "^$"

// passing returns the pattern of the signatures of unit tests that pass in both programs. One
// is left out if it has another kind, or another verdict, in another contract.
func (r runner) passing(ctx context.Context, p projects.Project, folder string) (string, error) {
	tests, err := r.compare(ctx, p, folder)
	if err != nil {
		return "", err
	}
	names := map[string]bool{}
	for _, c := range tests {
		good := c.Kind == "unit" && c.Forge.Status == "passed" && c.Leveret.Status == "passed"
		if before, seen := names[c.Test]; !seen || before {
			names[c.Test] = good
		}
	}
	maps.DeleteFunc(names, func(_ string, good bool) bool { return !good })
	if len(names) == 0 {
		return "", errors.New("no unit test passes in both")
	}
	quoted := slices.Sorted(maps.Keys(names))
	for i, name := range quoted {
		quoted[i] = regexp.QuoteMeta(name)
	}
	return `^(` + strings.Join(quoted, "|") + `)$`, nil
}

// used runs a program and returns what it prints, and the CPU seconds of its process
// and those that it started.
func (r runner) used(ctx context.Context, p projects.Project, dir, program string, args ...string) ([]byte, float64, error) {
	out, state, err := r.Run(ctx, dir, slices.Concat(limits, p.Env), program, slices.Concat(args[:1], p.Flags, args[1:])...)
	var exit *exec.ExitError
	if errors.As(err, &exit) && slices.Contains(args, noTest) && strings.Contains(err.Error(), "no test matches") {
		err = nil
	}
	if err != nil {
		return nil, 0, err
	}
	return out, (state.UserTime() + state.SystemTime()).Seconds(), nil
}

// speeds measures the projects, and appends to the file of results.
func (o options) speeds(ctx context.Context, r runner, list []projects.Project) error {
	var failed error
	var all []speed
	for _, p := range list {
		s, err := r.measure(ctx, p, o.Projects, o.speed)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", p.Name, err))
			continue
		}
		s.Date, s.Revision = time.Now().UTC().Format(time.RFC3339), o.Revision
		all = append(all, *s)
		if err := projects.Append(o.Results, s); err != nil {
			return err
		}
	}
	writeSpeeds(os.Stdout, all)
	return failed
}

// readSpeeds reads a file of results; the last of each project counts.
func readSpeeds(file string) ([]speed, error) {
	all, err := projects.Read[speed](file)
	return lastOf(all, func(s speed) string { return s.Project }), err
}

// writeSpeeds writes a row for each project, and their sum.
func writeSpeeds(w io.Writer, all []speed) {
	fmt.Fprintln(w, "| project | commit | contracts | unit tests | CPU ms of all: forge | leveret | tests per CPU second: forge | leveret | ratio |")
	fmt.Fprintln(w, "|:--|:--|--:|--:|--:|--:|--:|--:|--:|")
	var sum struct {
		suites, tests  int
		forge, leveret float64
	}
	for _, s := range all {
		f, l := s.Forge.tests(), s.Leveret.tests()
		writeSpeed(w, s.Project, s.Repository+"@"+s.Commit[:min(8, len(s.Commit))], s.Suites, s.Tests, f, l)
		sum.suites, sum.tests, sum.forge, sum.leveret = sum.suites+s.Suites, sum.tests+s.Tests, sum.forge+f, sum.leveret+l
	}
	writeSpeed(w, "all", "", sum.suites, sum.tests, sum.forge, sum.leveret)
}

// resolution is what runs of the same kind differ by, in CPU seconds: tests that cost less
// have no rate.
const resolution = 0.02

func writeSpeed(w io.Writer, name, commit string, suites, tests int, forge, leveret float64) {
	if min(forge, leveret) < resolution {
		fmt.Fprintf(w, "| %s | %s | %d | %d | %.0f | %.0f | - | - | - |\n", name, commit, suites, tests, 1000*forge, 1000*leveret)
		return
	}
	fmt.Fprintf(w, "| %s | %s | %d | %d | %.0f | %.0f | %.0f | %.0f | %.2f |\n", name, commit, suites, tests,
		1000*forge, 1000*leveret, float64(tests)/forge, float64(tests)/leveret, forge/leveret)
}
