package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"leveret/engine/bench/throughput"
)

// A rate is a line of the results of the throughput experiment.
type rate struct {
	session
	Load float64 `json:"load"` // of the machine when it began
	throughput.Result
}

// throughputCommand measures what a call costs, beside bare go-ethereum.
func throughputCommand() *cobra.Command {
	o := throughput.Options{Folders: throughput.Folders{Module: "."}}
	var results string
	var print bool
	cmd := &cobra.Command{
		Use: "throughput", Short: "CPU time of a call of an ERC-20, a pair and loops, beside bare go-ethereum; one core", Args: cobra.NoArgs,
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&o.Tools, "tools", "solc/testdata/npm", "folder with the compilers and the real contracts")
	f.StringVar(&results, "results", "engine/bench/results/throughput.jsonl", "file of raw results, appended to; \"\": none")
	f.StringSliceVar(&o.Only, "only", nil, "measure only these contracts and ways")
	f.IntVar(&o.Turns, "turns", 15, "turns of each way")
	f.DurationVar(&o.Turn, "turn", 100*time.Millisecond, "CPU time of a turn")
	f.StringVar(&o.Profile, "cpuprofile", "", "write a CPU profile of the turns to this file; with several contracts, the last one's stays")
	f.BoolVar(&print, "print", false, "print the latest result of each contract; measure nothing")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if print {
			return printRates(results)
		}
		return measureRates(cmd.Context(), o, results)
	}
	return cmd
}

// measureRates appends a line for each contract and prints the table.
func measureRates(ctx context.Context, o throughput.Options, results string) error {
	var list []rate
	s := newSession(&options{})
	s.Revision = revisionOf(".")
	err := throughput.Measure(ctx, o, func(r throughput.Result) error {
		list = append(list, rate{s, machineLoad(), r})
		return appendLine(results, list[len(list)-1])
	})
	if err != nil {
		return err
	}
	rateTable(list).write(os.Stdout)
	return nil
}

// appendLine adds a line to a file of results; path "" is none.
func appendLine(path string, r any) error {
	if path == "" {
		return nil
	}
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := file.Write(append(line, '\n')); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

// printRates prints the latest results.
func printRates(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	list, err := parseRates(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	rateTable(list).write(os.Stdout)
	return nil
}

// parseRates reads lines of results and returns the last one of each contract, in
// the order of the first ones.
func parseRates(text string) (list []rate, err error) {
	for line := range strings.Lines(text) {
		var r rate
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(list, func(o rate) bool { return o.String() == r.String() }); i >= 0 {
			list[i] = r
		} else {
			list = append(list, r)
		}
	}
	return list, nil
}

// rateTable has a row for each way of each contract.
func rateTable(list []rate) table {
	t := table{
		title:  "CPU time of a call, and how many times as fast as bare go-ethereum that is",
		notes:  []string{"Medians of turns, garbage collection included; one core. Restarts are calls that begin again one instruction at a time."},
		header: []string{"contract", "way", "opcodes/call", "restarts", "ns/call", "ratio"},
	}
	for _, m := range throughput.Means() {
		t.notes = append(t.notes, fmt.Sprintf("- %s: %s", m[0], m[1]))
	}
	for i, r := range list {
		if i == 0 || r.session != list[i-1].session {
			t.notes = append(t.notes, fmt.Sprintf("%s, revision %s, %s, load %.1f: `%s`", r.Date, r.Revision, r.Machine, r.Load, r.Command))
		}
		for _, w := range r.Ways {
			t.rows = append(t.rows, []string{r.String(), w.Way, fmt.Sprintf("%.0f", r.Opcodes), fmt.Sprintf("%d/%d", r.Restarts, r.Calls), fmt.Sprintf("%.0f", w.Nanos), fmt.Sprintf("%.2f", w.Ratio)})
		}
	}
	return t
}
