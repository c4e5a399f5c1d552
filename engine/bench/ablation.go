package main

import (
	"fmt"
	"slices"
	"time"
)

// A comparison compares a configuration with one that has more features
// enabled.
type comparison struct{ without, with string }

// comparisons are those of HARVEY's Tables 2-4 and RQ2, demand-driven sequences
// in addition to predictions, and sFuzz's best seed per branch.
var comparisons = []comparison{{"A", "B"}, {"C", "B"}, {"D", "A"}, {"no-demand", "B"}, {"no-adaptive", "B"}}

var ablationExperiment = experiment{
	name: "ablation", short: "each technique switched off in turn, on the real contracts [HARVEY Tables 2-4]",
	defaults: flags{seeds: 24, time: 30 * time.Second},
	matrix: func(o *options) (matrix, error) {
		subjects, err := realSubjects(o)
		return matrix{subjects: subjects, configs: []string{"A", "B", "C", "D", "no-demand", "no-adaptive"}}, err
	},
	tables: func(o *options, all *records) []table {
		subjects, err := realSubjects(o)
		if err != nil {
			return nil
		}
		var out []table
		for _, c := range comparisons {
			if len(o.configs) > 0 && !slices.Contains(o.configs, c.without) {
				continue
			}
			out = append(out, c.coverage(o, all, subjects), c.bugs(o, all, subjects))
		}
		return out
	},
}

func (c comparison) title(o *options, what string) string {
	return fmt.Sprintf("%s: %s (%s) against %s (%s); up to %d seeds, %s each", what, c.without, configs[c.without].says, c.with, configs[c.with].says, o.seeds, o.budget())
}

// budget describes the limit of a run.
func (o *options) budget() string {
	switch {
	case o.inputs == 0:
		return o.time.String()
	case o.time == 0:
		return fmt.Sprintf("%d inputs", o.inputs)
	}
	return fmt.Sprintf("%d inputs or %v", o.inputs, o.time)
}

// problems is the number of bugs in a run.
func problems(r record) float64 { return float64(len(bugs([]record{r}))) }

// coverage is the form of HARVEY's Table 3.
func (c comparison) coverage(o *options, all *records, subjects []subject) table {
	t := table{
		title:  c.title(o, "Instruction coverage"),
		notes:  all.notes(o),
		header: []string{"contract", "C " + c.without, "C " + c.with, "ratio", "p", "A12 " + c.without, "A12 " + c.with, "bugs " + c.without, "bugs " + c.with, "p", "seeds"},
	}
	covered := func(r record) float64 { return float64(r.Stats.Instructions.Covered) }
	var before, after, ratios []float64
	better, worse, more, less := 0, 0, 0, 0
	for _, s := range subjects {
		a, b := figures(all.of(s.name(), c.without), covered), figures(all.of(s.name(), c.with), covered)
		if len(a) == 0 || len(b) == 0 {
			continue
		}
		p, effect := mannWhitney(a, b), smaller(a, b)
		if p < significant {
			if effect > 0.5 {
				better++
			} else if effect < 0.5 {
				worse++
			}
		}
		switch {
		case median(b) > median(a):
			more++
		case median(b) < median(a):
			less++
		}
		before, after = append(before, median(a)), append(after, median(b))
		ratios = append(ratios, median(b)/median(a))
		t.rows = append(t.rows, []string{s.name(), number(median(a)), number(median(b)), number(median(b) / median(a)), probability(p), number(1 - effect), number(effect)})
		t.rows[len(t.rows)-1] = append(t.rows[len(t.rows)-1], c.found(all, s)...)
	}
	t.rows = append(t.rows, []string{"median", number(median(before)), number(median(after)), number(median(ratios)), "", "", "", "", "", "", ""})
	t.notes = append(t.notes, fmt.Sprintf("%s covers significantly more on %d contracts of %d, significantly less on %d (p < %v). The median is higher on %d, lower on %d (sign test: p = %s).",
		c.with, better, len(before), worse, significant, more, less, probability(signTest(more, less))))
	return t
}

// found compares the number of bugs found in a contract: the means of both, p,
// and the numbers of runs.
func (c comparison) found(all *records, s subject) []string {
	a, b := all.of(s.name(), c.without), all.of(s.name(), c.with)
	without, with := figures(a, problems), figures(b, problems)
	return []string{number(mean(without)), number(mean(with)), probability(mannWhitney(without, with)), fmt.Sprint(min(len(a), len(b)))}
}

// significant is the significance level.
const significant = 0.05

// measure is the unit of comparison: inputs if they are the budget, because
// those do not depend on the load of the machine; else seconds.
func (c comparison) measure(o *options) string {
	if o.inputs > 0 {
		return "inputs"
	}
	return "seconds"
}

// bugs is the form of HARVEY's Tables 2 and 4: time and inputs until a bug.
func (c comparison) bugs(o *options, all *records, subjects []subject) table {
	t := table{
		title:  c.title(o, "Time to bug"),
		notes:  all.notes(o, fmt.Sprintf("A run that does not find a bug counts with all of its %s. T is in seconds, and p and A12 are of %s.", o.budget(), c.measure(o))),
		header: []string{"contract", "bug", "T " + c.without, "T " + c.with, "ratio", "p", "A12 " + c.without, "A12 " + c.with, "inputs " + c.without, "inputs " + c.with, "found " + c.without, "found " + c.with},
	}
	faster, slower := 0, 0
	for _, s := range subjects {
		a, b := all.of(s.name(), c.without), all.of(s.name(), c.with)
		for _, wanted := range bugs(append(append([]record{}, a...), b...)) {
			is := func(f finding) bool { return f.bug() == wanted }
			ta, ia, fa := searches(a, o.time.Seconds(), is)
			tb, ib, fb := searches(b, o.time.Seconds(), is)
			p, effect := mannWhitney(ta, tb), smaller(ta, tb)
			if o.inputs > 0 {
				p, effect = mannWhitney(ia, ib), smaller(ia, ib)
			}
			if p < significant {
				if effect < 0.5 {
					faster++
				} else if effect > 0.5 {
					slower++
				}
			}
			t.rows = append(t.rows, []string{
				s.name(), wanted.String(), number(median(ta)), number(median(tb)), number(median(ta) / median(tb)), probability(p), number(effect), number(1 - effect),
				number(median(ia)), number(median(ib)), fmt.Sprintf("%d/%d", fa, len(a)), fmt.Sprintf("%d/%d", fb, len(b)),
			})
		}
	}
	t.notes = append(t.notes, fmt.Sprintf("%s is significantly faster for %d bugs of %d, significantly slower for %d (p < %v).", c.with, faster, len(t.rows), slower, significant))
	return t
}
