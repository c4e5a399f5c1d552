// Team runs campaigns with several workers, each a process of its own, beside one worker
// with the same CPU time in sum, and compares what they cover and find. What counts is
// what the workers published, executed here.
//
//	go run ./engine/bench/team -leveret ./leveret -cpu 60s Large.sol:Large ...
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"leveret/engine/bench/projects"
)

type options struct {
	leveret, results string
	cpu              time.Duration
	seeds            int
	print            bool
}

// teams are the numbers of workers.
var teams = []int{1, 2, 8}

func main() {
	var o options
	flag.StringVar(&o.leveret, "leveret", "./leveret", "the built command")
	flag.DurationVar(&o.cpu, "cpu", time.Minute, "CPU time of all workers of a campaign together")
	flag.IntVar(&o.seeds, "runs", 1, "runs of each contract and number of workers")
	flag.StringVar(&o.results, "results", "engine/bench/results/team.jsonl", "file of raw results, continued if it is there")
	flag.BoolVar(&o.print, "print", false, "print the tables of the results that are there; run nothing")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := o.run(ctx, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "team:", err)
		os.Exit(1)
	}
}

func (o *options) run(ctx context.Context, contracts []string) error {
	list, err := projects.Read[result](o.results)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for run := range o.seeds {
		for _, workers := range teams {
			for _, contract := range contracts {
				if list, err = o.add(ctx, list, contract, workers, run); err != nil {
					return err
				}
			}
		}
	}
	write(os.Stdout, list)
	return nil
}

// add measures a campaign, unless it was.
func (o *options) add(ctx context.Context, list []result, contract string, workers, run int) ([]result, error) {
	file, name, ok := strings.Cut(contract, ".sol:")
	if !ok {
		return nil, fmt.Errorf("%s is not FILE.sol:CONTRACT", contract)
	}
	if o.print || has(list, name, workers, run) {
		return list, nil
	}
	r, err := o.measure(ctx, file+".sol", name, workers)
	if err != nil {
		return nil, fmt.Errorf("%s with %d workers: %w", name, workers, err)
	}
	r.Run = run
	return append(list, *r), projects.Append(o.results, r)
}

// has reports whether a run was measured.
func has(list []result, contract string, workers, run int) bool {
	for i := range list {
		if r := &list[i]; r.Contract == contract && r.Workers == workers && r.Run == run {
			return true
		}
	}
	return false
}
