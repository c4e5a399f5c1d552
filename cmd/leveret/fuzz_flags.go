package main

import (
	"runtime"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/pflag"

	"leveret/engine"
	"leveret/engine/report"
)

// fuzzFlags are the flags of leveret fuzz.
type fuzzFlags struct {
	compilerFlags
	fastFlag
	limitFlags
	memoryFlag
	aimFlags
	forkFlags
	reportFlags
	uiFlag
	experimentFlags
	contracts []string
	oracles   []string
	seed      uint64
	workers   int
	corpus    string
}

func newFuzzFlags() fuzzFlags {
	return fuzzFlags{limitFlags: limitFlags{time: duration(10 * time.Second)}}
}

// add adds the flags in the order in which --help lists them.
func (f *fuzzFlags) add(flags *pflag.FlagSet) {
	flags.SortFlags = false
	flags.StringArrayVar(&f.contracts, "contract", nil, "fuzz only this contract, `NAME` or FILE:NAME; repeatable")
	f.limitFlags.add(flags)
	flags.Uint64Var(&f.seed, "seed", 0, "repeat the run with seed `N`; exact only with --workers 1 and --max-inputs (default random)")
	flags.IntVar(&f.workers, "workers", runtime.NumCPU(), "execute `N` inputs in parallel")
	f.memoryFlag.add(flags)
	f.aimFlags.add(flags)
	f.forkFlags.add(flags)
	flags.StringSliceVar(&f.oracles, "oracles", nil, "report only findings of these oracles, `a,b`")
	f.reportFlags.add(flags)
	f.uiFlag.add(flags)
	flags.StringVar(&f.corpus, "corpus", "", "load inputs from `DIR` and save them there, in one folder per source file")
	f.compilerFlags.add(flags)
	f.fastFlag.add(flags)
	f.experimentFlags.add(flags)
}

// limitFlags bound the campaign of each contract, or all of them together.
type limitFlags struct {
	time        duration
	totalTime   duration
	maxInputs   int
	stopOnFirst bool
}

func (f *limitFlags) add(flags *pflag.FlagSet) {
	flags.Var(&f.time, "time", "time for each contract: 30s, 5m, 1h30m")
	flags.Var(&f.totalTime, "total-time", "time for all contracts together, in equal shares; replaces the default of --time")
	flags.IntVar(&f.maxInputs, "max-inputs", 0, "stop each contract after `N` inputs; replaces the default of --time")
	flags.BoolVar(&f.stopOnFirst, "stop-on-first", false, "stop at the first finding")
}

// aimFlags choose the lines to aim at.
type aimFlags struct {
	lines []string
	since string
}

func (f *aimFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.lines, "lines", nil, "aim at lines, `FILE:A-B[,C-D]`; repeatable")
	flags.StringVar(&f.since, "since", "", "aim at the lines that changed since git revision `REV`")
}

// reportFlags say what is reported, how and where.
type reportFlags struct {
	formats  []string
	output   string
	severity string
	failOn   string
	baselineFlags
}

func (f *reportFlags) add(flags *pflag.FlagSet) {
	formats := report.FormatNames()
	flags.StringArrayVar(&f.formats, "format", nil, "write the report as `FORMAT`: "+english.WordSeries(formats, "or")+" (default text); FORMAT=FILE writes one more report to a file; repeatable")
	flags.StringVar(&f.output, "output", "", "write the report to `FILE`, replacing it atomically")
	flags.StringVar(&f.severity, "severity", "hint", "report only findings of this severity or above: `error`, warning, info or hint")
	flags.StringVar(&f.failOn, "fail-on", "warning", "exit with 1 for findings of this severity or above: `error`, warning or info")
	f.baselineFlags.add(flags)
}

// experimentFlags switch parts of the engine off, to measure them.
type experimentFlags struct {
	noPrediction bool
	noIteration  bool
	noDemand     bool
	noAdaptive   bool
	lookahead    string
	targets      []string
	firsts       bool
}

func (f *experimentFlags) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.noPrediction, "no-prediction", false, "experiment: do not predict inputs")
	flags.BoolVar(&f.noIteration, "no-iteration", false, "experiment: predict in one step, without iteration")
	flags.BoolVar(&f.noDemand, "no-demand", false, "experiment: extend sequences eagerly instead of on demand")
	flags.BoolVar(&f.noAdaptive, "no-adaptive", false, "experiment: do not keep the best input of each branch")
	flags.StringVar(&f.lookahead, "lookahead", "on", "experiment: `on`, off, blind or plain")
	flags.StringSliceVar(&f.targets, "targets", nil, "experiment: aim at instructions of the deployed code, `PC`s such as 0x1f3, and stop when all have been executed")
	flags.BoolVar(&f.firsts, "firsts", false, "experiment: with --format json, report when each basic block was first executed")
}

// options are the options of campaigns that the flags set.
func (f *fuzzFlags) options(targets []uint64) engine.Options {
	return engine.Options{
		Time: time.Duration(f.time), MaxInputs: f.maxInputs, Seed: f.seed, Workers: f.workers,
		Oracles: f.oracles, StopOnFirst: f.stopOnFirst, Suppress: true,
		Without:   engine.Without{NoPrediction: f.noPrediction, NoIteration: f.noIteration, NoDemand: f.noDemand, NoAdaptive: f.noAdaptive},
		Lookahead: engine.LookaheadMode(f.lookahead), Targets: targets, Firsts: f.firsts,
	}
}
