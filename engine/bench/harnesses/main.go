// Harnesses runs the test contracts of Echidna and Medusa with leveret, and compares
// what it finds with what the tests of these tools expect. It fetches nothing: it reads
// given checkouts of crytic/echidna and crytic/medusa, and runs the built command.
//
//	go run ./engine/bench/harnesses -leveret ./leveret -echidna DIR -medusa DIR -results results/harnesses.jsonl
//	go run ./engine/bench/harnesses -results results/harnesses.jsonl -print
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"leveret/engine/bench/projects"
)

type options struct {
	leveret, echidna, medusa string
	tools, only, results     string
	revision                 string
	inputs                   int
	seed                     uint64
	timeout                  time.Duration
	print                    bool
}

func main() {
	var o options
	flag.StringVar(&o.leveret, "leveret", "leveret", "the built command")
	flag.StringVar(&o.echidna, "echidna", "", "checkout of crytic/echidna")
	flag.StringVar(&o.medusa, "medusa", "", "checkout of crytic/medusa")
	flag.StringVar(&o.tools, "tools", "solc/testdata/npm", "folder where make tools installed compilers")
	flag.StringVar(&o.only, "only", "", "files to run, separated by commas; all if empty")
	flag.StringVar(&o.results, "results", "", "file that the raw results are appended to")
	flag.StringVar(&o.revision, "revision", projects.Revision(), "of leveret, for the results")
	flag.IntVar(&o.inputs, "inputs", 10000, "inputs of a campaign")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the campaigns")
	flag.DurationVar(&o.timeout, "timeout", 10*time.Minute, "time for one campaign")
	flag.BoolVar(&o.print, "print", false, "print the tables of the file of results")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := o.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "harnesses:", err)
		os.Exit(2)
	}
}

func (o options) run(ctx context.Context) error {
	if o.print {
		results, err := projects.Read[result](o.results)
		if err != nil {
			return err
		}
		writeTables(os.Stdout, latest(results))
		return nil
	}
	cases, err := o.cases()
	if err != nil {
		return err
	}
	if o.leveret, err = exec.LookPath(o.leveret); err != nil {
		return err
	}
	if o.leveret, err = filepath.Abs(o.leveret); err != nil {
		return err
	}
	compilers, err := compilersIn(o.tools)
	if err != nil {
		return err
	}
	var results []result
	for i := range cases {
		r := result{Date: time.Now().UTC().Format(time.RFC3339), Revision: o.revision, Inputs: o.inputs, Seed: o.seed}
		r.harness = cases[i]
		o.judge(ctx, &r, compilers)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		results = append(results, r)
		if err := projects.Append(o.results, r); err != nil {
			return err
		}
	}
	writeTables(os.Stdout, results)
	return nil
}

// cases reads the tests of the checkouts that the flags name.
func (o options) cases() (cases []harness, err error) {
	if o.echidna == "" && o.medusa == "" {
		return nil, errors.New("missing -echidna or -medusa: a checkout of crytic/echidna or crytic/medusa")
	}
	if o.echidna != "" {
		if cases, err = echidnaCases(o.echidna); err != nil {
			return nil, err
		}
	}
	if o.medusa != "" {
		more, err := medusaCases(o.medusa)
		if err != nil {
			return nil, err
		}
		cases = append(cases, more...)
	}
	if o.only == "" {
		return cases, nil
	}
	names := strings.Split(o.only, ",")
	return slices.DeleteFunc(cases, func(c harness) bool { return !slices.Contains(names, c.File) }), nil
}
