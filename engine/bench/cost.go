package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"
)

// The cost experiment measures the work beyond plain runs: taint runs, runs of
// the oracles, and runs with a scripted attacker contract.
var costExperiment = experiment{
	name: "cost", short: "what re-runs in the shadow tier and the attacker's contract take of the time",
	defaults: flags{seeds: 1, time: 10 * time.Second},
	extra: func(cmd *cobra.Command, o *options) {
		cmd.Flags().StringVar(&o.cases, "cases", "", "folder of the cases, measured too; empty: they are not")
	},
	matrix: func(o *options) (matrix, error) {
		subjects, err := costSubjects(o)
		return matrix{subjects: subjects, configs: []string{"B"}}, err
	},
	tables: costTables,
}

// costSubjects are the real contracts and those of the cases, each with all
// oracles.
func costSubjects(o *options) ([]subject, error) {
	subjects, err := realSubjects(o)
	if err != nil || o.cases == "" {
		return subjects, err
	}
	known := map[string]bool{}
	for _, row := range caseRows {
		s := row.subject(o)
		s.label, s.args = "", nil
		if !known[s.name()] {
			known[s.name()] = true
			subjects = append(subjects, s)
		}
	}
	return subjects, nil
}

// costShare is the limit of that work, in percent of the time.
const costShare = 25

func costTables(o *options, all *records) []table {
	subjects, err := costSubjects(o)
	if err != nil {
		return nil
	}
	t := table{
		title:  "Shadow re-runs and agents: shares of the time",
		header: []string{"contract", "inputs", "to learn", "share", "for oracles", "share", "with agents", "share", "all", "repeats", "executed again"},
	}
	var total stats
	var shares []float64
	var runs, above int
	for _, s := range subjects {
		list := all.of(s.name(), "B")
		if len(list) == 0 {
			continue
		}
		var sum stats
		for _, r := range list {
			sum.spend(&r.Stats)
		}
		total.spend(&sum)
		runs += len(list)
		share := sum.costShare()
		shares = append(shares, share)
		above += one(share > costShare)
		t.rows = append(t.rows, sum.costRow(s.name(), len(list)))
	}
	if runs == 0 {
		return nil
	}
	t.rows = append(t.rows, total.costRow("all", runs), []string{"median", "", "", "", "", "", "", "", fmt.Sprintf("%.1f %%", median(shares)), "", ""})
	t.notes = all.notes(o,
		"To learn: taint runs and the inputs derived from them. For oracles: re-runs under oracles, with confirmation and shrinking. With agents: inputs in which the attacker's contract refuses, burns gas or re-enters.",
		"Repeats: of the inputs that sources made, those that were dropped as they had been executed. Executed again: of the transactions, those whose effect had been known.",
		fmt.Sprintf("Of %d contracts, %d spend more than %d %% on all of it.", len(shares), above, costShare))
	return []table{t}
}

// spend adds the work of a run.
func (s *stats) spend(r *stats) {
	s.Inputs += r.Inputs
	s.Seconds += r.Seconds
	s.Shadow.add(r.Shadow)
	s.Judged.add(r.Judged)
	s.Agents.add(r.Agents)
	s.Transactions += r.Transactions
	s.Reuse.Repeats += r.Reuse.Repeats
	s.Reuse.Again += r.Reuse.Again
}

func (e *effort) add(other effort) {
	e.Runs += other.Runs
	e.Seconds += other.Seconds
}

// costShare is the share of that work, in percent of the time.
func (s *stats) costShare() float64 {
	return s.share(s.Shadow) + s.share(s.Judged) + s.share(s.Agents)
}

func (s *stats) share(e effort) float64 { return 100 * e.Seconds / max(s.Seconds, 1e-3) }

func percentOf(part, all int) string {
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(max(all, 1)))
}

// costRow prints the sums over a number of runs.
func (s *stats) costRow(name string, runs int) []string {
	row := []string{name, number(float64(s.Inputs / runs))}
	for _, e := range []effort{s.Shadow, s.Judged, s.Agents} {
		row = append(row, number(float64(e.Runs/runs)), fmt.Sprintf("%.1f %%", s.share(e)))
	}
	return append(row, fmt.Sprintf("%.1f %%", s.costShare()), percentOf(s.Reuse.Repeats, s.Inputs+s.Reuse.Repeats), percentOf(s.Reuse.Again, s.Transactions))
}
