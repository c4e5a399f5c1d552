package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/engine/report"
	"leveret/engine/report/printable"
	"leveret/solc/atomicfile"
	"leveret/solc/compiler"
	"leveret/solc/selection"
)

// fuzzFlags are the flags of leveret fuzz.
type fuzzFlags struct {
	compilerFlags
	contracts   []string
	time        duration
	totalTime   duration
	maxInputs   int
	seed        uint64
	workers     int
	lines       []string
	since       string
	oracles     []string
	format      string
	output      string
	corpus      string
	stopOnFirst bool
	failOn      string
	lookahead   string
	targets     []string
	firsts      bool

	noPrediction, noIteration, noDemand, noAdaptive bool
}

func fuzzCommand(c console) *cobra.Command {
	f := fuzzFlags{time: duration(10 * time.Second)}
	cmd := &cobra.Command{
		Use:   "fuzz [flags] PATH...",
		Short: "Compile and fuzz files, folders or a project",
		Long: `Compile files, folders or a project and fuzz the contracts one after the other: each for --time
or, with --total-time, all of them for that long together. Of what is left of it each contract
gets an equal share, so that what one does not use is for those behind it.
Findings go to the standard output, progress to the standard error.
Ctrl-C, SIGTERM and SIGHUP end the run and print what was found; a second one ends it at once.
A corpus that cannot be saved is a warning, nothing more.

Exit code: 0 nothing at or above --fail-on, 1 findings, 2 the run could not be done, or Leveret
failed on a contract. A run that was stopped has the code of what it found until then; 2 if nothing
was fuzzed yet.`,
		Example: "  leveret fuzz src/Vault.sol\n  leveret fuzz --time 2m --format sarif --output leveret.sarif .\n  leveret fuzz --since origin/main --fail-on error src",
		Args:    somePaths,
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&f.contracts, "contract", nil, "fuzz only this contract, `NAME` or FILE:NAME; repeatable")
	flags.Var(&f.time, "time", "time for each contract: 30s, 5m, 1h30m")
	flags.Var(&f.totalTime, "total-time", "time for all contracts together; without --time, shared equally")
	flags.IntVar(&f.maxInputs, "max-inputs", 0, "stop each contract after `N` inputs; without --time, whatever the time")
	flags.Uint64Var(&f.seed, "seed", 0, "repeat the run with seed `N`; needs --workers 1 and --max-inputs to be exact (default a new one)")
	flags.IntVar(&f.workers, "workers", runtime.NumCPU(), "execute `N` inputs at once")
	flags.StringArrayVar(&f.lines, "lines", nil, "aim at lines, `FILE:A-B[,C-D]`; repeatable")
	flags.StringVar(&f.since, "since", "", "aim at the lines that changed since git revision `REV`")
	flags.StringSliceVar(&f.oracles, "oracles", nil, "report only these weaknesses, `a,b`")
	flags.StringVar(&f.format, "format", "text", "`text`, json, sarif, html or foundry (tests)")
	flags.StringVar(&f.output, "output", "", "write the findings to `FILE`, which is replaced as a whole")
	flags.StringVar(&f.corpus, "corpus", "", "load inputs from `DIR` and save them there, a folder for each source")
	f.compilerFlags.add(flags)
	flags.BoolVar(&f.stopOnFirst, "stop-on-first", false, "stop at the first finding")
	flags.StringVar(&f.failOn, "fail-on", "warning", "exit with 1 for findings of this severity or above: `error`, warning or info")
	flags.BoolVar(&f.noPrediction, "no-prediction", false, "experiment: predict no inputs")
	flags.BoolVar(&f.noIteration, "no-iteration", false, "experiment: predict only once")
	flags.BoolVar(&f.noDemand, "no-demand", false, "experiment: grow sequences eagerly")
	flags.BoolVar(&f.noAdaptive, "no-adaptive", false, "experiment: keep no best input for each branch")
	flags.StringVar(&f.lookahead, "lookahead", "on", "experiment: `on`, off, blind or plain")
	flags.StringSliceVar(&f.targets, "targets", nil, "experiment: aim at these instructions of the deployed code, `PC`s such as 0x1f3, and end when all have run")
	flags.BoolVar(&f.firsts, "firsts", false, "experiment: with --format json, tell when each basic block ran first")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return f.run(cmd, args, c)
	}
	return cmd
}

// somePaths asks for at least one path.
func somePaths(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("there is nothing to fuzz: name a file, a folder or a project, as in %s src", cmd.CommandPath())
	}
	return nil
}

// A fuzzRun is one execution of leveret fuzz.
type fuzzRun struct {
	*fuzzFlags
	console
	options engine.Options // but for what differs between contracts
	format  report.Format
	failOn  finding.Severity
	sources report.Sources
	env     compiler.Env
	stop    func()
	told    map[string]bool // what is wrong with the corpus

	campaign campaignFunc
	panics   int // campaigns that Leveret failed on
}

func (f *fuzzFlags) run(cmd *cobra.Command, paths []string, c console) error {
	r := &fuzzRun{fuzzFlags: f, console: c, env: environment(f.compilerFlags), campaign: engine.Run}
	if err := r.check(cmd.Flags().Changed); err != nil {
		return err
	}
	ctx, stop := stoppable(cmd.Context())
	defer stop()
	r.stop = stop
	tools := compiler.NewToolchain(r.env)
	defer tools.Close()

	candidates, lines, failures, err := r.prepare(ctx, tools, paths)
	if ctx.Err() != nil {
		return errors.New("stopped before anything was fuzzed")
	}
	if err != nil {
		return err
	}
	for _, failure := range failures {
		fmt.Fprintln(r.console.err, "leveret:", oneLine(failure.Error()))
	}
	r.checkCorpus()
	results, err := r.campaigns(ctx, candidates, lines)
	if err != nil {
		if len(results.Contracts) > 0 {
			err = errors.Join(err, r.write(results))
		}
		return err
	}
	if err := r.write(results); err != nil {
		return err
	}
	for _, s := range stale(results) {
		fmt.Fprintf(r.console.err, "%s:%d: hint: unused suppression comment\n", printable.String(s.Place.File), s.Place.Start.Line)
	}
	return r.verdict(results, failures, paths)
}

// check turns flags into options.
func (r *fuzzRun) check(changed func(string) bool) (err error) {
	if r.format, err = report.FormatNamed(r.fuzzFlags.format); err != nil {
		return fmt.Errorf("--format: %w", err)
	}
	if r.failOn, err = finding.ParseSeverity(r.fuzzFlags.failOn); err != nil || r.failOn < finding.Information {
		return fmt.Errorf("--fail-on: %q is none of error, warning, info", r.fuzzFlags.failOn)
	}
	switch mode := engine.LookaheadMode(r.lookahead); mode {
	case engine.LookaheadOn, engine.LookaheadOff, engine.LookaheadBlind, engine.LookaheadPlain:
	default:
		return fmt.Errorf("--lookahead: %q is none of on, off, blind, plain", r.lookahead)
	}
	if r.untrusted && r.since != "" {
		return errors.New("--since reads the git repository of the project, which --untrusted forbids; leave out one of them")
	}
	if r.maxInputs < 0 || r.workers < 1 {
		return errors.New("--max-inputs must not be negative, and --workers at least 1")
	}
	targets, err := parsePCs(r.fuzzFlags.targets)
	if err != nil {
		return err
	}
	if !r.untrusted { // else checkPaths comes first: the output may be a link
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
	r.options = engine.Options{
		Time: time.Duration(r.time), MaxInputs: r.maxInputs, Seed: r.seed, Workers: r.workers,
		Oracles: r.oracles, StopOnFirst: r.stopOnFirst, Suppress: true,
		NoPrediction: r.noPrediction, NoIteration: r.noIteration, NoDemand: r.noDemand, NoAdaptive: r.noAdaptive,
		Lookahead: engine.LookaheadMode(r.lookahead), Targets: targets, Firsts: r.firsts,
	}
	return nil
}

// checkOutput reports whether the output can be written.
func (r *fuzzRun) checkOutput() error {
	if r.output == "" {
		return nil
	}
	if err := atomicfile.Check(r.output); err != nil {
		return fmt.Errorf("--output %s: %w; name a file that can be written", r.output, cause(err))
	}
	return nil
}

// prepare compiles and chooses. An error means that nothing can be fuzzed;
// failures are those of single files beside others.
func (r *fuzzRun) prepare(ctx context.Context, tools *compiler.Toolchain, paths []string) (list []selection.Candidate, lines [][]engine.Lines, failures []error, err error) {
	all, failures, err := selection.Open(tools, paths)
	if err != nil {
		return nil, nil, nil, err
	}
	var units []selection.Unit
	for _, b := range all {
		compiled, failed := b.Compile(ctx)
		units, failures = append(units, compiled...), append(failures, failed...)
		r.sources.Total += len(b.Files)
		r.sources.Compiled += selection.CountCompiled(b.Files, compiled)
	}
	for _, failure := range failures {
		r.sources.Failures = append(r.sources.Failures, oneLine(failure.Error()))
	}
	if len(units) == 0 && len(failures) > 0 {
		for _, failure := range failures[1:] {
			fmt.Fprintln(r.console.err, "leveret:", oneLine(failure.Error()))
		}
		return nil, nil, nil, failures[0]
	}
	if list, err = selection.Choose(units, r.contracts); err != nil {
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
		fmt.Fprintf(r.console.err, "No contract here has changed since %s.\n", r.since)
	}
	return list, lines, failures, nil
}

// wantedLines are the lines that --lines and --since name.
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
			return nil, fmt.Errorf("--lines %s: no such lines were compiled; check the file and its length, and that PATH covers it", s)
		}
		if near, ok := f.withoutCode(units); ok {
			err := fmt.Errorf("--lines %s: there is no code on these lines%s", s, near)
			if !f.touched(units) {
				return nil, err
			}
			fmt.Fprintf(r.console.err, "leveret: %s; the contract around them is fuzzed without an aim\n", oneLine(err.Error()))
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

// verdict chooses the exit code. A run in which nothing was fuzzed is not
// done: silence would pass for a clean bill.
func (r *fuzzRun) verdict(out *report.Report, failures []error, paths []string) error {
	if out.Count(r.failOn) > 0 {
		return errFound
	}
	if len(failures) > 0 {
		return fmt.Errorf("%d of the files or folders could not be compiled, see above", len(failures))
	}
	if r.panics > 0 {
		return fmt.Errorf("%d of the contracts made Leveret fail, see above", r.panics)
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
		return fmt.Errorf("--lines %s: no contract that can be fuzzed has code there; nothing was fuzzed", strings.Join(r.lines, " "))
	}
	return fmt.Errorf("%s: no contract is defined here; nothing was fuzzed", strings.Join(paths, ", "))
}
