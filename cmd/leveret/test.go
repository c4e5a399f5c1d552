package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"leveret/engine"
	"leveret/engine/report/testreport"
	"leveret/engine/suite"
	"leveret/solc"
	"leveret/solc/atomicfile"
	"leveret/solc/compiler"
	"leveret/solc/host"
	"leveret/solc/project"
	"leveret/solc/selection"
)

func testCommand(c console) *cobra.Command {
	f := testFlags{time: duration(defaultTestTime)}
	cmd := &cobra.Command{
		Use:   "test [flags] [PATH...]",
		Short: "Run a Foundry project's tests",
		Long: `Compile test files, folders or a project (default: the current folder) and run their tests as
forge test does. The arguments of fuzz tests and the calls that break invariants are searched as
leveret fuzz searches inputs.

With --harness, run harnesses of Echidna and Medusa instead: contracts with properties, assertions and
handlers. echidna….yaml or medusa….json in the project's folder says how, or --harness-config.

Exit code: 0 all tests passed or were skipped, 1 some failed, 2 the run failed.`,
		Example: "  leveret test\n  leveret test --match-contract Vault --match-test Withdraw -vv\n  leveret test --format junit --output tests.xml",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"."}
			}
			return f.run(cmd, args, c)
		},
	}
	f.add(cmd.Flags())
	return cmd
}

// testFlags are the flags of leveret test. The filters have forge's names.
type testFlags struct {
	compilerFlags
	fastFlag
	forkFlags
	filters   [6]string // in the order of filterFlags
	format    string
	output    string
	verbose   int
	seed      uint64
	time      duration
	programs  bool // tests may run programs
	isolate   bool
	runs      int
	fuzzRuns  int
	corpus    string
	contracts []string // harnesses
	config    string   // file that configures them; empty: the project's
}

// filterFlags are the flags that choose tests: which kind of name they match, and
// whether they exclude.
var filterFlags = [6]struct{ name, usage string }{
	{"match-test", "run only tests whose names match `REGEX`"},
	{"no-match-test", "do not run tests whose names match `REGEX`"},
	{"match-contract", "run only tests of contracts whose names match `REGEX`"},
	{"no-match-contract", "do not run tests of contracts whose names match `REGEX`"},
	{"match-path", "run only tests of files that match `GLOB`"},
	{"no-match-path", "do not run tests of files that match `GLOB`"},
}

func (f *testFlags) add(flags *pflag.FlagSet) {
	flags.SortFlags = false
	for i, row := range filterFlags {
		flags.StringVar(&f.filters[i], row.name, "", row.usage)
	}
	flags.StringArrayVar(&f.contracts, "harness", nil, "run this contract as Echidna or Medusa does, `NAME` or FILE:NAME; repeatable")
	flags.StringVar(&f.config, "harness-config", "", "configure --harness by `FILE`, YAML for Echidna or JSON for Medusa, in place of the one in the project's folder")
	flags.CountVarP(&f.verbose, "verbose", "v", "-v prints the logs of failed tests, -vv of all, -vvv traces of failed tests, -vvvv of all and of setUp if one failed, -vvvvv all traces with changes of storage")
	names := testreport.FormatNames()
	flags.StringVar(&f.format, "format", names[0], "write the results as `FORMAT`: "+english.WordSeries(names, "or"))
	flags.StringVar(&f.output, "output", "", "write the results to `FILE`, replacing it atomically")
	flags.Var(&f.time, "time", "time for the search of each fuzz test, and of all invariants of a contract: 500ms, 10s, 1h")
	flags.IntVar(&f.runs, "max-inputs", 0, "stop each of them after `N` inputs, in place of --time")
	flags.IntVar(&f.fuzzRuns, "fuzz-runs", 0, "stop each fuzz test after `N` inputs that it does not reject, in place of --time")
	flags.StringVar(&f.corpus, "corpus", "", "load inputs and counterexamples from `DIR` and save them there, in one folder per source file")
	flags.Uint64Var(&f.seed, "seed", 0, "repeat the run with seed `N`")
	flags.BoolVar(&f.programs, "ffi", false, ffiUsage)
	flags.BoolVar(&f.isolate, "isolate", false, "make each call and creation of a test a transaction of its own, as isolate = true of foundry.toml does")
	f.forkFlags.add(flags)
	f.compilerFlags.add(flags)
	f.fastFlag.add(flags)
}

// defaultTestTime is the default of --time.
const defaultTestTime = time.Second

// ffiUsage is the help of --ffi.
const ffiUsage = "let tests run programs, if foundry.toml says ffi = true"

// compileTime ends compilers that hang. All tests of a project are compiled at
// once, which can take minutes with soljson.
const compileTime = 30 * time.Minute

// A testRun is one execution of leveret test.
type testRun struct {
	*testFlags
	console
	format testreport.Format
	forks  *forkOpener
	fork   *engine.Fork // that the flags choose; nil: none
	builds map[*project.Project]solc.Builds
	units  []selection.Unit
	limits engine.TestLimits
	seeded bool // by --seed
	found  int  // test contracts, before the filters choose
}

// run runs the tests that paths select.
func (f *testFlags) run(cmd *cobra.Command, paths []string, c console) error {
	r, err := f.begin(cmd.Flags().Changed, c)
	if err != nil {
		return err
	}
	ctx, stop := stoppable(cmd.Context())
	defer stop()
	env := environment(f.compilerFlags)
	env.Watch = newCompileProgress(c.err, !r.fast).follow
	env.Timeout = compileTime
	tools := compiler.NewToolchain(env)
	defer tools.Close()
	suites, failures, err := r.suites(ctx, tools, paths)
	if err != nil {
		return err
	}
	c.failed(failures)
	r.forks = newForkOpener(ctx, c, env, f.forkURL)
	r.forks.programs = f.programs
	defer r.forks.close()
	if r.fork, err = r.forks.start(&f.forkFlags); err != nil {
		return err
	}
	results := &testreport.Report{Version: 1}
	failed := r.runAll(ctx, suites, results)
	if len(results.Suites) > 0 || failed == nil && !r.isText() {
		if err := r.write(results); err != nil {
			return err
		}
	}
	if failed != nil {
		return failed
	}
	r.closing(failures)
	return r.verdict(ctx, results, len(failures), paths)
}

// begin checks the flags. changed reports whether one was given.
func (f *testFlags) begin(changed func(flag string) bool, c console) (r *testRun, err error) {
	r = &testRun{testFlags: f, console: c, builds: map[*project.Project]solc.Builds{}, seeded: changed("seed")}
	if r.format, err = testreport.FormatNamed(f.format); err != nil {
		return nil, fmt.Errorf("--format: %w", err)
	}
	if err := f.forkFlags.check(changed); err != nil {
		return nil, err
	}
	if f.config != "" && len(f.contracts) == 0 {
		return nil, errors.New("--harness-config needs --harness, the contract that it is for")
	}
	if f.fuzzRuns < 0 {
		return nil, errors.New("--fuzz-runs must not be negative")
	}
	r.limits = engine.TestLimits{Configured: !changed("time") && !changed("max-inputs"), FuzzRuns: f.fuzzRuns}
	return r, nil
}

// runAll runs the harnesses that the flags name, or else suites. An error of one suite
// does not end the others.
func (r *testRun) runAll(ctx context.Context, suites []selection.Suite, results *testreport.Report) (failed error) {
	if len(r.contracts) > 0 {
		failures, err := r.harnesses(ctx, results)
		r.console.failed(failures)
		return err
	}
	for _, s := range suites {
		if ctx.Err() != nil {
			break
		}
		result, err := r.suite(ctx, s)
		if err == nil || len(result.Tests) > 0 {
			results.Suites = append(results.Suites, result)
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

// suites compiles the tests that paths select and returns those that the filters
// choose. The failures are those of single files.
func (r *testRun) suites(ctx context.Context, tools *compiler.Toolchain, paths []string) (chosen []selection.Suite, failures []error, err error) {
	batches, failures, err := selection.OpenTests(tools, paths)
	if err != nil {
		return nil, nil, err
	}
	fast := r.fastFlag.settings()
	for _, b := range r.withHarnesses(batches) {
		filter, err := r.filter(b.Project)
		if err != nil {
			return nil, nil, err
		}
		b.Project.Fast = fast
		b.Project.TestConfig.Isolate = b.Project.TestConfig.Isolate || r.isolate
		units, failed := r.compileTests(ctx, b)
		r.units = append(r.units, units...)
		r.notes(b.Project, units)
		for _, u := range units {
			r.builds[u.Project] = append(r.builds[u.Project], u.Build)
		}
		suites, wrong := selection.Suites(units)
		r.found += len(suites)
		chosen, failures = append(chosen, filter.Apply(suites)...), append(append(failures, failed...), wrong...)
	}
	return chosen, failures, nil
}

// filter returns the filter of a project: what the flags say, and where they say
// nothing what foundry.toml says.
func (r *testRun) filter(p *project.Project) (*selection.Filter, error) {
	for i, row := range filterFlags[:4] {
		if _, err := selection.Expression("--"+row.name, r.filters[i]); err != nil {
			return nil, err
		}
	}
	f := p.TestConfig.Filter
	for i, to := range []*string{&f.MatchTest, &f.NoMatchTest, &f.MatchContract, &f.NoMatchContract, &f.MatchPath, &f.NoMatchPath} {
		if r.filters[i] != "" {
			*to = r.filters[i]
		}
	}
	filter, err := selection.NewFilter(f)
	if err != nil {
		return nil, fmt.Errorf("foundry.toml: %w", err)
	}
	return filter, nil
}

// verdict chooses the exit code.
func (r *testRun) verdict(ctx context.Context, results *testreport.Report, failures int, paths []string) error {
	_, failed, _ := results.Count()
	switch {
	case failed > 0:
		return errFound
	case ctx.Err() != nil:
		return errors.New("stopped before all tests had run")
	case failures > 0:
		return fmt.Errorf("could not compile %s, see above", english.Plural(failures, "file or folder", "files or folders"))
	case len(results.Suites) == 0 && r.found > 0:
		return fmt.Errorf("%s: no test matches; %s, but the filters (--match-… or foundry.toml) choose none", strings.Join(paths, ", "),
			english.Plural(r.found, "contract has tests", "contracts have tests"))
	case len(results.Suites) == 0:
		return fmt.Errorf("%s: no contract has tests in Solidity, functions whose names start with test, table or invariant; leveret fuzz needs none%s",
			strings.Join(paths, ", "), r.otherTests())
	}
	return nil
}

// otherTests says who runs tests that are not in Solidity; empty if there may be none.
func (r *testRun) otherTests() string {
	for _, u := range r.units {
		switch u.Project.Kind {
		case project.Hardhat:
			return "; npx hardhat test runs tests in JavaScript"
		case project.Truffle:
			return "; npx truffle test runs tests in JavaScript"
		}
	}
	return ""
}

// suite runs the tests of one contract.
func (r *testRun) suite(ctx context.Context, c selection.Suite) (testreport.Suite, error) {
	out := testreport.Suite{File: c.Contract.File, Contract: c.Contract.Name, Warnings: c.Tests.Warnings}
	s, err := r.open(ctx, c)
	if ctx.Err() != nil {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	if v := s.Fault(); v != nil {
		out.Error = v.Test.Name + " failed: " + v.Reason
		out.Tests = append(out.Tests, r.caseOf(ctx, s, &engine.TestResult{Test: v.Test, Verdict: *v, Trail: s.FaultTrail()}))
		return out, nil
	}
	if c.Config.Invariant.CallOverride && s.Tests.Has(solc.InvariantTest) {
		out.Warnings = append(slices.Clone(out.Warnings), "foundry.toml has invariant.call_override, but calls of this contract's targets are not re-entered")
	}
	tests := c.Tests.Tests
	options := r.options(selection.Candidate{Unit: c.Unit, Contract: c.Contract}, max(1, engine.Campaigns(tests)))
	options.Known, options.Seed = forgeFailures(s, c), r.seedOf(&c.Config.TestConfig)
	cases := map[string]testreport.Case{} // by signature
	var invariants []engine.TestResult
	err = engine.RunTests(ctx, s, tests, options, r.limits, func(t *engine.TestResult) {
		cases[t.Test.Signature] = r.caseOf(ctx, s, t)
		if t.Test.Kind == solc.InvariantTest {
			invariants = append(invariants, *t)
		}
	})
	out.Reverting = reverting(invariants)
	for _, t := range tests {
		if c, ok := cases[t.Signature]; ok {
			out.Tests = append(out.Tests, c)
		}
	}
	return out, err
}

// open deploys a test contract.
func (r *testRun) open(ctx context.Context, c selection.Suite) (*suite.Suite, error) {
	return suite.New(ctx, c.Contract, c.Unit.Build.Contracts, suite.Options{
		Config: c.Config.TestConfig, Own: c.Config, Builds: r.builds[c.Unit.Project], Host: r.host(c), Fork: engine.SuiteFork(r.fork), Seed: r.seedOf(&c.Config.TestConfig), Now: time.Now,
	})
}

// caseOf is how a result is reported.
func (r *testRun) caseOf(ctx context.Context, s *suite.Suite, t *engine.TestResult) testreport.Case {
	c := testCase(&t.Verdict)
	c.Failed, c.Trace = failureAt(t), r.trace(ctx, s, t)
	if t.Test.Kind != solc.UnitTest {
		c.Runs, c.Rejected = t.Stats.Inputs, t.Stats.Rejected
	}
	if t.Test.Kind == solc.InvariantTest {
		c.Calls, c.Reverts = t.Stats.Transactions, t.Stats.Reverts
	}
	c.Example = t.Calls
	for _, actor := range t.Actors {
		if c.Accounts == nil {
			c.Accounts = map[string]string{}
		}
		c.Accounts[actor.String()] = actor.Address().Hex()
	}
	if t.Best != nil {
		c.Best = engine.SignedText(&t.Best.Value)
	}
	return c
}

// reverting lists the functions of which no call succeeded in any campaign of results.
func reverting(results []engine.TestResult) (list []testreport.Reverting) {
	for i := range results {
		all := results[i].Reverting()
		if i == 0 {
			for _, f := range all {
				list = append(list, revertingOf(&f))
			}
		}
		list = slices.DeleteFunc(list, func(have testreport.Reverting) bool {
			return !slices.ContainsFunc(all, func(f engine.Reverting) bool { return f.Contract == have.Contract && f.Function == have.Function })
		})
	}
	return list
}

func revertingOf(f *engine.Reverting) testreport.Reverting {
	out := testreport.Reverting{Contract: f.Contract, Function: f.Function, Calls: f.Calls, Reason: f.Reason}
	if f.Place != nil {
		out.File, out.Line = f.Place.Place.File, f.Place.Place.Start.Line
	}
	return out
}

// host returns what the tests of a contract may reach of the machine.
func (r *testRun) host(c selection.Suite) *host.Host {
	p := c.Unit.Project
	return r.forks.host(p, c.Contract, &c.Config.TestConfig, r.builds[p])
}

// seedOf returns the seed of random numbers: that of the flag, or else that of the
// configuration.
func (r *testRun) seedOf(c *solc.TestConfig) uint64 {
	if !r.seeded && c.Fuzz.Seed != nil {
		return c.Fuzz.Seed.Uint64()
	}
	return r.seed
}

// failureAt says where a test failed, and the calls that led there; nil if no
// place is known.
func failureAt(t *engine.TestResult) *testreport.Failure {
	place, others := t.Where()
	if place == nil {
		return nil
	}
	f := &testreport.Failure{File: place.Place.File, Line: place.Place.Start.Line}
	for _, l := range others {
		f.Others = append(f.Others, testreport.Place{File: l.Place.File, Line: l.Place.Start.Line, Text: l.Text})
	}
	return f
}

// testCase is how a verdict is reported.
func testCase(v *suite.Verdict) testreport.Case {
	c := testreport.Case{
		Name: v.Test.Signature, Kind: string(v.Test.Kind), Status: string(v.Status), Reason: v.Reason,
		Effort: testreport.Effort{Gas: v.Gas}, Evidence: testreport.Evidence{Logs: v.Lines},
		File: v.Test.File, Line: v.Test.Line, Seconds: v.Took.Seconds(),
	}
	if v.Status == suite.Rejected {
		c.Status, c.Reason = string(suite.Failed), "vm.assume rejected the input of a test without parameters"
	}
	return c
}

// isText reports whether people read the results.
func (r *testRun) isText() bool { return r.format.Name == testreport.FormatNames()[0] }

// write writes the results to --output or prints them. A closed pipe is no error.
func (r *testRun) write(results *testreport.Report) error {
	if r.output == "" {
		w := r.console.out
		if !r.isText() {
			w = raw(w)
		}
		if err := r.format.Write(w, results, r.verbose); err != nil && !errors.Is(err, syscall.EPIPE) {
			return fmt.Errorf("cannot print the results: %w", cause(err))
		}
		return nil
	}
	var text bytes.Buffer
	if err := r.format.Write(&text, results, r.verbose); err != nil {
		return err
	}
	if err := atomicfile.WriteFile(r.output, text.Bytes(), 0o666); err != nil {
		return fmt.Errorf("--output %s: %w", r.output, cause(err))
	}
	return nil
}
