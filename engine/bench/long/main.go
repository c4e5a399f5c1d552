// Long runs one campaign on a large contract for a long time, watches its memory, kills
// it, and measures how soon another run with the same corpus has the same coverage. It
// knows the command line and the figures for Prometheus.
//
//	go run ./engine/bench/long -leveret ./leveret -file Large.sol -contract Large -time 30m -memory 512MB
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"

	"leveret/engine/bench/projects"
)

type options struct {
	leveret, file, contract, memory string
	time, every                     time.Duration
	results                         string
	print                           bool
}

func main() {
	var o options
	flag.StringVar(&o.leveret, "leveret", "./leveret", "the built command")
	flag.StringVar(&o.file, "file", "", "source of the contract")
	flag.StringVar(&o.contract, "contract", "", "name of the contract")
	flag.StringVar(&o.memory, "memory", "512MB", "as --memory of leveret fuzz")
	flag.DurationVar(&o.time, "time", 30*time.Minute, "time until the run is killed")
	flag.DurationVar(&o.every, "every", 10*time.Second, "time between two samples")
	flag.StringVar(&o.results, "results", "engine/bench/results/long.jsonl", "file of raw results")
	flag.BoolVar(&o.print, "print", false, "print the table of the results that are there; run nothing")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := o.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "long:", err)
		os.Exit(1)
	}
}

func (o *options) run(ctx context.Context) error {
	if !o.print {
		r, err := o.measure(ctx)
		if err != nil {
			return err
		}
		if err := projects.Append(o.results, r); err != nil {
			return err
		}
	}
	list, err := projects.Read[result](o.results)
	if err != nil {
		return err
	}
	for i := range list {
		list[i].write(os.Stdout)
	}
	return nil
}
