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
		return matrix{subjects: subjects, configs: []string{"B", "C"}}, err
	},
	tables: predictionTables,
}

// predictionTables shows the success rates: of the first proposal, and after
// iteration.
func predictionTables(o *options, all *records) []table {
	subjects, err := realSubjects(o)
	if err != nil {
		return nil
	}
	t := table{
		title: fmt.Sprintf("Input prediction: success rates over up to %d seeds, %s each", o.seeds, o.budget()),
		notes: all.notes(o, "Sums over the seeds. One-shot: the aimed-at outcome flipped at the first proposal. "+
			"Searches are what is followed without a line that leads there."),
		header: []string{"contract", "tried", "one-shot", "", "iterated", "", "searches", "found", "C tried", "C one-shot"},
	}
	var rates []float64
	var sum predictions
	for _, s := range subjects {
		var n predictions
		for _, r := range all.of(s.name(), "B") {
			p := &r.Stats.Predicted
			n.add(predictions{p.Tried, p.OneShot, p.Succeeded, p.Searches, p.Found, 0, 0})
		}
		for _, r := range all.of(s.name(), "C") {
			n.add(predictions{5: r.Stats.Predicted.Tried, 6: r.Stats.Predicted.OneShot})
		}
		if n[0] > 0 {
			rates = append(rates, float64(n[1])/float64(n[0]))
		}
		sum.add(n)
		t.rows = append(t.rows, n.row(s.name()))
	}
	t.rows = append(t.rows, sum.row("all"), []string{"median", "", "", fmt.Sprintf("%.0f %%", 100*median(rates)), "", "", "", "", "", ""})
	if sum[5] == 0 { // C was not run
		t.header = t.header[:8]
		for i := range t.rows {
			t.rows[i] = t.rows[i][:8]
		}
	}
	return []table{t}
}

// predictions are the figures of a row: of B tried, one-shot, iterated,
// searches and found, of C tried and one-shot.
type predictions [7]int

func (p *predictions) add(other predictions) {
	for i, n := range other {
		p[i] += n
	}
}

func (p *predictions) row(name string) []string {
	n := fmt.Sprint
	return []string{
		name, n(p[0]), n(p[1]), percent(p[1], p[0]), n(p[2]), percent(p[2], p[0]),
		n(p[3]), n(p[4]), n(p[5]), percent(p[6], p[5]),
	}
}
