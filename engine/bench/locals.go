package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"leveret/engine/bench/locals"
	benchsubject "leveret/engine/bench/subject"
)

// localsRun measures whether what the debugger shows of locals is true.
type localsRun struct {
	tools, list, results string
	only                 []string
	print                bool
	locals.Options
}

// A localsRecord is a line of the results: one contract.
type localsRecord struct {
	session
	Contract string `json:"contract"`
	Compiler string `json:"compiler"`
	Failure  string `json:"failure,omitempty"` // why nothing is compared
	*locals.Tally
}

// localsCommand compares what the debugger shows with what contracts tell.
func localsCommand() *cobra.Command {
	r := &localsRun{}
	cmd := &cobra.Command{
		Use: "locals", Short: "whether the debugger's values of parameters and locals are those that rewritten contracts tell", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return r.run(cmd.Context()) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&r.tools, "tools", "solc/testdata/npm", "folder with the compilers and the real contracts")
	f.StringVar(&r.list, "list", "solc/testdata/npm/real.txt", "list of the contracts")
	f.StringVar(&r.results, "results", "engine/bench/results/locals.jsonl", "file of raw results, appended to; \"\": none")
	f.StringSliceVar(&r.only, "only", nil, "measure only these contracts")
	f.IntVar(&r.Inputs, "inputs", 2000, "inputs of the campaign on each contract")
	f.IntVar(&r.Sequences, "sequences", 100, "inputs of it that are compared")
	f.Uint64Var(&r.Seed, "seed", 1, "seed of the campaigns")
	f.BoolVar(&r.print, "print", false, "print the latest result of each contract; measure nothing")
	return cmd
}

func (r *localsRun) run(ctx context.Context) error {
	if r.print {
		list, err := r.load()
		if err == nil {
			localsTable(list).write(os.Stdout)
		}
		return err
	}
	sources, err := benchsubject.List(r.list)
	if err != nil {
		return err
	}
	tools, err := benchsubject.New(r.tools)
	if err != nil {
		return err
	}
	defer tools.Close()
	var list []localsRecord
	for _, s := range sources {
		if len(r.only) > 0 && !slices.Contains(r.only, s.Contract) {
			continue
		}
		fmt.Fprintln(os.Stderr, "measuring", s.Contract)
		record := r.measure(ctx, tools, s)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if list = append(list, record); appendLine(r.results, record) != nil {
			return fmt.Errorf("cannot write %s", r.results)
		}
	}
	localsTable(list).write(os.Stdout)
	return nil
}

func (r *localsRun) measure(ctx context.Context, tools benchsubject.Toolchain, s benchsubject.Source) localsRecord {
	record := localsRecord{session: newSession(&options{}), Contract: s.Contract}
	record.Revision = revisionOf(".")
	compiled, err := tools.Compile(ctx, s.File, s.Contract)
	if err == nil {
		record.Compiler = compiled[0].Contract.Build.Version
		record.Tally, err = locals.Measure(ctx, tools.Toolchain, compiled[0].Contract, r.Options)
	}
	if err != nil {
		record.Failure = err.Error()
	}
	return record
}

// load reads the latest result of each contract.
func (r *localsRun) load() (list []localsRecord, err error) {
	file, err := os.Open(r.results)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Buffer(nil, 16<<20); lines.Scan(); {
		var record localsRecord
		if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
			return nil, fmt.Errorf("%s: %w", r.results, err)
		}
		list = slices.DeleteFunc(list, func(l localsRecord) bool { return l.Contract == record.Contract })
		list = append(list, record)
	}
	return list, lines.Err()
}

// localsTable has a row for each contract and one for all.
func localsTable(list []localsRecord) table {
	t := table{title: "Parameters, return variables and locals", header: []string{"contract", "solc", "functions", "values", "shown", "optimised out", "wrong", ""}}
	all := locals.NewTally()
	row := func(name, compiler string, tally *locals.Tally, note string) {
		values := tally.Shown + tally.Unknown + tally.Wrong
		t.rows = append(t.rows, []string{name, compiler, fmt.Sprint(len(tally.Functions)), fmt.Sprint(values), percent(tally.Shown, values),
			percent(tally.Unknown, values), fmt.Sprint(tally.Wrong), note})
	}
	for _, r := range list {
		tally := r.Tally
		if tally == nil {
			tally = locals.NewTally()
		}
		row(r.Contract, r.Compiler, tally, r.Failure)
		all.Add(tally)
	}
	row("all", "", all, "")
	return t
}
