package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"leveret/dap"
	"leveret/engine"
	"leveret/engine/finding"
	"leveret/engine/report"
	"leveret/engine/report/printable"
	"leveret/engine/report/testreport"
	"leveret/engine/suite"
	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/project"
	"leveret/solc/selection"
)

// debugFlags are the flags of leveret dap.
type debugFlags struct {
	listen string
	url    string // of a fork
	ffi    bool
	compilerFlags
	fastFlag
}

func debugCommand(c console) *cobra.Command {
	f := debugFlags{}
	cmd := &cobra.Command{
		Use:   "dap",
		Short: "Run the debug adapter",
		Long: `Serve an editor with the Debug Adapter Protocol on standard input and output: it steps through the
transactions of a finding or of a file, or through a test, forwards and backwards.

The editor's launch request has "finding", the id of a finding of the last run in this folder (or of
the file "report"), or "report" alone, or "test": Contract.testName, or "sequence": a file with an
input of Leveret, Echidna, Medusa or forge, with "contract" for the one that runs it. "path" names a
file or folder with the test or contract other than the current one, "forkUrl" the JSON-RPC endpoint of
the chain of a finding on a fork. "stopOnEntry" stops at the first statement, "step" at a line of the
finding's trace: "3.2" is the second one below transaction 3.

Exit code: 0 the editor disconnected, 2 the adapter could not start.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			if f.listen != "" {
				return listenLoopback(ctx, c, f.listen, func(conn net.Conn) {
					defer conn.Close()
					if err := dap.Serve(ctx, conn, f.launch); err != nil {
						fmt.Fprintln(c.err, "leveret: connection ended:", oneLine(err.Error()))
					}
				})
			}
			os.Stdout = os.Stderr // only the protocol may write to standard output
			return dap.Serve(ctx, stdio{c.in, raw(c.out)}, f.launch)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.listen, "listen", "", "serve clients one after another at `127.0.0.1:PORT`")
	flags.StringVar(&f.url, "fork-url", "", "read the state of the chain of a finding on a fork from the JSON-RPC endpoint at `URL`")
	flags.BoolVar(&f.ffi, "ffi", false, ffiUsage)
	f.compilerFlags.add(flags)
	f.fastFlag.add(flags)
	return cmd
}

// launch records what a client wants to debug.
func (f *debugFlags) launch(ctx context.Context, args *dap.LaunchArguments, to io.Writer, use dap.Use) error {
	w := &printable.Writer{W: to}
	c := console{in: strings.NewReader(""), out: w, err: w}
	if args.ForkURL != "" {
		if f.untrusted {
			return errors.New(`"forkUrl" is refused: the workspace is not trusted`)
		}
		own := *f
		own.url = args.ForkURL
		f = &own
	}
	switch {
	case args.Test != "":
		return f.test(ctx, c, args, use)
	case args.Sequence != "":
		return f.sequence(ctx, c, args, use)
	}
	return f.finding(ctx, c, args, use)
}

// forks returns what opens the forks of a session.
func (f *debugFlags) forks(ctx context.Context, c console, env compiler.Env) *forkOpener {
	o := newForkOpener(ctx, c, env, f.url)
	o.programs, o.option = f.ffi, `"forkUrl" in the launch request`
	return o
}

// finding records the transactions of a finding on the current sources.
func (f *debugFlags) finding(ctx context.Context, c console, args *dap.LaunchArguments, use dap.Use) error {
	env := environment(f.compilerFlags)
	var files, ids []string
	if args.Report != "" {
		files = []string{args.Report}
	}
	if args.Report == "-" {
		return errors.New(`"report" must name a file`)
	}
	if args.Finding != "" {
		ids = []string{args.Finding}
	}
	documents, err := readFindings(c, env, files, ids)
	if err != nil {
		return err
	}
	if len(documents) == 0 {
		return errors.New("the report has no findings")
	}
	d := &documents[0]
	env.Watch = newCompileProgress(c.err, !f.fast).follow
	tools := compiler.NewToolchain(env)
	defer tools.Close()
	forks := f.forks(ctx, c, env)
	defer forks.close()
	s, blamed, err := f.onBuild(ctx, c, tools, forks, d, f.fastFlag.settings())
	if err != nil {
		return err
	}
	if plain, found := f.unoptimised(ctx, c, tools, forks, d, s, blamed); plain != nil {
		s, blamed = plain, found
	}
	return s.debug(ctx, blamed, args.Step, use)
}

// onBuild compiles the sources of a finding and replays it.
func (f *debugFlags) onBuild(ctx context.Context, c console, tools *compiler.Toolchain, forks *forkOpener, d *report.FindingDocument, fast *project.Fast) (*subject, finding.Finding, error) {
	s, err := subjectOf(ctx, tools, d, fast)
	if err != nil {
		return nil, finding.Finding{}, err
	}
	if s.outside, err = forks.reach(d.ID, d.Fork, s.unit, s.contract); err != nil {
		return nil, finding.Finding{}, err
	}
	blamed, err := f.blamed(ctx, c, s, d)
	return s, blamed, err
}

// unoptimised returns a build without the optimiser on which a finding of an optimised
// one shows as well, and the finding there; nil if there is none, and it says why.
func (f *debugFlags) unoptimised(ctx context.Context, c console, tools *compiler.Toolchain, forks *forkOpener, d *report.FindingDocument, s *subject, blamed finding.Finding) (*subject, finding.Finding) {
	if !optimised(s.unit.Build) {
		return nil, finding.Finding{}
	}
	why := "the finding does not show on a build without the optimizer"
	quiet := console{in: c.in, out: io.Discard, err: io.Discard}
	plain, found, err := f.onBuild(ctx, quiet, tools, forks, d, new(project.Fast))
	switch {
	case err != nil:
		why = "the build without the optimizer cannot be debugged: " + oneLine(err.Error())
	case optimised(plain.unit.Build):
		why = noUnoptimised
	case found.ID != "" && (found.ID == blamed.ID || found.Oracle == blamed.Oracle && found.Place.File == blamed.Place.File && found.Place.Start == blamed.Place.Start):
		fmt.Fprintf(c.out, notePlain, "the finding shows there as well")
		return plain, found
	}
	fmt.Fprintf(c.out, noteOptimised, why, s.unit.Build.Settings)
	return nil, finding.Finding{}
}

func optimised(b *solc.Build) bool { return b.Settings.Optimizer || b.Settings.ViaIR }

// blamed replays a finding and returns what fails now, the same finding if it does; else
// only its transactions.
func (f *debugFlags) blamed(ctx context.Context, c console, s *subject, d *report.FindingDocument) (finding.Finding, error) {
	result, err := engine.Replay(ctx, s.contract, s.unit.Build.Contracts, s.sequence, s.outside, false)
	if err != nil {
		return finding.Finding{}, fmt.Errorf("%s cannot be replayed: %w", d.ID, err)
	}
	if result.Note != "" {
		return finding.Finding{}, fmt.Errorf("%s cannot be replayed: %s", d.ID, result.Note)
	}
	fmt.Fprintln(c.out, verdict(d, result.Findings))
	for _, found := range result.Findings {
		if found.ID == d.ID || found.Oracle == d.Oracle {
			return found, nil
		}
	}
	if len(result.Findings) > 0 {
		return result.Findings[0], nil
	}
	return finding.Finding{Witness: s.sequence}, nil
}

// Notes of sessions on code of the optimiser, or via IR.
const (
	noteOptimised = "Note: %s; compiled with %s, which merges and moves statements and leaves no locals.\n"
	notePlain     = "Note: for this session, the sources are compiled without the optimizer; %s.\n"
	noUnoptimised = "the sources cannot be compiled without the optimizer"
)

// test runs a test and records its last input: on a build without the optimiser, if it
// ends alike there.
func (f *debugFlags) test(ctx context.Context, c console, args *dap.LaunchArguments, use dap.Use) error {
	env := environment(f.compilerFlags)
	env.Watch, env.Timeout = newCompileProgress(c.err, !f.fast).follow, compileTime
	tools := compiler.NewToolchain(env)
	defer tools.Close()
	forks := f.forks(ctx, c, env)
	defer forks.close()
	t, err := f.runTest(ctx, c, tools, forks, args, f.fastFlag)
	if err != nil {
		return err
	}
	fmt.Fprintln(c.out, t)
	if optimised(t.build) {
		quiet := console{in: c.in, out: io.Discard, err: io.Discard}
		plain, err := f.runTest(ctx, quiet, tools, forks, args, fastFlag{fast: true})
		switch {
		case err == nil && optimised(plain.build):
			fmt.Fprintf(c.out, noteOptimised, noUnoptimised, t.build.Settings)
		case err == nil && plain.String() == t.String():
			fmt.Fprintf(c.out, notePlain, "the test ends alike there")
			t = plain
		case ctx.Err() != nil:
			return ctx.Err()
		default:
			fmt.Fprintf(c.out, noteOptimised, "the test ends in another way on a build without the optimizer", t.build.Settings)
		}
	}
	return engine.DebugTest(ctx, t.suite, t.result, fromBeginning(use))
}

// A ranTest is a test with how it ended on a build.
type ranTest struct {
	suite  *suite.Suite
	build  *solc.Build
	result *engine.TestResult
}

// String says how the test ended.
func (t *ranTest) String() string {
	text := fmt.Sprintf("%s %s", t.result.Test.Name, t.result.Verdict.Status)
	if t.result.Verdict.Status == suite.Failed && t.result.Verdict.Reason != "" {
		text += ": " + t.result.Verdict.Reason
	}
	return text
}

// runTest compiles a test and runs it.
func (f *debugFlags) runTest(ctx context.Context, c console, tools *compiler.Toolchain, forks *forkOpener, args *dap.LaunchArguments, fast fastFlag) (*ranTest, error) {
	contract, name, ok := strings.Cut(args.Test, ".")
	name, _, _ = strings.Cut(name, "(")
	if !ok || contract == "" || name == "" {
		return nil, fmt.Errorf("%q is no test; write Contract.testName", args.Test)
	}
	path := args.Path
	if path == "" {
		path = "."
	}
	flags := testFlags{compilerFlags: f.compilerFlags, fastFlag: fast, time: duration(defaultTestTime), programs: f.ffi}
	flags.format, flags.forkURL = testreport.FormatNames()[0], f.url
	flags.filters[0], flags.filters[2] = "^"+regexp.QuoteMeta(name)+`\(`, "^"+regexp.QuoteMeta(contract)+"$"
	r, err := flags.begin(func(string) bool { return false }, c)
	if err != nil {
		return nil, err
	}
	suites, failures, err := r.suites(ctx, tools, []string{path})
	if err != nil {
		return nil, err
	}
	c.failed(failures)
	if len(suites) == 0 {
		return nil, fmt.Errorf("%s has no test %s", path, args.Test)
	}
	r.forks = forks
	if r.fork, err = r.forks.start(&r.forkFlags); err != nil {
		return nil, err
	}
	return r.debugged(ctx, suites[0])
}

// debugged runs the tests of a suite until one has something to debug.
func (r *testRun) debugged(ctx context.Context, c selection.Suite) (*ranTest, error) {
	s, err := r.open(ctx, c)
	if err != nil {
		return nil, err
	}
	t := &ranTest{suite: s, build: c.Unit.Build}
	if v := s.Fault(); v != nil {
		t.result = &engine.TestResult{Test: v.Test, Verdict: *v, Trail: s.FaultTrail()}
		return t, nil
	}
	tests := c.Tests.Tests[:1]
	options := r.options(selection.Candidate{Unit: c.Unit, Contract: c.Contract}, max(1, engine.Campaigns(tests)))
	options.Known, options.Seed = forgeFailures(s, c), r.seedOf(&c.Config.TestConfig)
	err = engine.RunTests(ctx, s, tests, options, r.limits, func(result *engine.TestResult) { t.result = result })
	switch {
	case err != nil:
		return nil, err
	case t.result == nil:
		return nil, fmt.Errorf("%s did not run", tests[0].Name)
	}
	return t, nil
}
