// Command driver runs one campaign and writes what it did and cost as JSON.
// Package bench builds it in the working trees of the revisions that it
// compares, so it uses only what all of them have.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"leveret/engine/bench/subject"
	"leveret/engine/pacer"
)

// options are the flags.
type options struct {
	file, contract, tools string
	oracles               string
	seed                  uint64
	workers, inputs       int
	cpu, time             time.Duration
	profile               string
	distinct, firsts      bool
	first                 bool
	pace                  bool
	mutation              bool
}

func main() {
	o := options{}
	flag.StringVar(&o.file, "file", "", "source of the contract")
	flag.StringVar(&o.contract, "contract", "", "name of the contract")
	flag.StringVar(&o.tools, "tools", "solc/testdata/npm", "a folder whose node_modules has compilers")
	flag.StringVar(&o.oracles, "oracles", "", "names of the oracles, separated by commas; empty: all")
	flag.Uint64Var(&o.seed, "seed", 1, "seed")
	flag.IntVar(&o.workers, "workers", 1, "executing goroutines")
	flag.IntVar(&o.inputs, "inputs", 0, "budget; 0: none")
	flag.DurationVar(&o.cpu, "cpu", 0, "budget of CPU time of this process; 0: none")
	flag.DurationVar(&o.time, "time", 0, "budget of time; 0: none")
	flag.StringVar(&o.profile, "profile", "", "write a CPU profile of the campaign to this file")
	flag.BoolVar(&o.distinct, "distinct", false, "run the same inputs again and count those that differ; needs one worker")
	flag.BoolVar(&o.firsts, "firsts", false, "record when each block was first executed")
	flag.BoolVar(&o.first, "first", false, "end with the first finding of warning strength")
	flag.BoolVar(&o.pace, "pace", false, "collect garbage as the product does")
	flag.BoolVar(&o.mutation, "mutation", false, "make inputs by mutation, without what learns from executions")
	flag.Parse()
	if o.pace {
		pacer.Start()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "driver:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	if o.inputs == 0 && o.cpu == 0 && o.time == 0 {
		return errors.New("a campaign needs a budget: -inputs, -cpu or -time")
	}
	if o.distinct && o.workers != 1 {
		return errors.New("campaigns with several workers cannot be repeated; -distinct needs -workers 1")
	}
	tools, err := subject.New(o.tools)
	if err != nil {
		return err
	}
	defer tools.Close()
	list, err := tools.Compile(ctx, o.file, o.contract)
	if err != nil {
		return err
	}
	out, err := measured(ctx, o, list[0])
	if err != nil {
		return err
	}
	if o.distinct {
		if out.Distinct, err = distinct(ctx, o, list[0], out.Stats); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

// oracleNames returns the names of the oracles; nil means all.
func (o *options) oracleNames() []string {
	if o.oracles == "" {
		return nil
	}
	return strings.Split(o.oracles, ",")
}
