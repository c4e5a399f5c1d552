package main

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The workers experiment compares campaigns with one and with two workers that
// run equally long, and two campaigns in processes of their own, which share nothing
// but the machine: what two workers could reach. As campaigns go on, their inputs take
// longer, and two workers get further than one: so it also runs one worker for twice the
// time. It measures time, so it needs a machine that does nothing else.
var workersExperiment = experiment{
	name: "workers", short: "one worker beside two, and two processes: inputs, and time until the last new block; needs a quiet machine",
	defaults: flags{seeds: 1, time: 2 * time.Second, jobs: 1},
	driven:   true,
	matrix: func(o *options) (m matrix, err error) {
		if m.subjects, err = profiledSubjects(o); err != nil {
			return m, err
		}
		if o.print {
			m.configs, err = recordedConfigs(o.results)
			return m, err
		}
		m.own = map[string]config{}
		for _, p := range o.programs {
			add := func(name string, execute func(ctx context.Context, o *options, r run) record) {
				m.own[name] = config{name: name, execute: execute}
				m.configs = append(m.configs, name)
			}
			for _, workers := range workerCounts {
				add(workersName(p.revision, workers), func(ctx context.Context, o *options, r run) record {
					return p.drive(ctx, o, r, 0, "-time", o.cpu(), "-firsts", "-workers", strconv.Itoa(workers))
				})
			}
			add(longName(p.revision), func(ctx context.Context, o *options, r run) record {
				return p.drive(ctx, o, r, 0, "-time", fmt.Sprintf("%gs", 2*o.seconds), "-workers", strconv.Itoa(workerCounts[0]))
			})
			add(apartName(p.revision), func(ctx context.Context, o *options, r run) record { return driveApart(ctx, o, r, p) })
		}
		return m, nil
	},
	tables: workersTables,
}

var workerCounts = []int{1, 2} // the table compares the first two

func workersName(revision string, workers int) string {
	return fmt.Sprintf("%s/%d", revision, workers)
}

// longName names one worker with twice the time.
func longName(revision string) string { return revision + "/1 twice" }

// apartName names two processes with a worker each.
func apartName(revision string) string { return revision + "/1+1" }

// driveApart runs two processes at once, with a worker and a core each, and returns what
// both did together.
func driveApart(ctx context.Context, o *options, r run, p program) record {
	var both [2]record
	var g sync.WaitGroup
	for i := range both {
		own := r
		own.Seed += i * o.seeds
		g.Go(func() { both[i] = p.drive(ctx, o, own, 1, "-time", o.cpu()) })
	}
	g.Wait()
	all := both[0]
	switch {
	case both[1].Failed != "":
		return both[1]
	case all.Failed == "":
		all.Stats.Inputs += both[1].Stats.Inputs
		all.Stats.Transactions += both[1].Stats.Transactions
		all.Stats.Work += both[1].Stats.Work
		all.Cost.CPU += both[1].Cost.CPU
	}
	return all
}

// workersTables compares the numbers of workers, in a table for each revision.
func workersTables(o *options, all *records) (list []table) {
	for _, name := range all.configNames() {
		if revision, ok := strings.CutSuffix(name, "/1"); ok {
			list = append(list, workersTable(o, all, revision))
		}
	}
	return list
}

func workersTable(o *options, all *records, revision string) table {
	t := table{
		title: fmt.Sprintf("One worker beside two at %s: medians of %d seeds, %g s each", revision, o.seeds, o.seconds),
		notes: all.notes(o, fmt.Sprintf("The last block is the last that all runs of a contract covered. This machine has %d CPUs; its load when runs began was %s. Of twice the time: one worker ran twice as long, which is about as many inputs. Work is what inputs took, in instructions and calls. Apart: two processes at once, with a worker and a core each.",
			runtime.NumCPU(), loads(all.list))),
		header: []string{"contract", "inputs/s 1", "inputs/s 2", "ratio", "of twice the time", "apart", "tx ratio", "apart", "work ratio", "apart", "CPU ratio", "last block 1", "last block 2", "ratio"},
	}
	var inputs, further, apart, work, workApart, times []float64
	for _, contract := range all.contracts() {
		one := all.measuredOf(contract, workersName(revision, workerCounts[0]))
		two := all.measuredOf(contract, workersName(revision, workerCounts[1]))
		if len(one) == 0 || len(two) == 0 {
			continue
		}
		rate := func(list []record, count func(record) float64) float64 {
			return median(figures(list, func(r record) float64 { return count(r) / math.Max(r.Stats.Seconds, 1e-3) }))
		}
		ran := func(r record) float64 { return float64(r.Stats.Inputs) }
		sent := func(r record) float64 { return float64(r.Stats.Transactions) }
		done := func(r record) float64 { return float64(r.Stats.Work) }
		used := func(r record) float64 { return r.Cost.CPU }
		common := commonBlocks(append(slices.Clone(one), two...))
		last := func(list []record) float64 {
			return median(figures(list, func(r record) float64 { return lastOf(r, common) }))
		}
		long := all.measuredOf(contract, longName(revision))
		processes := all.measuredOf(contract, apartName(revision))
		inputs = append(inputs, rate(two, ran)/rate(one, ran))
		further = append(further, rate(two, ran)/rate(long, ran))
		apart = append(apart, rate(processes, ran)/rate(one, ran))
		work = append(work, rate(two, done)/rate(one, done))
		workApart = append(workApart, rate(processes, done)/rate(one, done))
		times = append(times, last(one)/last(two))
		t.rows = append(t.rows, []string{
			contract, number(math.Round(rate(one, ran))), number(math.Round(rate(two, ran))), number(rate(two, ran) / rate(one, ran)),
			number(rate(two, ran) / rate(long, ran)), number(rate(processes, ran) / rate(one, ran)),
			number(rate(two, sent) / rate(one, sent)), number(rate(processes, sent) / rate(one, sent)),
			number(rate(two, done) / rate(one, done)), number(rate(processes, done) / rate(one, done)), number(rate(two, used) / rate(one, used)),
			number(last(one)), number(last(two)), number(last(one) / last(two)),
		})
	}
	t.rows = append(t.rows, []string{"median", "", "", number(median(inputs)), number(median(further)), number(median(apart)), "", "", number(median(work)), number(median(workApart)), "", "", "", number(median(times))})
	return t
}

// commonBlocks are the blocks that all runs covered.
func commonBlocks(list []record) map[uint64]bool {
	runs := map[uint64]int{}
	for _, r := range list {
		for _, f := range r.Stats.Firsts {
			runs[f.PC]++
		}
	}
	common := map[uint64]bool{}
	for pc, n := range runs {
		if n == len(list) {
			common[pc] = true
		}
	}
	return common
}

// lastOf is when a run covered the last of some blocks, in seconds.
func lastOf(r record, blocks map[uint64]bool) (last float64) {
	for _, f := range r.Stats.Firsts {
		if blocks[f.PC] {
			last = max(last, f.Seconds)
		}
	}
	return last
}

// loads is the range of the machine's loads.
func loads(list []record) string {
	var all []float64
	for _, r := range list {
		if r.Cost != nil {
			all = append(all, r.Cost.Load)
		}
	}
	if len(all) == 0 {
		return "unknown"
	}
	return number(slices.Min(all)) + " to " + number(slices.Max(all))
}
