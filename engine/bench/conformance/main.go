// Conformance runs the tests of public Foundry projects with forge and with
// leveret, and compares the verdict of every test. It knows only what both
// commands print.
//
//	go run ./engine/bench/conformance -mirrors DIR -projects DIR   # lay out the work trees
//	go run ./engine/bench/conformance -leveret ./leveret -projects DIR -only solmate,permit2
//	go run ./engine/bench/conformance -leveret ./leveret -projects DIR -speed 5   # what unit tests cost
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"time"

	"leveret/engine/bench/projects"
)

type options struct {
	projects.Flags
	leveret, mirrors string
	timeout          time.Duration
	speed            int
}

func main() {
	var o options
	o.Add(flag.CommandLine)
	flag.StringVar(&o.leveret, "leveret", "leveret", "the built command")
	flag.StringVar(&o.mirrors, "mirrors", "", "lay out missing work trees from this folder of clones, named OWNER+NAME; then stop")
	flag.DurationVar(&o.timeout, "timeout", time.Hour, "time for one run of one program on one project")
	flag.IntVar(&o.speed, "speed", 0, "measure the CPU time of unit tests in `N` repetitions, in place of comparing verdicts")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := o.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(2)
	}
}

func (o options) run(ctx context.Context) error {
	switch {
	case o.Print && o.speed > 0:
		all, err := readSpeeds(o.Results)
		if err != nil {
			return err
		}
		writeSpeeds(os.Stdout, all)
		return nil
	case o.Print:
		results, err := readResults(o.Results)
		if err != nil {
			return err
		}
		writeTables(os.Stdout, results)
		return nil
	}
	if o.Projects == "" {
		return errors.New("missing -projects: a folder for work trees, outside of this repository")
	}
	list, err := projects.List(o.Only)
	if err != nil {
		return err
	}
	if o.mirrors != "" {
		return projects.LayOut(os.Stdout, list, o.Projects, o.mirrors)
	}
	return o.compare(ctx, list)
}

// compare runs both programs on each project, one after the other. A project that
// does not run is reported, and the others go on.
func (o options) compare(ctx context.Context, list []projects.Project) error {
	home, err := o.Install()
	if err != nil {
		return err
	}
	command, err := exec.LookPath(o.leveret)
	if err != nil {
		return err
	}
	if command, err = filepath.Abs(command); err != nil {
		return err
	}
	r := runner{projects.Runner{Home: home, Timeout: o.timeout}, command, o.Tools}
	if o.speed > 0 {
		return o.speeds(ctx, r, list)
	}
	var results []result
	var failed error
	for _, p := range list {
		tests, err := r.compare(ctx, p, o.Projects)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", p.Name, err))
			continue
		}
		results = append(results, result{
			Date: time.Now().UTC().Format(time.RFC3339), Revision: o.Revision, Project: p.Name,
			Repository: p.Origin.Repository, Commit: p.Origin.Commit, Tests: tests,
		})
		if err := projects.Append(o.Results, results[len(results)-1]); err != nil {
			return err
		}
	}
	writeTables(os.Stdout, results)
	return failed
}

// compare runs both programs on a project.
func (r runner) compare(ctx context.Context, p projects.Project, folder string) ([]comparison, error) {
	dir := filepath.Join(folder, p.Name)
	text, err := r.forgeResults(ctx, p, dir, filepath.Join(folder, p.Name+".json"))
	if err != nil {
		return nil, err
	}
	theirs, err := readForge(text)
	if err != nil {
		return nil, fmt.Errorf("forge's results: %w", err)
	}
	if text, err = r.test(ctx, p, dir); err != nil {
		return nil, err
	}
	ours, err := readLeveret(text)
	if err != nil {
		return nil, fmt.Errorf("leveret's results: %w", err)
	}
	return compare(theirs, ours), nil
}

// readResults reads the last result of each project, in the order of the list.
func readResults(file string) ([]result, error) {
	all, err := projects.Read[result](file)
	return lastOf(all, func(r result) string { return r.Project }), err
}

// lastOf keeps the last result of each name, in the order of the first.
func lastOf[T any](all []T, name func(T) string) (last []T) {
	for _, r := range all {
		if i := slices.IndexFunc(last, func(old T) bool { return name(old) == name(r) }); i >= 0 {
			last[i] = r
		} else {
			last = append(last, r)
		}
	}
	return last
}
