// Command bench measures built programs, ours and others' alike, and prints the
// tables of the papers' evaluations [HARVEY 6, lookahead VI]. It uses the command
// line and the JSON report of leveret. Where CPU time is measured, it runs the
// program in driver, built in the working tree of each revision. The throughput of
// calls alone is measured in this process.
//
//	go build -o leveret ./cmd/leveret && go run ./engine/bench cases --cases DIR
//
// Raw results are stored as JSON lines. Runs that have a record are not
// repeated, so an interrupted experiment resumes, and --print prints tables
// without running anything.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"time"

	"github.com/spf13/cobra"
)

// flags are the flags of every experiment.
type flags struct {
	leveret string
	tools   string
	list    string
	results string
	only    []string
	configs []string
	seeds   int
	time    time.Duration
	inputs  int
	jobs    int
	print   bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	root := &cobra.Command{
		Use:           "bench",
		Short:         "Measure built programs and print the papers' tables",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	for _, e := range experiments {
		root.AddCommand(e.command())
	}
	root.AddCommand(throughputCommand(), packagesCommand(), localsCommand())
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// An experiment is a matrix of runs and their tables.
type experiment struct {
	name, short string
	defaults    flags // of the flags that differ between experiments
	driven      bool  // runs campaigns with the driver, each for an amount of CPU time
	extra       func(*cobra.Command, *options)
	matrix      func(*options) (matrix, error)
	prepare     func(context.Context, *options) error // prepares the runs; may be nil
	tables      func(*options, *records) []table
}

// options are the flags and their derived values.
type options struct {
	flags
	cases  string // folder of the cases
	work   string // folder of the copies
	each   int    // number of targets per contract
	draw   int    // seed of the untargeted runs
	drawn  string // results of the untargeted runs; empty: beside the others
	before int    // inputs of the run that writes a corpus

	mutation bool // campaigns make inputs by mutation, without what learns from executions

	driven
}

// experiments are the experiments, by subcommand.
var experiments = []experiment{casesExperiment, realExperiment, costExperiment, ablationExperiment, predictionExperiment, lookaheadExperiment, mazeExperiment, editExperiment,
	profileExperiment, mazesExperiment, campaignsExperiment, workersExperiment, tokenExperiment, obstaclesExperiment}

func (e experiment) command() *cobra.Command {
	o := &options{flags: e.defaults}
	cmd := &cobra.Command{Use: e.name, Short: e.short, Args: cobra.NoArgs}
	f := cmd.Flags()
	f.SortFlags = false
	if !e.driven {
		f.StringVar(&o.leveret, "leveret", "./leveret", "the command that is measured")
		f.DurationVar(&o.time, "time", e.defaults.time, "limit of a run")
		f.IntVar(&o.inputs, "inputs", e.defaults.inputs, "limit of a run; 0: none")
	}
	f.StringVar(&o.tools, "tools", "solc/testdata/npm", "folder with the compilers and the real contracts")
	f.StringVar(&o.list, "list", "solc/testdata/npm/real.txt", "list of the real contracts")
	f.StringVar(&o.results, "results", "engine/bench/results/"+e.name+".jsonl", "file of raw results, continued if it is there")
	f.StringSliceVar(&o.only, "only", nil, "run only these contracts")
	f.StringSliceVar(&o.configs, "configs", nil, "run only these configurations")
	f.IntVar(&o.seeds, "seeds", e.defaults.seeds, "runs of each contract and configuration, with seeds from 1")
	if e.defaults.jobs == 0 {
		e.defaults.jobs = runtime.NumCPU()
	}
	f.IntVar(&o.jobs, "jobs", e.defaults.jobs, "runs at once, one core each")
	f.BoolVar(&o.print, "print", false, "print tables of the results that are there; run nothing")
	if e.driven {
		o.addFlags(f, e.defaults)
	}
	if e.extra != nil {
		e.extra(cmd, o)
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return e.run(cmd.Context(), o) }
	return cmd
}

// run completes the matrix and prints the tables.
func (e experiment) run(ctx context.Context, o *options) error {
	if !o.print && e.driven {
		if err := o.build(ctx); err != nil {
			return err
		}
	}
	if !o.print && e.prepare != nil {
		if err := e.prepare(ctx, o); err != nil {
			return err
		}
	}
	m, err := e.matrix(o)
	if err != nil {
		return err
	}
	all, err := loadRecords(o.results)
	if err != nil {
		return err
	}
	if !o.print {
		if err := m.complete(ctx, o, all); err != nil {
			return err
		}
	}
	all.keep(m.runs(o))
	for _, t := range e.tables(o, all) {
		t.write(os.Stdout)
	}
	return nil
}
