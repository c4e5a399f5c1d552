// Mutants plants bugs in the sources of public Foundry projects and counts how
// many of those that no unit test kills the fuzz and invariant tests find, run by
// forge and by leveret's search with the same CPU seconds.
//
//	go run ./engine/bench/mutants -projects DIR -work DIR -results results/mutants.jsonl plant
//	go run ./engine/bench/mutants ... forge     # one seed; -seeds 6 for 60 CPU seconds
//	go run ./engine/bench/mutants ... leveret   # -budget 60s
//	go run ./engine/bench/mutants -results results/mutants.jsonl -print
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"leveret/engine/bench/projects"
	"leveret/engine/bench/usage"
	"leveret/engine/pacer"
	"leveret/solc/compiler"
)

type options struct {
	projects.Flags
	work, profile        string
	wanted, tries, seeds int
	seed                 uint64
	budget               time.Duration
	again                bool
}

func main() {
	var o options
	o.Add(flag.CommandLine)
	flag.StringVar(&o.work, "work", "", "folder for copies and caches")
	flag.IntVar(&o.wanted, "wanted", 12, "surviving mutants of a target")
	flag.IntVar(&o.tries, "tries", 60, "planted mutants of a target at most")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the choice of mutants")
	flag.IntVar(&o.seeds, "seeds", 1, "runs of forge, 10 CPU seconds each, until one finds the mutant")
	flag.DurationVar(&o.budget, "budget", 10*time.Second, "CPU time of leveret for a mutant")
	flag.BoolVar(&o.again, "again", false, "repeat leveret's runs of other revisions")
	flag.StringVar(&o.profile, "profile", "", "write a CPU profile of the steps to this file")
	flag.Parse()
	pacer.Start()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := usage.Profile(o.profile, func() error { return o.run(ctx, flag.Args()) }); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(2)
	}
}

// busy is how long a compiler or a run of forge may take on a busy machine.
const busy = 30 * time.Minute

// A step is what the program does with a target.
type step func(context.Context, *session) error

var steps = map[string]step{"plant": plantStep, "forge": forgeStep, "baseline": baselineStep, "leveret": leveretStep}

func (o options) run(ctx context.Context, names []string) error {
	results, err := load(o.Results)
	if err != nil {
		return err
	}
	if o.Print {
		results.write(os.Stdout)
		return nil
	}
	if o.Projects == "" || o.work == "" || o.Results == "" {
		return errors.New("missing -projects, -work or -results")
	}
	all, err := projects.List("")
	if err != nil {
		return err
	}
	targets, err := parseTargets(targetList, all)
	if err != nil {
		return fmt.Errorf("targets.txt: %w", err)
	}
	home, err := o.Install()
	if err != nil {
		return err
	}
	var failed error
	for _, t := range targets {
		if o.Only != "" && !slices.Contains(strings.Split(o.Only, ","), t.name) {
			continue
		}
		if err := o.target(ctx, &t, results, home, names); err != nil {
			failed = errors.Join(failed, err)
			fmt.Fprintln(os.Stderr, t.name+":", err)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return failed
}

// A session is a target that is worked on.
type session struct {
	options
	*opened
	runner  projects.Runner
	results *results
	planted []*mutant // all of the target, in the order of the seed
}

// target does the steps with one target.
func (o options) target(ctx context.Context, t *target, r *results, home string, names []string) error {
	env := compiler.EnvFrom(os.Getenv)
	env.Home, env.ToolDirs, env.CacheDir, env.CacheSize, env.Timeout = home, o.ToolDirs(), filepath.Join(o.work, "cache"), 4<<30, busy
	at, toolchain, err := t.open(ctx, env, filepath.Join(o.Projects, t.project.Name))
	if err != nil {
		return err
	}
	defer toolchain.Close()
	s := &session{options: o, opened: at, results: r, runner: projects.Runner{Home: home, Timeout: busy}}
	s.planted = plant(t.name, at.build, at.sources, at.relative, o.seed)
	for _, name := range names {
		do, ok := steps[name]
		if !ok {
			return fmt.Errorf("unknown step %q: plant, forge, baseline or leveret", name)
		}
		if err := do(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// plantStep decides the fate of mutants until enough survive.
func plantStep(ctx context.Context, s *session) error {
	survivors, tried := 0, 0
	for _, m := range s.planted {
		if survivors >= s.wanted || tried >= s.tries {
			break
		}
		tried++
		if known, ok := s.results.mutants[m.ID]; ok {
			if known.Fate == survives {
				survivors++
			}
			continue
		}
		began := time.Now()
		if err := s.judgeMutant(ctx, m); err != nil {
			return err
		}
		if m.Fate == survives {
			survivors++
		}
		fmt.Printf("%s %s:%d %s %q -> %q: %s %s (%.1f s)\n", m.ID, m.File, m.Line, m.Operator, m.Before, m.After, m.Fate, m.By, time.Since(began).Seconds())
		if err := s.results.add(line{Mutant: m}); err != nil {
			return err
		}
	}
	return nil
}

// survivors calls f with each surviving mutant.
func (s *session) survivors(f func(*mutant) error) error {
	for _, m := range s.planted {
		if known, ok := s.results.mutants[m.ID]; ok && known.Fate == survives {
			if err := f(m); err != nil {
				return err
			}
		}
	}
	return nil
}

// forgeStep has forge search each surviving mutant, with one seed after the other.
func forgeStep(ctx context.Context, s *session) error {
	c, err := copyOf(ctx, s.opened, s.runner, s.Tools, filepath.Join(s.work, "forge"))
	if err != nil {
		return err
	}
	return s.survivors(func(m *mutant) error {
		for seed := uint64(1); seed <= uint64(s.seeds); seed++ {
			r, known := s.results.of(m.ID, forgeTool, forgeBudget, seed)
			if !known {
				if r, err = c.search(ctx, m, seed); err != nil {
					return err
				}
				if err := s.add(m, r); err != nil {
					return err
				}
			}
			if r.Found {
				break
			}
		}
		return nil
	})
}

// leveretStep has leveret search each surviving mutant. Tests that fail on the
// unchanged sources are left out: in a search of these, or with the counterexample of a
// mutant, which then is searched again.
func leveretStep(ctx context.Context, s *session) error {
	if _, err := s.unchanged(ctx); err != nil {
		return err
	}
	return s.survivors(func(m *mutant) error {
		if _, known := s.done(m.ID); known || s.foundSooner(m.ID) {
			return nil
		}
		build, err := m.build, error(nil)
		if build == nil {
			build, err = s.compile(ctx, m)
		}
		if m.build = nil; err != nil {
			return err
		}
		for {
			r, err := s.search(ctx, build, s.budget, s.seed, s.results.failing(s.name))
			if err != nil {
				return err
			}
			if anyway, err := s.failsAnyway(ctx, &r); err != nil || !anyway {
				return errors.Join(err, s.add(m, r))
			}
			if err := s.add(&mutant{ID: s.name}, r); err != nil {
				return err
			}
		}
	})
}

// baselineStep has leveret search the unchanged sources alone.
func baselineStep(ctx context.Context, s *session) error {
	_, err := s.unchanged(ctx)
	return err
}

// unchanged has leveret search the unchanged sources until no test fails, and returns
// the names of those that do, in this and in earlier runs.
func (s *session) unchanged(ctx context.Context) (failing map[string]bool, err error) {
	for {
		failing = s.results.failing(s.name)
		if r, known := s.done(s.name); known && !r.Found {
			return failing, nil
		}
		r, err := s.search(ctx, s.build, s.budget, s.seed, failing)
		if err != nil {
			return nil, err
		}
		if err := s.add(&mutant{ID: s.name}, r); err != nil {
			return nil, err
		}
		if !r.Found {
			return failing, nil
		}
	}
}

// done returns leveret's run of a mutant that need not be repeated.
func (s *session) done(id string) (run, bool) {
	r, known := s.results.of(id, leveretTool, s.budget.Seconds(), s.seed)
	return r, known && (!s.again || r.Revision == s.Revision)
}

// foundSooner reports whether leveret found a mutant in 10 seconds already, which counts as
// found in a larger budget.
func (s *session) foundSooner(id string) bool {
	return !s.again && s.budget.Seconds() > forgeBudget && s.results.leveret(id, forgeBudget) == found
}

// add keeps a run.
func (s *session) add(m *mutant, r run) error {
	r.Mutant, r.Revision, r.Date = m.ID, s.Revision, time.Now().UTC().Format(time.RFC3339)
	fmt.Printf("%s %s seed %d: found %t in %.2f of %.0f CPU seconds, %d inputs: %s\n", m.ID, r.Tool, r.Seed, r.Found, r.CPU, r.Budget, r.Inputs, r.Test)
	return s.results.add(line{Run: &r})
}

// firstLine is the first line of an error.
func firstLine(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	return text
}
