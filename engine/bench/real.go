package main

import (
	"fmt"
	"time"
)

var realExperiment = experiment{
	name: "real", short: "what a run on each real contract covers, finds and costs",
	defaults: flags{seeds: 1, time: 10 * time.Second},
	matrix: func(o *options) (matrix, error) {
		subjects, err := realSubjects(o)
		return matrix{subjects: subjects, configs: []string{"B"}}, err
	},
	tables: realTables,
}

func realTables(o *options, all *records) []table {
	t := table{
		title:  fmt.Sprintf("Real contracts: medians of %d seeds, one worker", o.seeds),
		notes:  all.notes(o),
		header: []string{"contract", "tx/s", "paths", "instructions", "", "branches", "strong findings", "unconfirmed", "notes"},
	}
	subjects, err := realSubjects(o)
	if err != nil {
		return nil
	}
	var labels []string
	for _, s := range subjects {
		labels = append(labels, s.name())
		list := all.of(s.name(), "B")
		if len(list) == 0 {
			continue
		}
		of := func(figure func(record) float64) float64 { return median(figures(list, figure)) }
		covered := of(func(r record) float64 { return float64(r.Stats.Instructions.Covered) })
		total := list[0].Stats.Instructions.Total
		t.rows = append(t.rows, []string{
			s.name(),
			number(of(func(r record) float64 { return float64(r.Stats.Transactions) / max(r.Stats.Seconds, 1e-3) })),
			number(of(func(r record) float64 { return float64(r.Stats.Paths) })),
			fmt.Sprintf("%.0f/%d", covered, total), percent(int(covered), total),
			fmt.Sprintf("%.0f/%.0f", of(func(r record) float64 { return float64(r.Stats.Jumps.Covered) }),
				of(func(r record) float64 { return float64(r.Stats.Jumps.Seen) })),
			fmt.Sprint(len(bugs(list))),
			number(of(func(r record) float64 { return float64(r.Stats.Unconfirmed) })),
			remark(list),
		})
	}
	costs := lookaheadCosts(labels, func(label string) []record { return all.of(label, "B") })
	return []table{t, costs, realFindings(all, subjects)}
}

// realFindings lists the findings for manual review.
func realFindings(all *records, subjects []subject) table {
	t := table{title: "Findings in real contracts", header: []string{"contract", "finding", "severity", "function", "runs", "median inputs"}}
	for _, s := range subjects {
		list := all.of(s.name(), "B")
		for _, b := range bugs(list) {
			var one finding
			inputs, runs := []float64(nil), 0
			for _, r := range list {
				for _, f := range r.Findings {
					if f.bug() == b {
						one, inputs, runs = f, append(inputs, float64(f.Inputs)), runs+1
					}
				}
			}
			t.rows = append(t.rows, []string{s.name(), b.String(), one.Severity, one.Function, fmt.Sprintf("%d/%d", runs, len(list)), number(median(inputs))})
		}
	}
	return t
}

// remark is the reason for missing results.
func remark(list []record) string {
	for _, r := range list {
		if r.Failed != "" {
			return "FAILED: " + r.Failed
		}
		if r.Note != "" {
			return r.Note
		}
	}
	return ""
}

func figures(list []record, figure func(record) float64) []float64 {
	var out []float64
	for _, r := range list {
		out = append(out, figure(r))
	}
	return out
}
