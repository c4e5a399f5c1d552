package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// A subject is a contract to fuzz.
type subject struct {
	file, contract string
	label          string   // name in results; empty: see name
	args           []string // additional arguments, such as the oracles
	aimed          []string // arguments that name targets, for directed configurations
	of             string   // the contract, if label is something else
	corpus         string   // folder of the corpus that each run copies; may be empty
	maze           *mazeKey // what a generated contract is generated from; nil: it is not

	obstacle *obstacleKey // the same for obstacles
}

// name identifies a subject: two packages may have contracts with the same name.
func (s subject) name() string {
	if s.label != "" {
		return s.label
	}
	base := strings.TrimSuffix(filepath.Base(s.file), ".sol")
	if base == s.contract {
		return s.contract
	}
	return base + ":" + s.contract
}

// A config is a named list of arguments.
type config struct {
	name string
	args []string
	says string
	aims bool // pass the subject's targets

	execute func(context.Context, *options, run) record // another program than leveret; nil: leveret
}

// configs are the configurations of the papers and of sFuzz's ablation.
var configs = map[string]config{
	"A":           {name: "A", args: []string{"--no-prediction"}, says: "without input prediction"},
	"B":           {name: "B", says: "everything on"},
	"C":           {name: "C", args: []string{"--no-iteration"}, says: "one step of prediction"},
	"D":           {name: "D", args: []string{"--no-prediction", "--no-demand"}, says: "without prediction and demand-driven sequences"},
	"no-demand":   {name: "no-demand", args: []string{"--no-demand"}, says: "without demand-driven sequences"},
	"no-adaptive": {name: "no-adaptive", args: []string{"--no-adaptive"}, says: "without a best seed per just-missed branch"},
	"firsts":      {name: "firsts", args: []string{"--lookahead", "off", "--firsts", "--oracles", "assertion"}, says: "without lookahead and targets"},
	"aimed":       {name: "aimed", says: "with targets", aims: true},
	"off":         {name: "off", args: []string{"--lookahead", "off"}, says: "without lookahead", aims: true},
	"on":          {name: "on", says: "with lookahead", aims: true},
	"blind":       {name: "blind", args: []string{"--lookahead", "blind"}, says: "lookahead that proves nothing", aims: true},
	"plain":       {name: "plain", args: []string{"--lookahead", "plain"}, says: "a plain schedule over lookahead identifiers", aims: true},
}

// A matrix is the runs of an experiment: each subject in each configuration.
type matrix struct {
	subjects []subject
	configs  []string
	seeds    []int             // empty: from 1 to the number in the options
	own      map[string]config // configurations of this matrix alone, by name; may be nil
}

// A run is one cell of a matrix with one seed.
type run struct {
	key
	subject subject
	config  config
}

// runs lists the cells. Seeds vary slowest, so that an interrupted experiment
// has equally many runs of each contract.
func (m matrix) runs(o *options) []run {
	var list []run
	seeds := m.seeds
	for seed := 1; len(m.seeds) == 0 && seed <= o.seeds; seed++ {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		for _, s := range m.subjects {
			if len(o.only) > 0 && !slices.Contains(o.only, s.name()) && !slices.Contains(o.only, s.of) {
				continue
			}
			for _, name := range m.configs {
				if len(o.configs) > 0 && !slices.Contains(o.configs, name) {
					continue
				}
				list = append(list, run{key{s.name(), name, seed}, s, m.config(name)})
			}
		}
	}
	return list
}

// config returns a configuration by its name.
func (m matrix) config(name string) config {
	if c, ok := m.own[name]; ok {
		return c
	}
	return configs[name]
}

// complete executes the runs that have no record yet.
func (m matrix) complete(ctx context.Context, o *options, all *records) error {
	var left []run
	for _, r := range m.runs(o) {
		if !all.done[r.key] {
			left = append(left, r)
		}
	}
	if len(left) == 0 {
		return nil
	}
	if err := all.begin(newSession(o)); err != nil {
		return err
	}
	defer all.file.Close()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	queue := make(chan run)
	var workers sync.WaitGroup
	for range max(1, o.jobs) {
		workers.Go(func() {
			for r := range queue {
				if err := r.measure(ctx, o, all); err != nil {
					cancel(err)
				}
			}
		})
	}
	start := time.Now()
	for i, r := range left {
		if ctx.Err() != nil {
			break
		}
		fmt.Fprintf(os.Stderr, "\r%d of %d, %v: %s %s %d\033[K", i+1, len(left), time.Since(start).Round(time.Second), r.Contract, r.Config, r.Seed)
		queue <- r
	}
	close(queue)
	workers.Wait()
	fmt.Fprintln(os.Stderr)
	return context.Cause(ctx)
}

// realSubjects reads the list of the real contracts: a file relative to the
// list, a contract, and a description.
func realSubjects(o *options) ([]subject, error) {
	file, err := os.Open(o.list)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var list []subject
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if len(fields) < 2 {
			return nil, fmt.Errorf("%s: no contract in %q", o.list, lines.Text())
		}
		list = append(list, subject{file: filepath.Join(filepath.Dir(o.list), fields[0]), contract: fields[1]})
	}
	return list, lines.Err()
}
