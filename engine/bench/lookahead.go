package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// The lookahead experiment is the lookahead paper's [VI]: how soon an input
// reaches a target in configurations A (off), B (on), C (blind) and D (plain).
// The budget is a time, as in the paper, or a number of inputs, independent of
// the machine; results have the same unit.
var lookaheadExperiment = experiment{
	name: "lookahead", short: "how soon targets are reached with lookahead and without, on real contracts [lookahead Tables II-IV]",
	defaults: flags{seeds: 24, time: time.Minute},
	extra: func(cmd *cobra.Command, o *options) {
		cmd.Flags().IntVar(&o.each, "each", 4, "targets of a contract, at most")
		cmd.Flags().IntVar(&o.draw, "draw", 1000, "seed of the untargeted runs that the targets are drawn from; a run with the same seed finds them as late")
		cmd.Flags().StringVar(&o.drawn, "drawn", "", "results of the untargeted runs (default: beside the others, -targets.jsonl)")
	},
	prepare: findTargets,
	matrix: func(o *options) (matrix, error) {
		m := matrix{configs: []string{"off", "on", "blind", "plain"}}
		list, err := pickTargets(o)
		for _, t := range list {
			m.subjects = append(m.subjects, t.subject)
		}
		return m, err
	},
	tables: lookaheadTables,
}

// A target is a pc that an untargeted run covered late.
type target struct {
	subject
	pc uint64
}

// brackets is the number of intervals from which targets are drawn; each is
// half as long as the one before it.
const brackets = 5

// targetsFile has the records of the untargeted runs.
func targetsFile(o *options) string {
	if o.drawn != "" {
		return o.drawn
	}
	return strings.TrimSuffix(o.results, filepath.Ext(o.results)) + "-targets.jsonl"
}

// targetRuns are the untargeted runs, one of each contract.
func targetRuns(o *options) (matrix, *options, error) {
	own := *o
	own.results, own.configs = targetsFile(o), nil
	subjects, err := realSubjects(o)
	return matrix{subjects: subjects, configs: []string{"firsts"}, seeds: []int{o.draw}}, &own, err
}

func findTargets(ctx context.Context, o *options) error {
	m, own, err := targetRuns(o)
	if err != nil {
		return err
	}
	for _, s := range m.subjects {
		if _, err := os.Stat(s.file); err != nil {
			return fmt.Errorf("%w: install the packages of %s first (npm ci)", err, filepath.Dir(o.list))
		}
	}
	all, err := loadRecords(own.results)
	if err != nil {
		return err
	}
	return m.complete(ctx, own, all)
}

// pickTargets draws from the blocks that the untargeted runs covered, at most
// one per bracket, the latest brackets first. It skips blocks covered together
// with another target.
func pickTargets(o *options) ([]target, error) {
	m, own, err := targetRuns(o)
	if err != nil {
		return nil, err
	}
	all, err := loadRecords(own.results)
	if err != nil {
		return nil, err
	}
	var list []target
	for _, s := range m.subjects {
		for _, r := range all.of(s.name(), "firsts") {
			if r.Seed == o.draw {
				list = append(list, bracketed(o, s, r.Stats.Firsts)...)
			}
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: it has no run with seed %d of a contract in %s that covered anything late; --drawn names another file", own.results, o.draw, o.list)
	}
	return list, nil
}

// bracketed draws the targets of one contract.
func bracketed(o *options, s subject, firsts []first) (list []target) {
	random := rand.New(rand.NewPCG(1, uint64(len(firsts))))
	for b := range brackets {
		high := o.whole() / float64(int(1)<<b)
		in := slices.DeleteFunc(slices.Clone(firsts), func(f first) bool {
			spent := f.Seconds
			if o.inputs > 0 {
				spent = float64(f.Inputs)
			}
			return spent <= high/2 || spent > high
		})
		if len(in) == 0 || len(list) == o.each {
			continue
		}
		f := in[random.IntN(len(in))]
		own := s
		own.of, own.label = s.name(), fmt.Sprintf("%s:%x", s.name(), f.PC)
		own.aimed = []string{"--targets", fmt.Sprintf("0x%x", f.PC), "--oracles", "assertion"}
		list = append(list, target{own, f.PC})
	}
	return list
}

// whole is the budget of a run: inputs if limited, else seconds.
func (o *options) whole() float64 {
	if o.inputs > 0 {
		return float64(o.inputs)
	}
	return o.time.Seconds()
}

// within truncates results to the budget: the overtime of runs that did not
// reach their target does not count.
func (o *options) within(spent []float64) []float64 {
	cut := slices.Clone(spent)
	for i := range cut {
		cut[i] = min(cut[i], o.whole())
	}
	return cut
}

// unit is the unit of the budget.
func (o *options) unit() string {
	if o.inputs > 0 {
		return "inputs"
	}
	return "seconds"
}

// reach is the search of a run for its target.
func (r record) reach(pc uint64) search {
	for _, f := range r.Stats.Firsts {
		if f.PC == pc {
			return search{f.Seconds, float64(f.Inputs), true}
		}
	}
	return search{r.Stats.Seconds, float64(r.Stats.Inputs), false}
}

// reaches are the searches of many runs, as samples.
func reaches(list []record, pc uint64) (seconds, inputs []float64, found int) {
	for _, r := range list {
		s := r.reach(pc)
		seconds, inputs = append(seconds, s.seconds), append(inputs, s.inputs)
		if s.found {
			found++
		}
	}
	return seconds, inputs, found
}

func lookaheadTables(o *options, all *records) []table {
	list, err := pickTargets(o)
	if err != nil {
		return nil
	}
	var labels []string
	for _, target := range list {
		labels = append(labels, target.label)
	}
	var out []table
	for _, t := range []table{
		lookaheadTable(o, all, list, "II", "A", "off"),
		lookaheadTable(o, all, list, "III", "C", "blind"),
		lookaheadTable(o, all, list, "IV", "D", "plain"),
	} {
		if len(t.rows) > 0 { // a configuration without runs has none
			out = append(out, t)
		}
	}
	return append(out, lookaheadCosts(labels, func(label string) []record { return all.of(label, "on") }))
}

// lookaheadTable is one of the paper's tables: a configuration against B.
func lookaheadTable(o *options, all *records, list []target, which, name, config string) table {
	t := table{
		title: fmt.Sprintf("Table %s: inputs and seconds to the target, %s (%s) against B (%s); medians", which, name, configs[config].says, configs["on"].says),
		header: []string{"target", "inputs " + name, "inputs B", name + "/B", "seconds " + name, "seconds B", name + "/B", "p", "A12 " + name, "A12 B",
			"reached " + name, "reached B"},
	}
	var count struct{ better, worse, hard, hardBetter, hardWorse, all int }
	for _, target := range list {
		other, on := all.of(target.label, config), all.of(target.label, "on")
		if len(other) == 0 || len(on) == 0 {
			continue
		}
		ta, ia, fa := reaches(other, target.pc)
		tb, ib, fb := reaches(on, target.pc)
		a, b := ia, ib
		if o.inputs == 0 {
			a, b = o.within(ta), o.within(tb)
		}
		p, effect := mannWhitney(a, b), smaller(a, b)
		hard := max(median(a), median(b)) >= o.whole()/4
		count.all++
		if hard {
			count.hard++
		}
		if p < significant {
			better := effect < 0.5
			count.better, count.worse = count.better+one(better), count.worse+one(!better)
			count.hardBetter, count.hardWorse = count.hardBetter+one(better && hard), count.hardWorse+one(!better && hard)
		}
		t.rows = append(t.rows, []string{
			target.label, number(median(ia)), number(median(ib)), number(median(ia) / median(ib)),
			number(median(ta)), number(median(tb)), number(median(ta) / median(tb)), probability(p), number(effect), number(1 - effect),
			fmt.Sprintf("%d/%d", fa, len(other)), fmt.Sprintf("%d/%d", fb, len(on)),
		})
	}
	t.notes = all.notes(o,
		fmt.Sprintf("A run that does not reach its target counts with all of its %s. p and A12 are of %s.", o.budget(), o.unit()),
		fmt.Sprintf("B is significantly faster for %d targets of %d, significantly slower for %d (p < %v); of the %d hard ones, which take one of the two a quarter of the budget or more, for %d and %d.",
			count.better, count.all, count.worse, significant, count.hard, count.hardBetter, count.hardWorse))
	return t
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// lookaheadCosts is the share of the time that the analysis takes, and how
// often it proves something [VI, RQ4].
func lookaheadCosts(labels []string, of func(label string) []record) table {
	t := table{
		title:  "The lookahead analysis: medians",
		notes:  []string{"An entry has a proper prefix if no target is ahead of a split point before its end. Equal prefixes are one identifier."},
		header: []string{"run", "entries analysed", "with a proper prefix", "", "identifiers", "share of the time"},
	}
	var proper, shares []float64
	var analysis, whole float64
	for _, label := range labels {
		list := of(label)
		if len(list) == 0 {
			continue
		}
		figure := func(f func(record) float64) float64 { return median(figures(list, f)) }
		calls := figure(func(r record) float64 { return float64(r.Stats.Lookahead.Calls) })
		found := figure(func(r record) float64 { return float64(r.Stats.Lookahead.Proper) })
		share := figure(lookaheadShare)
		proper, shares = append(proper, 100*found/max(calls, 1)), append(shares, share)
		for _, r := range list {
			analysis, whole = analysis+r.Stats.Lookahead.Seconds, whole+r.Stats.Seconds
		}
		t.rows = append(t.rows, []string{
			label, number(calls), number(found), percent(int(found), int(calls)),
			number(figure(func(r record) float64 { return float64(r.Stats.Lookahead.IDs) })), fmt.Sprintf("%.1f %%", share),
		})
	}
	t.rows = append(t.rows, []string{"median", "", "", fmt.Sprintf("%.0f %%", median(proper)), "", fmt.Sprintf("%.1f %%", median(shares))})
	t.notes = append(t.notes, fmt.Sprintf("Of the time of all runs together it takes %.1f %%.", 100*analysis/max(whole, 1e-3)))
	return t
}

// lookaheadShare is the share of a run's time that the analysis took, in
// percent.
func lookaheadShare(r record) float64 {
	return 100 * r.Stats.Lookahead.Seconds / max(r.Stats.Seconds, 1e-3)
}
