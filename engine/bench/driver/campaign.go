package main

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	"leveret/engine"
	"leveret/engine/bench/subject"
	"leveret/engine/bench/usage"
	"leveret/engine/finding"
	"leveret/engine/input"
)

// An outcome is what a campaign did and cost.
type outcome struct {
	Note     string        `json:"note,omitempty"` // why nothing was fuzzed
	Stats    finding.Stats `json:"stats"`
	CPU      float64       `json:"cpu"`                // seconds of this process, system time included
	Distinct int           `json:"distinct,omitempty"` // inputs that differ, if they were counted
	Findings []found       `json:"findings"`
}

// A found is a finding with its place.
type found struct {
	ID       string  `json:"id"`
	Oracle   string  `json:"oracle"`
	Severity string  `json:"severity"`
	File     string  `json:"file"`
	Line     int     `json:"line"`
	Function string  `json:"function"`
	Inputs   int     `json:"inputs"`
	Seconds  float64 `json:"seconds"`
	Calls    int     `json:"calls"` // transactions of the witness
}

// within returns a context that is done when this process has used more CPU
// time; no limit for 0.
func within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	if limit == 0 {
		return ctx, cancel
	}
	end := usage.CPU() + limit
	go func() {
		for ctx.Err() == nil {
			left := end - usage.CPU()
			if left <= 0 {
				cancel()
				return
			}
			// Several threads can use the rest sooner than one.
			time.Sleep(max(left/time.Duration(2*runtime.GOMAXPROCS(0)), time.Millisecond))
		}
	}()
	return ctx, cancel
}

// campaign returns the options of a campaign that decide about its inputs.
func (o *options) campaign() engine.Options {
	options := engine.Options{Seed: o.seed, Oracles: o.oracleNames()}
	if o.mutation {
		options.NoPrediction, options.NoIteration, options.NoDemand, options.NoAdaptive = true, true, true, true
		options.Lookahead = engine.LookaheadOff
	}
	return options
}

// measured runs the campaign within its budgets.
func measured(ctx context.Context, o options, s subject.Subject) (out outcome, err error) {
	options := o.campaign()
	options.Workers, options.Firsts, options.StopOnFirst = o.workers, o.firsts, o.first
	options.MaxInputs, options.Time = o.inputs, o.time
	if o.inputs == 0 && o.time == 0 {
		options.Time = 1000 * time.Hour // the CPU time is the limit
	}
	runtime.GC() // what compiling left behind is no cost of the campaign
	err = usage.Profile(o.profile, func() error {
		limited, cancel := within(ctx, o.cpu)
		defer cancel()
		before := usage.CPU()
		result, err := engine.Run(limited, s.Contract, s.Project, options)
		out.CPU = (usage.CPU() - before).Seconds()
		if err != nil {
			return err
		}
		out.Note, out.Stats, out.Findings = result.Note, result.Stats, places(result.Findings)
		return nil
	})
	return out, err
}

// distinct runs as many inputs again and counts those with different digests.
// The counting costs CPU time, so it is not part of what is measured.
func distinct(ctx context.Context, o options, s subject.Subject, stats finding.Stats) (int, error) {
	seen := map[uint64]bool{}
	options := o.campaign()
	options.Workers, options.MaxInputs = 1, stats.Inputs
	options.Executed = func(s input.Sequence) { seen[input.Digest(s)] = true }
	result, err := engine.Run(ctx, s.Contract, s.Project, options)
	if err != nil {
		return 0, err
	}
	if result.Stats.Inputs != stats.Inputs {
		return 0, fmt.Errorf("the campaign with %d inputs ran %d when it was repeated", stats.Inputs, result.Stats.Inputs)
	}
	return len(seen), nil
}

// places are findings with file and line.
func places(list []finding.Finding) []found {
	out := []found{}
	for i := range list {
		f := &list[i]
		out = append(out, found{
			ID: f.ID, Oracle: f.Oracle, Severity: f.Severity.String(), Function: f.Function,
			File: filepath.Base(f.Place.File), Line: f.Place.Start.Line, Inputs: f.Inputs, Seconds: f.Seconds, Calls: len(f.Witness.Txs),
		})
	}
	return out
}
