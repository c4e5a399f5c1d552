package main

import (
	"fmt"
	"time"
)

var predictionExperiment = experiment{
	name: "prediction", short: "how often a predicted input flips the branch it aims at, on the real contracts",
	defaults: flags{seeds: 3, inputs: 20000, time: 30 * time.Second},
	matrix: func(o *options) (matrix, error) {
		subjects, err := realSubjects(o)
		return matrix{subjects, []string{"B", "C"}}, err
	},
	tables: predictionTables,
}

// predictionTables tells the success rates apart: at the first proposal and
// after iterating.
func predictionTables(o *options, all *records) []table {
	subjects, err := realSubjects(o)
	if err != nil {
		return nil
	}
	t := table{
		title:  fmt.Sprintf("Input prediction: success rates over up to %d seeds, %s each", o.seeds, o.budget()),
		notes:  all.notes(o, "Sums over the seeds. One-shot: the aimed-at outcome flipped at the first proposal."),
		header: []string{"contract", "tried", "one-shot", "", "iterated", "", "C tried", "C one-shot"},
	}
	var rates []float64
	var sum [5]int
	for _, s := range subjects {
		var n [5]int
		for _, r := range all.of(s.name(), "B") {
			n[0], n[1], n[2] = n[0]+r.Stats.Predicted.Tried, n[1]+r.Stats.Predicted.OneShot, n[2]+r.Stats.Predicted.Succeeded
		}
		for _, r := range all.of(s.name(), "C") {
			n[3], n[4] = n[3]+r.Stats.Predicted.Tried, n[4]+r.Stats.Predicted.OneShot
		}
		if n[0] > 0 {
			rates = append(rates, float64(n[1])/float64(n[0]))
		}
		for i := range sum {
			sum[i] += n[i]
		}
		t.rows = append(t.rows, predictionRow(s.name(), n))
	}
	t.rows = append(t.rows, predictionRow("all", sum), []string{"median", "", "", fmt.Sprintf("%.0f %%", 100*median(rates)), "", "", "", ""})
	if sum[3] == 0 { // C was not run
		t.header = t.header[:6]
		for i := range t.rows {
			t.rows[i] = t.rows[i][:6]
		}
	}
	return []table{t}
}

func predictionRow(name string, n [5]int) []string {
	return []string{name, fmt.Sprint(n[0]), fmt.Sprint(n[1]), percent(n[1], n[0]), fmt.Sprint(n[2]), percent(n[2], n[0]), fmt.Sprint(n[3]), percent(n[4], n[3])}
}
