package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/selection"

	"github.com/dustin/go-humanize/english"
)

// explainFlags are the flags of leveret doctor --explain-targets.
type explainFlags struct {
	compilerFlags
	lines  string
	inputs int
	corpus string
}

// run explains the lines as targets in each contract that touches them.
func (f *explainFlags) run(ctx context.Context, c console, paths []string, env compiler.Env) error {
	wanted, err := parseLines(f.lines)
	if err != nil {
		return fmt.Errorf("--explain-targets%s", strings.TrimPrefix(err.Error(), "--lines"))
	}
	if f.inputs < 1 {
		return fmt.Errorf("--max-inputs must be at least 1")
	}
	if len(paths) == 0 {
		paths = []string{wanted.path}
	}
	tools := compiler.NewToolchain(env)
	defer tools.Close()
	all, failures, err := selection.Open(tools, paths)
	if err != nil {
		return err
	}
	var units []selection.Unit
	for _, b := range all {
		compiled, failed := b.Compile(ctx)
		units, failures = append(units, compiled...), append(failures, failed...)
	}
	if len(units) == 0 && len(failures) > 0 {
		return failures[0]
	}
	selection.Name(units, wanted.path)
	list, err := selection.Choose(units, nil)
	if err != nil {
		return err
	}
	aimed, lines := aim(list, []fileLines{wanted})
	if len(aimed) == 0 {
		return fmt.Errorf("--explain-targets %s: no contract of %s with code from these lines can be fuzzed; name a PATH with a contract that uses them", f.lines, paths[0])
	}
	f.quote(c, aimed[0].Unit.Build, wanted)
	for i, candidate := range aimed {
		if err := f.explain(ctx, c, candidate, lines[i]); err != nil {
			return err
		}
	}
	return nil
}

// quote prints the lines.
func (f *explainFlags) quote(c console, build *solc.Build, wanted fileLines) {
	source := build.PathSource(wanted.path)
	text := strings.Split(string(source.Text), "\n")
	const most = 8
	shown := 0
	for _, r := range wanted.ranges {
		for n := r.first; n <= min(r.last, len(text)); n++ {
			if shown++; shown > most {
				fmt.Fprintln(c.out, "…")
				return
			}
			fmt.Fprintf(c.out, "%s:%d  %s\n", source.Name, n, strings.TrimSpace(text[n-1]))
		}
	}
}

func (f *explainFlags) explain(ctx context.Context, c console, candidate selection.Candidate, lines []engine.Lines) error {
	options := engine.Options{MaxInputs: f.inputs, Seed: 1, Lines: lines}
	if f.corpus != "" {
		folder, err := os.MkdirTemp("", "leveret-doctor-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		saved := filepath.Join(f.corpus, corpusFolder(candidate.Unit.Project.Root, candidate))
		if err := f.checkPath("--corpus", candidate.Unit.Project.Root, saved); err != nil {
			return err
		}
		if err := os.CopyFS(folder, os.DirFS(saved)); err != nil {
			return fmt.Errorf("--corpus %s: no corpus of %s: %w", f.corpus, candidate.Contract.Name, err)
		}
		options.Corpus = folder
	}
	aim, err := engine.Explain(ctx, candidate.Contract, candidate.Unit.Build.Contracts, options)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "\n%s\n", candidate.Contract.Name)
	tab := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	describeAim(tab, aim)
	return tab.Flush()
}

// describeAim prints an Aim as rows of a name and a text.
func describeAim(tab *tabwriter.Writer, a *finding.TargetReport) {
	row := func(name string, lines ...string) {
		for _, line := range lines {
			fmt.Fprintf(tab, "  %s\t%s\n", name, line)
			name = ""
		}
	}
	if a.Note != "" {
		row("Not fuzzed", a.Note)
		return
	}
	row("Compiled to", compiledTo(a)...)
	if len(a.Codes) == 0 {
		return
	}
	for _, v := range verdicts {
		if list := functionsOf(a, v.verdict); len(list) > 0 {
			row(v.name, wrapList(list)...)
		}
	}
	for _, g := range a.Guards {
		row("Because", fmt.Sprintf("%s:%d  %s  never changes", g.Place.File, g.Place.Start.Line, g.Text))
	}
	if a.Hits > 0 {
		row("Tried", fmt.Sprintf("%d inputs, %d of which reached it; the first", a.Inputs, a.Hits))
		row("", a.First.Describe(nil)...)
		idle := blocksOf(a, func(b finding.TargetBlock) bool { return b.Hits == 0 })
		if len(idle) == 0 {
			return
		}
		row("Not executed", wrapList(idle)...)
	} else {
		row("Tried", fmt.Sprintf("%d inputs, none of which reached it", a.Inputs))
	}
	if a.Stuck > 0 && len(a.Nearest) > 0 {
		row("Stuck", fmt.Sprintf("nothing new in the last %s, %d %% of which were unguided: drawn at random", english.Plural(a.Stuck, "input", ""), 100*a.Unguided/a.Stuck))
	}
	for i := range a.Nearest {
		row("Missed", missed(&a.Nearest[i])...)
	}
}

// compiledTo lists the instructions of the lines.
func compiledTo(a *finding.TargetReport) (lines []string) {
	for _, code := range a.Codes {
		var blocks []string
		for _, b := range code.Blocks {
			blocks = append(blocks, placeOf(b))
		}
		list := wrapList(blocks)
		list[0] = fmt.Sprintf("%s of %s, in %s: %s", english.Plural(code.Instructions, "instruction", ""), code.Contract, english.Plural(len(blocks), "basic block", ""), list[0])
		lines = append(lines, list...)
	}
	switch {
	case len(lines) > 0:
	case a.Creation > 0:
		lines = []string{fmt.Sprintf("%s of the constructor, which run only on deployment: calls cannot reach them", english.Plural(a.Creation, "instruction", ""))}
	default:
		lines = []string{"no instructions: a declaration or comment, or removed by the compiler"}
	}
	return lines
}

// blocksOf lists the basic blocks of the lines that suits accepts.
func blocksOf(a *finding.TargetReport, suits func(finding.TargetBlock) bool) (list []string) {
	for _, code := range a.Codes {
		for _, b := range code.Blocks {
			if suits(b) {
				list = append(list, placeOf(b))
			}
		}
	}
	return list
}

func placeOf(b finding.TargetBlock) string { return fmt.Sprintf("0x%x-0x%x", b.Start, b.End-1) }

// verdicts are the rows that list functions, in order.
var verdicts = []struct {
	name    string
	verdict finding.Reachability
}{
	{"Reached from", finding.Reachable},
	{"Maybe from", finding.Unknown},
	{"Via calls from", finding.CallsOut},
	{"Never from", finding.Unreachable},
}

func functionsOf(a *finding.TargetReport, verdict finding.Reachability) (list []string) {
	contracts := map[string]bool{}
	for _, f := range a.Functions {
		contracts[f.Contract] = true
	}
	for _, f := range a.Functions {
		if f.Verdict != verdict {
			continue
		}
		name := f.Function.Signature
		if len(contracts) > 1 {
			name = f.Contract + "." + name
		}
		if verdict == finding.Reachable {
			name += fmt.Sprintf(" after %s", english.Plural(f.Jumps, "conditional jump", ""))
		}
		list = append(list, name)
	}
	return list
}

// missed describes a branch that was not taken, and the closest input.
func missed(m *finding.NearMiss) []string {
	where := "directly before it"
	if m.Jumps > 0 {
		where = english.Plural(m.Jumps, "conditional jump", "") + " before it"
	}
	line := fmt.Sprintf("%s:%d  %s  %s, at a distance of %s, in", m.Place.File, m.Place.Start.Line, m.Text, where, m.Distance.Dec())
	lines := append([]string{line}, m.Sequence.Describe(nil)...)
	return append(lines, tried(m), needed(m))
}

// maxTried bounds the sources that tried lists.
const maxTried = 4

// tried says in a sentence what the search tried on a condition.
func tried(m *finding.NearMiss) string {
	total, parts := 0, []string(nil)
	for i, s := range m.Tried {
		if total += s.Inputs; i < maxTried {
			parts = append(parts, fmt.Sprintf("%d %s", s.Inputs, s.Source))
		}
	}
	text := english.Plural(total, "input", "") + " came to this condition and did not pass"
	if len(parts) > 0 {
		text += ", by source: " + strings.Join(parts, ", ")
	}
	return text
}

// needed says in a sentence what a condition would need.
func needed(m *finding.NearMiss) string {
	text := "it depends on nothing that an input can change"
	if len(m.Needs) > 0 {
		text = fmt.Sprintf("it depends on %s, and needs %s", english.WordSeries(m.Depends, "and"), english.WordSeries(m.Needs, "or"))
	}
	if m.Compared != "" {
		text = "it compares " + m.Compared + "; " + text
	}
	return text
}

// wrapList joins words with commas and breaks long lines.
func wrapList(words []string) (lines []string) {
	const most = 96
	line := ""
	for i, w := range words {
		if i < len(words)-1 {
			w += ","
		}
		if line != "" && len(line)+1+len(w) > most {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += w
	}
	return append(lines, line)
}
