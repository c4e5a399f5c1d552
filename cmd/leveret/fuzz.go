package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/engine/report"
	"leveret/engine/report/printable"
	"leveret/solc/compiler"
	"leveret/solc/selection"
)

func fuzzCommand(c console) *cobra.Command {
	f := newFuzzFlags()
	cmd := &cobra.Command{
		Use:   "fuzz [flags] PATH...",
		Short: "Compile and fuzz files, folders or a project",
		Long: `Compile files, folders or a project and fuzz the contracts one after another, each for --time.
With --total-time, each contract gets an equal share of the time that is left, so that time which
one contract does not use goes to the following ones.

Findings go to standard output, progress to standard error. Ctrl-C, SIGTERM and SIGHUP stop the run
and print the findings so far; a second signal ends it at once. If the corpus cannot be saved,
leveret warns and continues.

A baseline lets a project start with the findings that it has: --baseline FILE --update-baseline
writes them down, and --baseline FILE then shows and fails for new ones alone. Its ids survive edits
that move lines. An update keeps entries whose code did not run.

Exit code: 0 no findings at or above --fail-on, or written to the baseline, 1 findings, 2 the run failed, or Leveret failed on a
contract. A stopped run exits with the code of its findings so far, or with 2 if no contract had
been fuzzed.`,
		Example: "  leveret fuzz src/Vault.sol\n  leveret fuzz --time 2m --format sarif --output leveret.sarif .\n  leveret fuzz --since origin/main --fail-on error src",
		Args:    somePaths,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, args, c)
		},
	}
	f.add(cmd.Flags())
	return cmd
}

// somePaths requires at least one path.
func somePaths(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("missing PATH: name a file, a folder or a project, for example %s src", cmd.CommandPath())
	}
	return nil
}

// A fuzzRun is one execution of leveret fuzz.
type fuzzRun struct {
	*fuzzFlags
	console
	options engine.Options // without what differs between contracts
	format  report.Format
	more    []destination // besides the report itself
	failOn  finding.Severity
	least   finding.Severity // that is reported
	sources report.Sources
	env     compiler.Env
	stop    func()
	warned  map[string]bool // problems of the corpus that were printed

	campaign campaignFunc
	panics   int // campaigns that panicked

	page *liveRun // nil: none

	forks     *forkOpener
	forkError *engine.ForkError // ended the run
}

func (f *fuzzFlags) run(cmd *cobra.Command, paths []string, c console) error {
	r := &fuzzRun{fuzzFlags: f, console: c, env: environment(f.compilerFlags), campaign: engine.Run}
	if err := r.check(cmd.Flags().Changed); err != nil {
		return err
	}
	ctx, stop := stoppable(cmd.Context())
	defer stop()
	r.stop = stop
	r.env.Watch = newCompileProgress(c.err, !r.fast).follow
	tools := compiler.NewToolchain(r.env)
	defer tools.Close()

	candidates, lines, failures, err := r.prepare(ctx, tools, paths)
	if ctx.Err() != nil {
		return errors.New("stopped before anything was fuzzed")
	}
	if err != nil {
		return err
	}
	r.failed(failures)
	closeFork, err := r.openFork(ctx)
	if err != nil {
		return err
	}
	defer closeFork()
	r.checkCorpus()
	started := time.Now()
	if err := r.serve(cmd.Flags(), started); err != nil {
		return err
	}
	defer r.page.end()
	results, err := r.campaigns(ctx, candidates, lines)
	results.Run = r.runFacts(cmd.Flags(), started)
	r.detail(ctx, results, candidates)
	if err != nil {
		if len(results.Contracts) > 0 {
			err = errors.Join(err, r.write(results))
		}
		return err
	}
	if err := r.write(results); err != nil {
		return err
	}
	if err := r.compare(r.console, results, r.oracles); err != nil {
		return err
	}
	for _, s := range stale(results) {
		fmt.Fprintf(r.console.err, "%s:%d: hint: unused suppression comment\n", printable.String(s.Place.File), s.Place.Start.Line)
	}
	r.closing(failures)
	return r.verdict(results, failures, paths)
}

// check validates the flags and turns them into options.
func (r *fuzzRun) check(changed func(string) bool) (err error) {
	if r.format, r.more, err = parseFormats(r.formats); err != nil {
		return err
	}
	if err := r.checkSeverities(changed); err != nil {
		return err
	}
	if err := r.baselineFlags.read(); err != nil {
		return err
	}
	if err := r.uiFlag.check(); err != nil {
		return err
	}
	switch mode := engine.LookaheadMode(r.lookahead); mode {
	case engine.LookaheadOn, engine.LookaheadOff, engine.LookaheadBlind, engine.LookaheadPlain:
	default:
		return fmt.Errorf("--lookahead: %q is not one of on, off, blind, plain", r.lookahead)
	}
	if r.untrusted && r.since != "" {
		return errors.New("--since reads the git repository of the project, which --untrusted forbids; use only one of them")
	}
	if r.maxInputs < 0 || r.workers < 1 {
		return errors.New("--max-inputs must not be negative, and --workers must be at least 1")
	}
	if err := r.forkFlags.check(changed); err != nil {
		return err
	}
	targets, err := parsePCs(r.fuzzFlags.targets)
	if err != nil {
		return err
	}
	if !r.untrusted { // otherwise prepare checks for links first
		if err := r.checkOutput(); err != nil {
			return err
		}
	}
	if !changed("seed") {
		r.seed = uint64(rand.Uint32())
	}
	if (r.maxInputs > 0 || r.totalTime > 0) && !changed("time") {
		r.time = 0
	}
	r.options = r.fuzzFlags.options(targets)
	r.options.Memory, err = r.memoryFlag.apply()
	return err
}

// checkSeverities validates --fail-on and --severity. What is not reported does not
// fail a run.
func (r *fuzzRun) checkSeverities(changed func(string) bool) (err error) {
	if r.failOn, err = finding.ParseSeverity(r.fuzzFlags.failOn); err != nil || r.failOn < finding.Information {
		return fmt.Errorf("--fail-on: %q is not one of error, warning, info", r.fuzzFlags.failOn)
	}
	if r.least, err = finding.ParseSeverity(r.severity); err != nil || r.least == finding.Off {
		return fmt.Errorf("--severity: %q is not one of error, warning, info, hint", r.severity)
	}
	if r.failOn >= r.least {
		return nil
	}
	if changed("fail-on") {
		return fmt.Errorf("--fail-on %s is below --severity %s, so findings that are not shown would fail the run; raise --fail-on or lower --severity", r.fuzzFlags.failOn, r.severity)
	}
	r.failOn = r.least
	return nil
}

// prepare compiles the paths and chooses contracts and the lines to aim at. An
// error means that nothing can be fuzzed; failures concern single files.
func (r *fuzzRun) prepare(ctx context.Context, tools *compiler.Toolchain, paths []string) (list []selection.Candidate, lines [][]engine.Lines, failures []error, err error) {
	all, failures, err := selection.Open(tools, paths)
	if err != nil {
		return nil, nil, nil, err
	}
	all = selection.WithTests(all, r.contracts)
	units, failed := r.compile(ctx, all, r.fastFlag.settings())
	failures = append(failures, failed...)
	for _, b := range all {
		r.sources.Total += len(b.Files)
		r.sources.Compiled += selection.CountCompiled(b.Files, units)
	}
	for _, failure := range failures {
		r.sources.Failures = append(r.sources.Failures, oneLine(failure.Error()))
	}
	if len(units) == 0 && len(failures) > 0 {
		return nil, nil, nil, r.nothing(failures)
	}
	for _, s := range r.lines {
		if f, err := parseLines(s); err == nil {
			selection.Name(units, f.path)
		}
	}
	if list, err = selection.Choose(units, r.contracts); err != nil {
		r.console.failed(failures) // the contract may be in one of these files
		return nil, nil, nil, fmt.Errorf("--contract %w", err)
	}
	if err := r.checkPaths(list); err != nil {
		return nil, nil, nil, err
	}
	if r.untrusted {
		if err := r.checkOutput(); err != nil {
			return nil, nil, nil, err
		}
	}
	if len(r.lines) == 0 && r.since == "" {
		return list, make([][]engine.Lines, len(list)), failures, nil
	}
	wanted, err := r.wantedLines(ctx, all[0].Project.Root, units)
	if err != nil {
		return nil, nil, nil, err
	}
	list, lines = aim(list, wanted)
	if len(list) == 0 && r.since != "" {
		fmt.Fprintf(r.console.err, "No contract in these paths has changed since %s.\n", r.since)
	}
	return list, lines, failures, nil
}

// wantedLines returns the lines that --lines and --since name.
func (r *fuzzRun) wantedLines(ctx context.Context, root string, units []selection.Unit) ([]fileLines, error) {
	var wanted []fileLines
	for _, s := range r.lines {
		f, err := parseLines(s)
		if err != nil {
			return nil, err
		}
		known := false
		for _, u := range units {
			known = known || len(targets(u.Build, []fileLines{f})) > 0
		}
		if !known {
			return nil, fmt.Errorf("--lines %s: no such lines in the compiled files; check the file name and line numbers, and that PATH includes the file", s)
		}
		if near, ok := f.withoutCode(units); ok {
			err := fmt.Errorf("--lines %s: no code on these lines (%s)%s", s, f.standing(units), near)
			if !f.touched(units) {
				return nil, err
			}
			fmt.Fprintf(r.console.err, "leveret: %s; fuzzing the surrounding contract without aiming\n", oneLine(err.Error()))
		}
		wanted = append(wanted, f)
	}
	if r.since != "" {
		changed, err := changedSince(ctx, root, r.since, units)
		if err != nil {
			return nil, err
		}
		wanted = append(wanted, changed...)
	}
	return wanted, nil
}

// verdict chooses the exit code. A run in which nothing was fuzzed fails, so
// that it does not look like a run without findings.
func (r *fuzzRun) verdict(out *report.Report, failures []error, paths []string) error {
	if out.Count(r.failOn) > 0 && !r.update {
		if r.forkError != nil {
			fmt.Fprintln(r.console.err, "leveret:", oneLine(r.forkError.Error()))
		}
		return errFound
	}
	if r.forkError != nil {
		return r.forkError
	}
	if len(failures) > 0 {
		return fmt.Errorf("could not compile %s, see above", english.Plural(len(failures), "file or folder", "files or folders"))
	}
	if r.panics > 0 {
		return fmt.Errorf("an internal error stopped the work on %s, see above", english.Plural(r.panics, "contract", ""))
	}
	for _, c := range out.Contracts {
		if c.Stats.Inputs > 0 {
			return nil
		}
	}
	switch {
	case len(out.Contracts) > 0:
		c := out.Contracts[0]
		return fmt.Errorf("%s: %s; nothing was fuzzed", c.File, strings.TrimSuffix(c.Note, "."))
	case r.since != "":
		return nil
	case len(r.lines) > 0:
		return fmt.Errorf("--lines %s: no contract with code on these lines can be fuzzed; nothing was fuzzed", strings.Join(r.lines, " "))
	}
	return fmt.Errorf("%s: no contract is defined there; nothing was fuzzed", strings.Join(paths, ", "))
}
