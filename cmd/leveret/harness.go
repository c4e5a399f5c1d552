package main

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"leveret/engine"
	"leveret/engine/report/testreport"
	"leveret/engine/suite"
	"leveret/solc"
	"leveret/solc/project"
	"leveret/solc/selection"
	"leveret/solc/trust"
)

// harnesses runs the contracts that --harness names as Echidna or Medusa does. The
// failures are those of their configurations.
func (r *testRun) harnesses(ctx context.Context, results *testreport.Report) (failures []error, err error) {
	if len(r.units) == 0 { // as the errors above say
		return nil, nil
	}
	list, err := selection.Choose(r.units, r.contracts)
	if err != nil {
		return nil, fmt.Errorf("--harness %w", err)
	}
	for _, c := range list {
		if ctx.Err() != nil {
			break
		}
		configs, failed, err := r.harnessConfigs(c.Unit.Project)
		if failures = append(failures, failed...); err != nil {
			return failures, err
		}
		result, err := r.harness(ctx, c, solc.HarnessFor(c.Contract, configs))
		if err != nil {
			return failures, err
		}
		results.Suites = append(results.Suites, result)
	}
	return failures, nil
}

// withHarnesses returns the batches that declare a harness that the flags name; all of
// them if there is none.
func (r *testRun) withHarnesses(batches []selection.Batch) []selection.Batch {
	var list []selection.Batch
	for _, b := range batches {
		if len(b.Declaring(r.contracts).Files) > 0 {
			list = append(list, b)
		}
	}
	if len(list) == 0 {
		return batches
	}
	return list
}

// compileTests compiles a batch. For harnesses it compiles first only the files that declare
// them and what their configurations name, which is enough unless they ask for others.
func (r *testRun) compileTests(ctx context.Context, b selection.Batch) ([]selection.Unit, []error) {
	if len(r.contracts) == 0 {
		return b.Compile(ctx)
	}
	names, declaring := slices.Clone(r.contracts), b.Declaring(r.contracts).Files
	configs, _, _ := r.harnessConfigs(b.Project)
	for _, c := range configs {
		near := func(file string) bool { return trust.Within(filepath.Dir(c.File), file) }
		if c.Folder != "" && !slices.ContainsFunc(declaring, near) && !slices.ContainsFunc(c.Named(), r.isNamed) {
			continue
		}
		names = append(names, c.Deploy.Targets...)
		for _, p := range c.Deploy.Predeployed {
			names = append(names, p.Contract)
		}
	}
	few := b.Declaring(names)
	if len(few.Files) > 0 && len(few.Files) < len(b.Files) {
		if units, failures := few.Compile(ctx); ctx.Err() != nil || !selection.AskForArtifacts(units) {
			return units, failures
		}
	}
	return b.Compile(ctx)
}

// isNamed reports whether the flags name a contract that a configuration calls artifact.
func (r *testRun) isNamed(artifact string) bool {
	return slices.ContainsFunc(r.contracts, func(name string) bool { return selection.NameOf(name) == selection.NameOf(artifact) })
}

// harnessConfigs returns the configurations of harnesses: that which a flag names, or those
// of the project. failed are those that are wrong in part, or left out.
func (r *testRun) harnessConfigs(p *project.Project) (list []solc.HarnessConfig, failed []error, err error) {
	if r.config == "" {
		list, failed = p.HarnessConfigs()
		return list, failed, nil
	}
	path, err := filepath.Abs(r.config)
	if err != nil {
		return nil, nil, err
	}
	tool, ok := project.HarnessTool(path, true)
	if !ok {
		return nil, nil, fmt.Errorf("--harness-config %s: it is neither .yaml nor .json; name a configuration of Echidna or Medusa", r.config)
	}
	config, failed, err := p.ReadHarnessConfig(path, tool)
	if err == nil && config.Tool == "" {
		err = fmt.Errorf("--harness-config %s: it has none of the keys of %s; name a configuration of Echidna or Medusa", r.config, tool)
	}
	return []solc.HarnessConfig{config}, failed, err
}

// harness runs one contract.
func (r *testRun) harness(ctx context.Context, c selection.Candidate, config solc.HarnessConfig) (testreport.Suite, error) {
	p, out := c.Unit.Project, testreport.Suite{File: c.Contract.File, Contract: c.Contract.Name, Config: config.Name()}
	if list := config.Unsupported(); len(list) > 0 {
		out.Warnings = []string{out.Config + ": " + strings.Join(list, "; ")}
	}
	reach := config.Reach(p.TestConfig)
	if !r.seeded && config.Limits.Seed != nil {
		r.seed = config.Limits.Seed.Uint64()
	}
	h, err := suite.NewHarness(ctx, c.Contract, c.Unit.Build.Contracts, config, suite.Options{
		Host: r.forks.host(p, c.Contract, &reach, r.builds[p]), Seed: r.seed, Now: time.Now,
	})
	if ctx.Err() != nil {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	if v := h.Fault(); v != nil {
		out.Error = v.Test.Name + " failed: " + v.Reason
		out.Tests = append(out.Tests, testCase(v))
		return out, nil
	}
	if len(h.Tests.Tests) == 0 && !h.FailsCalls() {
		out.Warnings = append(out.Warnings, nothingChecked(&config))
		return out, nil
	}
	results, err := engine.SearchHarness(ctx, h, r.harnessOptions(c, &config.Limits))
	for i := range results {
		out.Tests = append(out.Tests, r.caseOf(ctx, h.Suite, &results[i]))
	}
	out.Reverting = reverting(results)
	return out, err
}

// nothingChecked says why a harness has nothing that can fail.
func nothingChecked(config *solc.HarnessConfig) string {
	key := "testMode: assertion"
	if config.Tool == solc.Medusa {
		key = "fuzzing.testing.assertionTesting.enabled"
	}
	return fmt.Sprintf("nothing is checked: it has no property, a function %s… without parameters that returns bool, and assertions count only with %s", english.OxfordWordSeries(config.Checks.Prefixes, "or"), key)
}

// harnessOptions are those of a campaign over a harness: where no flag limits it,
// its configuration does.
func (r *testRun) harnessOptions(c selection.Candidate, limits *solc.HarnessLimits) engine.Options {
	o := r.options(c, 1)
	if r.limits.Configured && (limits.Tests > 0 || limits.Timeout > 0) {
		o.Time, o.MaxInputs = limits.Timeout, int(min(limits.Tests, math.MaxInt32))
	}
	return o
}

// options are those of campaigns over tests of a contract, which share their time.
func (r *testRun) options(c selection.Candidate, campaigns int) engine.Options {
	o := engine.Options{Time: time.Duration(r.time) * time.Duration(campaigns), Seed: r.seed, MaxInputs: r.runs, Workers: 1}
	if r.runs > 0 {
		o.Time = 0
	}
	if r.corpus != "" {
		o.Corpus = filepath.Join(r.corpus, corpusFolder(c.Unit.Project.Root, c))
	}
	return o
}
