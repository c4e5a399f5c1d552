package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/engine/report"
	"leveret/solc/compiler"
	"leveret/solc/selection"
)

// replayFlags are the flags of leveret replay.
type replayFlags struct {
	ids    []string
	shrink bool
	steps  bool
	test   string
	url    string // of a fork
	ffi    bool   // tests may run programs
	compilerFlags
	fastFlag
}

func replayCommand(c console) *cobra.Command {
	f := replayFlags{}
	cmd := &cobra.Command{
		Use:   "replay [FINDING.json]",
		Short: "Replay a finding and print its call trace",
		Long: `Compile the current sources, execute the transactions of a finding from the start, print a trace,
and report whether it still fails. FINDING.json is a report of leveret fuzz --format json or one of
its findings; - reads it from standard input. The default is the report of the last run with
findings in this project or folder, without those of other projects. The gravest finding is first;
of several at one place with one cause, one is replayed.

Exit code: 0 no finding fails any more, 1 a finding still fails, 2 a finding could not be replayed.`,
		Example: "  leveret fuzz --format json --output leveret.json src\n  leveret replay leveret.json\n  leveret replay --id SWC-110:Auction:ea0b",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), c, args)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.ids, "id", nil, "replay only the finding with this `ID`, or the one shown of a group; repeatable")
	flags.BoolVar(&f.shrink, "shrink", false, "shrink the sequence and its values first")
	flags.BoolVar(&f.steps, "steps", false, "trace statements instead of calls")
	flags.StringVar(&f.test, "test", "", "instead of a trace, add a regression test for `foundry` to the project")
	flags.StringVar(&f.url, "fork-url", "", "read the state of the chain of a finding on a fork from the JSON-RPC endpoint at `URL`")
	flags.BoolVar(&f.ffi, "ffi", false, ffiUsage)
	f.compilerFlags.add(flags)
	f.fastFlag.add(flags)
	return cmd
}

func (f *replayFlags) run(ctx context.Context, c console, args []string) error {
	if f.test != "" && !slices.Contains(testFormats, f.test) {
		return fmt.Errorf("--test: %q is not one of %s", f.test, strings.Join(testFormats, ", "))
	}
	env := environment(f.compilerFlags)
	findings, err := readFindings(c, env, args, f.ids)
	if err != nil {
		return err
	}
	if f.test != "" && len(f.ids) == 0 {
		findings = f.withoutNotes(c, findings)
	}
	env.Watch = newCompileProgress(c.err, !f.fast).follow
	tools := compiler.NewToolchain(env)
	defer tools.Close()
	forks := newForkOpener(ctx, c, env, f.url)
	forks.programs = f.ffi
	defer forks.close()
	fails := 0
	var failures []string
	for i := range findings {
		still, err := f.replay(ctx, c, tools, forks, &findings[i])
		if still {
			fails++
		}
		if err != nil && !slices.Contains(failures, err.Error()) {
			failures = append(failures, err.Error())
		}
	}
	return replayed(c, fails, failures)
}

// withoutNotes returns the findings that become tests by themselves: a note is no
// reason to fail.
func (f *replayFlags) withoutNotes(c console, findings []report.FindingDocument) []report.FindingDocument {
	return slices.DeleteFunc(findings, func(d report.FindingDocument) bool {
		if d.Severity >= finding.Warning {
			return false
		}
		fmt.Fprintf(c.err, "No test for %s: it is a note; --id %[1]s writes one.\n", d.ID)
		return true
	})
}

// replayed chooses the exit code. A finding that cannot be replayed outweighs
// findings that fail.
func replayed(c console, fails int, failures []string) error {
	if len(failures) > 0 {
		last := len(failures) - 1
		for _, failure := range failures[:last] {
			fmt.Fprintln(c.err, "leveret:", oneLine(failure))
		}
		return errors.New(failures[last])
	}
	if fails > 0 {
		return errFound
	}
	return nil
}

// replay replays one finding and prints the result.
func (f *replayFlags) replay(ctx context.Context, c console, tools *compiler.Toolchain, forks *forkOpener, d *report.FindingDocument) (fails bool, err error) {
	s, err := subjectOf(ctx, tools, d, f.fastFlag.settings())
	if err != nil {
		return false, err
	}
	if s.outside, err = forks.reach(d.ID, d.Fork, s.unit, s.contract); err != nil {
		return false, err
	}
	result, err := engine.Replay(ctx, s.contract, s.unit.Build.Contracts, s.sequence, s.outside, f.shrink)
	if err != nil {
		return false, fmt.Errorf("%s cannot be replayed: %w", d.ID, err)
	}
	if result.Note != "" {
		return false, fmt.Errorf("%s cannot be replayed: %s", d.ID, result.Note)
	}
	if was, is := d.Compiler.Version, s.unit.Build.Version; was != is {
		fmt.Fprintf(c.err, "%s was found with solc %s and is replayed with solc %s.\n", d.ID, was, is)
	}
	fmt.Fprintln(c.out, verdict(d, result.Findings))
	if len(result.Findings) == 0 && f.test != "" {
		return false, nil
	}
	fmt.Fprintln(c.out)
	if len(result.Findings) == 0 {
		return false, f.trace(ctx, c, s, s.sequence, finding.Finding{})
	}
	for i := range result.Findings {
		result.Findings[i].Inputs, result.Findings[i].Seconds = d.Inputs, d.Seconds
	}
	out := &report.Report{Tool: toolVersion, Root: s.unit.Project.Root, Block: d.Block,
		Contracts: []report.Contract{reported(selection.Candidate{Unit: s.unit, Contract: s.contract}, result, func(string) bool { return false })}}
	if f.test != "" {
		return true, f.export(c, out, d)
	}
	if err := report.Text(raw(c.out), out, textOptions(c.out, false)); err != nil {
		return true, err
	}
	for _, found := range result.Findings {
		if err := f.trace(ctx, c, s, found.Witness, found); err != nil {
			return true, err
		}
	}
	return true, nil
}

// verdict compares the findings of a replay with the finding.
func verdict(d *report.FindingDocument, now []finding.Finding) string {
	if len(now) == 0 {
		return d.ID + " no longer fails."
	}
	for _, f := range now {
		if f.ID == d.ID || f.Oracle == d.Oracle {
			return d.ID + " still fails."
		}
	}
	return d.ID + " no longer fails, but its transactions cause another finding."
}
