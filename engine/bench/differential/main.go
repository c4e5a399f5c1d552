// Command differential compares executions of engine/evm with go-ethereum's:
// Calls of random programs, and the transactions of campaigns on real
// contracts. Outcomes, events, state and every step have to be equal.
//
//	go run ./engine/bench/differential -calls 1000000
//
// It stops at the first difference. The same seed compares the same Calls.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"time"

	"leveret/engine/evm/evmtest"
)

// options are the flags.
type options struct {
	calls, real       int
	seed              uint64
	list, tools, file string
}

func main() {
	o := options{}
	flag.IntVar(&o.calls, "calls", 1_000_000, "Calls to compare")
	flag.IntVar(&o.real, "real", 250_000, "how many of them are transactions of campaigns on real contracts")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the random programs and of the campaigns")
	flag.StringVar(&o.list, "list", "solc/testdata/npm/real.txt", "list of the real contracts")
	flag.StringVar(&o.tools, "tools", "solc/testdata/npm", "a folder whose node_modules has compilers")
	flag.StringVar(&o.file, "file", "", "append the result to this file")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "differential:", err)
		os.Exit(1)
	}
}

// A result is a line of the file.
type result struct {
	Date      string          `json:"date"`
	Revision  string          `json:"revision"`
	Command   string          `json:"command"`
	Random    map[string]sums `json:"random"` // by scenario
	Real      map[string]sums `json:"real"`   // by contract
	Calls     int             `json:"calls"`
	Steps     int             `json:"steps"`
	Different int             `json:"different"`
	Seconds   float64         `json:"seconds"`
}

// sums say what was compared.
type sums struct {
	Calls    int `json:"calls"`
	Steps    int `json:"steps"` // instructions of the trace
	Success  int `json:"success"`
	Revert   int `json:"revert"`
	Halt     int `json:"halt"`
	Slow     int `json:"slow,omitempty"` // only compared among the Machine's modes
	Creation int `json:"creation,omitempty"`
}

func sumsOf(c *evmtest.Checker) sums {
	s := sums{Calls: c.Calls, Success: c.Status[0], Revert: c.Status[1], Halt: c.Status[2], Slow: c.Slow}
	for _, n := range c.Ops {
		s.Steps += n
	}
	return s
}

func run(ctx context.Context, o options) error {
	began := time.Now()
	r := result{
		Date: began.UTC().Format(time.RFC3339), Revision: revision(), Command: "go run ./engine/bench/differential " + strings.Join(os.Args[1:], " "),
		Random: map[string]sums{}, Real: map[string]sums{},
	}
	err := compareReal(ctx, o, &r)
	if err == nil {
		err = compareRandom(ctx, o, &r)
	}
	if err != nil {
		return err
	}
	for _, part := range []map[string]sums{r.Random, r.Real} {
		for _, s := range part {
			r.Calls, r.Steps = r.Calls+s.Calls, r.Steps+s.Steps
		}
	}
	r.Seconds = time.Since(began).Seconds()
	fmt.Printf("%d Calls, %d steps, no difference\n", r.Calls, r.Steps)
	return appendTo(o.file, r)
}

// compareRandom compares Calls of random programs, each scenario's share.
func compareRandom(ctx context.Context, o options, r *result) error {
	weights := 0
	for _, s := range evmtest.Scenarios() {
		weights += s.Weight
	}
	for _, s := range evmtest.Scenarios() {
		c := evmtest.NewChecker()
		for round := uint64(0); c.Calls < (o.calls-o.real)*s.Weight/weights; round++ {
			if err := c.Round(s, o.seed, round); err != nil {
				return err
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		r.Random[s.Name] = sumsOf(c)
		fmt.Printf("%-16s %+v\n", s.Name, r.Random[s.Name])
	}
	return nil
}

// revision returns the commit of the working copy, "" outside of one.
func revision() string {
	commit, err := exec.Command("git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		return ""
	}
	if changes, err := exec.Command("git", "status", "--porcelain", "--untracked-files=no").Output(); err == nil && len(changes) > 0 {
		return strings.TrimSpace(string(commit)) + " changed"
	}
	return strings.TrimSpace(string(commit))
}

func appendTo(file string, r result) error {
	if file == "" {
		return nil
	}
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Write(append(line, '\n'))
	return err
}
