// Command storm stress-tests a built Leveret with malformed messages, floods of
// edits, faulty compilers and disks, kills, hostile contracts and hostile
// workspaces. Each storm counts its trials and lists those that broke a promise
// of docs/SECURITY.md.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"leveret/engine/hostile"
)

// A storm is a row of the table of stress tests.
type storm struct {
	name  string
	short int // trials in a test
	full  int // trials of `make storm`
	run   func(ctx context.Context, o options) (outcome, error)
}

// storms lists all storms.
var storms = []storm{
	{"edits", 60, 10_000, runEdits},
	{"messages", 10_000, 1_000_000, messages},
	{"kills", 4, 60, kills},
	{"compilers", 8, 80, compilers},
	{"disks", 19, 60, stormDisks},
	{"contracts", 6, 3 * len(hostile.All()), stormContracts},
	{"trust", 8, len(hostileWorkspaces), runTrust},
}

// options are the parameters of a storm.
type options struct {
	leveret string // absolute path of the built command
	tools   string // absolute path of a folder whose node_modules has compilers
	dir     string // an empty folder for the storm
	trials  int    // minimal number
	seed    int64
	log     io.Writer // progress, for debugging
}

// An outcome is the result of a storm.
type outcome struct {
	trials   int      // number of trials
	unit     string   // of the trials: "messages"
	detail   string   // other statistics; may be empty
	failures []string // broken promises, with how to reproduce each
}

// fail adds a broken promise.
func (o *outcome) fail(format string, args ...any) {
	o.failures = append(o.failures, fmt.Sprintf(format, args...))
}

func main() {
	o := options{log: io.Discard}
	flag.StringVar(&o.leveret, "leveret", "./leveret", "the command to test")
	flag.StringVar(&o.tools, "tools", "solc/testdata/npm", "a folder whose node_modules has compilers")
	flag.Int64Var(&o.seed, "seed", 1, "of every random choice")
	only := flag.String("only", "", "names of storms, separated by commas; empty: all")
	trials := flag.Int("trials", 0, "trials of each storm; 0: the default of each storm")
	verbose := flag.Bool("v", false, "write progress to standard error")
	flag.Parse()
	if *verbose {
		o.log = os.Stderr
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := runAll(ctx, os.Stdout, o, *only, *trials); err != nil {
		fmt.Fprintln(os.Stderr, "storm:", err)
		os.Exit(1)
	}
}

// runAll runs the named storms and prints their results.
func runAll(ctx context.Context, out io.Writer, o options, only string, trials int) error {
	var err error
	if o.leveret, err = filepath.Abs(o.leveret); err != nil {
		return err
	}
	if o.tools, err = filepath.Abs(o.tools); err != nil {
		return err
	}
	var names []string
	if only != "" {
		names = strings.Split(only, ",")
	}
	passed, failed := 0, 0
	for _, s := range storms {
		if len(names) > 0 && !slices.Contains(names, s.name) {
			continue
		}
		own := o
		own.trials = s.full
		if trials > 0 {
			own.trials = trials
		}
		if s.runAndPrint(ctx, out, own) {
			passed++
		} else {
			failed++
		}
	}
	if passed+failed == 0 {
		return fmt.Errorf("no storm is named %q", only)
	}
	fmt.Fprintf(out, "\n%d passed, %d failed\n", passed, failed)
	if failed > 0 {
		return fmt.Errorf("%d storms broke a promise", failed)
	}
	return nil
}

// runAndPrint runs one storm, prints its result and reports whether it kept all
// promises.
func (s storm) runAndPrint(ctx context.Context, out io.Writer, o options) bool {
	start := time.Now()
	result, err := s.runIn(ctx, o)
	if err != nil {
		result.fail("the storm itself failed: %v", err)
	}
	line := fmt.Sprintf("%-10s %d %s", s.name, result.trials, result.unit)
	if result.detail != "" {
		line += ", " + result.detail
	}
	fmt.Fprintf(out, "%s, %d broken promises, %.0f s\n", line, len(result.failures), time.Since(start).Seconds())
	for _, f := range result.failures {
		fmt.Fprintln(out, "  -", f)
	}
	return len(result.failures) == 0
}

func (s storm) runIn(ctx context.Context, o options) (outcome, error) {
	dir, err := os.MkdirTemp("", "leveret-storm-")
	if err != nil {
		return outcome{}, err
	}
	defer os.RemoveAll(dir)
	o.dir = dir
	result, err := s.run(ctx, o)
	if err == nil && result.trials < o.trials {
		err = fmt.Errorf("it made %d trials of %d", result.trials, o.trials)
	}
	return result, err
}
