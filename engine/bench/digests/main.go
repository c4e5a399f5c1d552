// Command digests shows whether a change of the engine's structure changed its
// behavior. It digests campaigns on real contracts and on small cases, every
// executed input in order, and compares them with those recorded before.
//
//	go run ./engine/bench/digests            # compare with the record
//	go run ./engine/bench/digests -record    # make a new record
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"leveret/engine/bench/subject"
)

// options are the flags.
type options struct {
	list, cases, tools, file string
	inputs, seeds, jobs      int
	record                   bool
}

func main() {
	o := options{}
	flag.StringVar(&o.list, "list", "solc/testdata/npm/real.txt", "list of the real contracts")
	flag.StringVar(&o.cases, "cases", "../shared/cases", "folder of the cases")
	flag.StringVar(&o.tools, "tools", "solc/testdata/npm", "a folder whose node_modules has compilers")
	flag.StringVar(&o.file, "file", "engine/bench/results/digests.tsv", "the record")
	flag.IntVar(&o.inputs, "inputs", 3000, "inputs of each campaign")
	flag.IntVar(&o.seeds, "seeds", 3, "seeds of each contract, from 1")
	flag.IntVar(&o.jobs, "jobs", runtime.NumCPU(), "campaigns at once")
	flag.BoolVar(&o.record, "record", false, "write the record instead of comparing with it")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "digests:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	sources, err := listSources(o)
	if err != nil {
		return err
	}
	rows, err := digestAll(ctx, o, sources)
	if err != nil {
		return err
	}
	if o.record {
		return os.WriteFile(o.file, []byte(strings.Join(rows, "\n")+"\n"), 0o644)
	}
	recorded, err := readRecord(o.file)
	if err != nil {
		return err
	}
	return compare(recorded, rows)
}

// digestAll returns the rows of all campaigns, in the order of the sources.
func digestAll(ctx context.Context, o options, sources []source) ([]string, error) {
	tools, err := subject.New(o.tools)
	if err != nil {
		return nil, err
	}
	defer tools.Close()
	var rows []*string
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(o.jobs)
	for _, source := range sources {
		subjects, err := tools.Compile(ctx, source.file, source.contract)
		if err != nil {
			return nil, err
		}
		for _, s := range subjects {
			for _, job := range jobs(o.seeds) {
				row := new(string)
				rows = append(rows, row)
				group.Go(func() (err error) {
					*row, err = digest(ctx, s, job.variant, uint64(job.seed), o.inputs)
					return err
				})
			}
		}
	}
	err = group.Wait()
	var list []string
	for _, row := range rows {
		list = append(list, *row)
	}
	return list, err
}

// A job is one campaign on a contract.
type job struct {
	variant
	seed int
}

func jobs(seeds int) (list []job) {
	for _, v := range variants {
		for seed := range seeds {
			if v.seeds == 0 || seed < v.seeds {
				list = append(list, job{v, seed + 1})
			}
		}
	}
	return list
}

// readRecord returns the rows of a record by contract and seed.
func readRecord(file string) (map[string]string, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows := map[string]string{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		rows[key(lines.Text())] = lines.Text()
	}
	return rows, nil
}

// key is the contract and the seed of a row.
func key(row string) string {
	fields := strings.SplitN(row, "\t", 3)
	return strings.Join(fields[:min(2, len(fields))], "\t")
}

// compare prints each row that differs from the record.
func compare(recorded map[string]string, rows []string) error {
	differ := 0
	for _, row := range rows {
		if was := recorded[key(row)]; was != row {
			fmt.Printf("recorded %s\nnow      %s\n", was, row)
			differ++
		}
	}
	fmt.Printf("%d of %d digests are equal\n", len(rows)-differ, len(rows))
	if differ > 0 {
		return fmt.Errorf("%d digests differ", differ)
	}
	return nil
}
