package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"leveret/engine"
	"leveret/engine/bench/projects"
	"leveret/engine/bench/usage"
	"leveret/engine/input"
	"leveret/engine/suite"
	"leveret/solc"
	"leveret/solc/host"
	"leveret/solc/selection"
)

// passing runs the unit tests of a build and returns those that pass; a suite
// that is set up counts as setUp().
func (o *opened) passing(ctx context.Context, build *solc.Build) (map[projects.Key]bool, error) {
	passed := map[projects.Key]bool{}
	_, err := o.judge(ctx, build, func(k projects.Key, ok bool) bool {
		passed[k] = ok
		return true
	})
	return passed, err
}

// killer returns the first unit test that passes without a mutant and fails in
// its build; "" if there is none.
func (o *opened) killer(ctx context.Context, build *solc.Build) (string, error) {
	return o.judge(ctx, build, func(k projects.Key, ok bool) bool { return ok || !o.units[k] })
}

// judge runs unit tests until one is unexpected, which it returns.
func (o *opened) judge(ctx context.Context, build *solc.Build, expected func(k projects.Key, passed bool) bool) (string, error) {
	suites, err := o.suites(build)
	if err != nil {
		return "", err
	}
	for _, c := range suites {
		s, err := o.set(ctx, c, time.Now)
		if err != nil {
			return "", err
		}
		name := c.Contract.File + ":" + c.Contract.Name
		if k := (projects.Key{Suite: name, Test: "setUp()"}); !expected(k, s.Fault() == nil) {
			return fmt.Sprint(k), nil
		}
		for _, t := range c.Tests.Tests {
			if t.Kind != solc.UnitTest || s.Fault() != nil {
				continue
			}
			k := projects.Key{Suite: name, Test: t.Signature}
			if status := s.Run(ctx, t).Status; !expected(k, status == suite.Passed || status == suite.Skipped) {
				return fmt.Sprint(k), nil
			}
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
		}
	}
	return "", nil
}

// set deploys a test contract and calls its setUp.
func (o *opened) set(ctx context.Context, c selection.Suite, now func() time.Time) (*suite.Suite, error) {
	config := c.Config.TestConfig
	return suite.New(ctx, c.Contract, c.Unit.Build.Contracts, suite.Options{
		Config: config, Own: c.Config, Now: now,
		Host: &host.Host{
			Folder: o.project.Root, Config: config.Cheats, Chains: config.Fork, Builds: solc.Builds{c.Unit.Build}, Contract: c.Contract, Trusted: true,
		},
	})
}

// judgeMutant decides the fate of a mutant.
func (o *opened) judgeMutant(ctx context.Context, m *mutant) error {
	build, err := o.compile(ctx, m)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		m.Fate, m.By = invalid, firstLine(err)
		return nil
	case sameCode(o.build, build):
		m.Fate = equal
		return nil
	}
	if m.By, err = o.killer(ctx, build); err != nil {
		return err
	}
	if m.Fate, m.build = survives, build; m.By != "" {
		m.Fate, m.build = killed, nil
	}
	return nil
}

// searched reports whether the inputs of a test are searched.
func searched(t solc.Test, without map[string]bool) bool {
	return !t.Removed && t.Kind != solc.UnitTest && !without[t.Name]
}

// searchedTests lists the tests of suites whose inputs are searched, and counts their
// campaigns.
func searchedTests(suites []selection.Suite, without map[string]bool) (tests [][]solc.Test, campaigns int) {
	tests = make([][]solc.Test, len(suites))
	for i, c := range suites {
		for _, t := range c.Tests.Tests {
			if searched(t, without) {
				tests[i] = append(tests[i], t)
			}
		}
		campaigns += engine.Campaigns(tests[i])
	}
	return tests, campaigns
}

// search has leveret search the tests of a build for a budget of CPU seconds,
// which its campaigns share equally, until one fails.
func (o *opened) search(ctx context.Context, build *solc.Build, budget time.Duration, seed uint64, without map[string]bool) (run, error) {
	suites, err := o.suites(build)
	if err != nil {
		return run{}, err
	}
	began := usage.CPU()
	spent := func() time.Duration { return usage.CPU() - began }
	tests, campaigns := searchedTests(suites, without)
	r := run{Tool: leveretTool, Seed: seed, Budget: budget.Seconds()}
	options := engine.Options{Seed: seed, Workers: 1, Now: usage.Clock()}
	for i, c := range suites {
		if mine := engine.Campaigns(tests[i]); mine > 0 && !r.Found {
			options.Time = max(budget-spent(), time.Millisecond) * time.Duration(mine) / time.Duration(campaigns)
			campaigns -= mine
			if err := o.searchSuite(ctx, c, tests[i], options, spent, &r); err != nil {
				return run{}, err
			}
		}
	}
	if !r.Found {
		r.CPU = spent().Seconds()
	}
	return r, ctx.Err()
}

// searchSuite searches tests of a suite until one fails.
func (o *opened) searchSuite(ctx context.Context, c selection.Suite, tests []solc.Test, options engine.Options, spent func() time.Duration, r *run) error {
	s, err := o.set(ctx, c, options.Now)
	if err != nil {
		return err
	}
	if s.Fault() != nil {
		return nil // the unit tests would have found it
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	err = engine.RunTests(ctx, s, tests, options, engine.TestLimits{FailFast: true}, func(t *engine.TestResult) {
		r.Inputs += t.Stats.Inputs
		if t.Verdict.Status == suite.Failed && !r.Found {
			stop()
			r.Found, r.CPU = true, spent().Seconds()
			r.Test, r.Reason = c.Contract.Name+"."+t.Test.Signature, t.Verdict.Reason
			r.contract, r.counterexample = c.Contract, t.Finding
		}
	})
	if r.Found {
		return nil
	}
	return err
}

// failsAnyway reports whether the counterexample that a run found makes its test fail on
// the unchanged sources, too: it says nothing about the mutant.
func (o *opened) failsAnyway(ctx context.Context, r *run) (failed bool, err error) {
	if r.counterexample == nil {
		return false, nil
	}
	suites, err := o.suites(o.build)
	if err != nil {
		return false, err
	}
	for _, c := range suites {
		if c.Contract.File != r.contract.File || c.Contract.Name != r.contract.Name {
			continue
		}
		s, err := o.set(ctx, c, time.Now)
		if err != nil || s.Fault() != nil {
			return false, err
		}
		tests := slices.DeleteFunc(slices.Clone(c.Tests.Tests), func(t solc.Test) bool { return c.Contract.Name+"."+t.Signature != r.Test })
		options := engine.Options{Seed: r.Seed, Workers: 1, Now: usage.Clock(), Known: []input.Sequence{r.counterexample.Witness}, MaxInputs: 1}
		err = engine.RunTests(ctx, s, tests, options, engine.TestLimits{}, func(t *engine.TestResult) {
			failed = failed || t.Verdict.Status == suite.Failed
		})
		return failed, err
	}
	return false, nil
}
