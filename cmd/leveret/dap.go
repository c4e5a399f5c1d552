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
	"leveret/engine/debug"
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
file or folder with the test or contract other than the current one. "stopOnEntry" stops at the first
statement.

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
func (f *debugFlags) launch(ctx context.Context, args *dap.LaunchArguments, to io.Writer, use func(*debug.Recording) error) error {
	w := &printable.Writer{W: to}
	c := console{in: strings.NewReader(""), out: w, err: w}
	switch {
	case args.Test != "":
		return f.test(ctx, c, args, use)
	case args.Sequence != "":
		return f.sequence(ctx, c, args, use)
	}
	return f.finding(ctx, c, args, use)
}

// finding records the transactions of a finding on the current sources.
func (f *debugFlags) finding(ctx context.Context, c console, args *dap.LaunchArguments, use func(*debug.Recording) error) error {
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
	env.Watch = newCompileProgress(c.err).follow
	tools := compiler.NewToolchain(env)
	defer tools.Close()
	forks := newForkOpener(ctx, c, env, f.url)
	forks.programs = f.ffi
	defer forks.close()
	s, blamed, err := f.onBuild(ctx, c, tools, forks, d, f.fastFlag.settings())
	if err != nil {
		return err
	}
	if plain, found := f.unoptimised(ctx, c, tools, forks, d, s, blamed); plain != nil {
		s, blamed = plain, found
	}
	return engine.Debug(ctx, s.contract, s.unit.Build.Contracts, blamed.Witness, s.outside, blamed, use)
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
		why = "the sources cannot be compiled without the optimizer"
	case found.ID != "" && (found.ID == blamed.ID || found.Oracle == blamed.Oracle && found.Place.File == blamed.Place.File && found.Place.Start == blamed.Place.Start):
		fmt.Fprintln(c.out, "Note: for this session, the sources are compiled without the optimizer; the finding shows there as well.")
		return plain, found
	}
	fmt.Fprintf(c.out, "Note: %s; compiled with %s, which merges and moves statements and leaves no locals.\n", why, s.unit.Build.Settings)
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

// noteOptimiser says that steps in optimised code are less exact.
func noteOptimiser(c console, b *solc.Build) {
	if optimised(b) {
		fmt.Fprintf(c.out, "Note: compiled with %s, which merges and moves statements; leveret dap --fast compiles without where the code allows it.\n", b.Settings)
	}
}

// test runs a test and records its last input.
func (f *debugFlags) test(ctx context.Context, c console, args *dap.LaunchArguments, use func(*debug.Recording) error) error {
	contract, name, ok := strings.Cut(args.Test, ".")
	name, _, _ = strings.Cut(name, "(")
	if !ok || contract == "" || name == "" {
		return fmt.Errorf("%q is no test; write Contract.testName", args.Test)
	}
	path := args.Path
	if path == "" {
		path = "."
	}
	flags := testFlags{compilerFlags: f.compilerFlags, fastFlag: f.fastFlag, time: duration(defaultTestTime), programs: f.ffi}
	flags.format, flags.forkURL = testreport.FormatNames()[0], f.url
	flags.filters[0], flags.filters[2] = "^"+regexp.QuoteMeta(name)+`\(`, "^"+regexp.QuoteMeta(contract)+"$"
	r, err := flags.begin(func(string) bool { return false }, c)
	if err != nil {
		return err
	}
	env := environment(f.compilerFlags)
	env.Watch, env.Timeout = newCompileProgress(c.err).follow, compileTime
	tools := compiler.NewToolchain(env)
	defer tools.Close()
	suites, failures, err := r.suites(ctx, tools, []string{path})
	if err != nil {
		return err
	}
	c.failed(failures)
	if len(suites) == 0 {
		return fmt.Errorf("%s has no test %s", path, args.Test)
	}
	r.forks = newForkOpener(ctx, c, env, f.url)
	r.forks.programs = f.ffi
	defer r.forks.close()
	if r.fork, err = r.forks.start(&r.forkFlags); err != nil {
		return err
	}
	return r.debug(ctx, suites[0], use)
}

// debug runs the tests of a suite until one has something to debug.
func (r *testRun) debug(ctx context.Context, c selection.Suite, use func(*debug.Recording) error) error {
	s, err := r.open(ctx, c)
	if err != nil {
		return err
	}
	if v := s.Fault(); v != nil {
		fmt.Fprintf(r.console.out, "%s failed: %s\n", v.Test.Name, v.Reason)
		return engine.DebugTest(ctx, s, &engine.TestResult{Test: v.Test, Verdict: *v, Trail: s.FaultTrail()}, use)
	}
	var result *engine.TestResult
	tests := c.Tests.Tests[:1]
	options := r.options(selection.Candidate{Unit: c.Unit, Contract: c.Contract}, max(1, engine.Campaigns(tests)))
	options.Known, options.Seed = forgeFailures(s, c), r.seedOf(&c.Config.TestConfig)
	err = engine.RunTests(ctx, s, tests, options, r.limits, func(t *engine.TestResult) { result = t })
	switch {
	case err != nil:
		return err
	case result == nil:
		return fmt.Errorf("%s did not run", tests[0].Name)
	}
	text := fmt.Sprintf("%s %s", result.Test.Name, result.Verdict.Status)
	if result.Verdict.Status == suite.Failed && result.Verdict.Reason != "" {
		text += ": " + result.Verdict.Reason
	}
	fmt.Fprintln(r.console.out, text)
	noteOptimiser(r.console, c.Unit.Build)
	return engine.DebugTest(ctx, s, result, use)
}
