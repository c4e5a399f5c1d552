package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"
)

// The campaigns experiment compares what campaigns of two revisions get done in
// CPU time. An input that a campaign ran before does not count.
var campaignsExperiment = experiment{
	name: "campaigns", short: "distinct inputs and transactions per CPU second on real contracts, beside another revision's",
	defaults: flags{seeds: 1, time: 2 * time.Second, jobs: 1},
	driven:   true,
	matrix: func(o *options) (m matrix, err error) {
		if m.subjects, err = realSubjects(o); err != nil {
			return m, err
		}
		m.configs, m.own, err = o.perRevision(runCampaign)
		return m, err
	},
	tables: campaignsTables,
}

// runCampaign runs a campaign and counts its distinct inputs.
func runCampaign(ctx context.Context, o *options, r run, p program) record {
	return p.drive(ctx, o, r, 1, "-cpu", o.cpu(), "-distinct")
}

// rates are medians over the runs of a contract by one revision.
type rates struct {
	inputs, distinct, transactions float64 // per CPU second
	repeats                        float64 // share of the inputs
}

func ratesOf(list []record) rates {
	of := func(figure func(record) float64) float64 { return median(figures(list, figure)) }
	return rates{
		inputs:       of(func(r record) float64 { return perSecond(r, r.Stats.Inputs) }),
		distinct:     of(func(r record) float64 { return perSecond(r, r.Cost.Distinct) }),
		transactions: of(func(r record) float64 { return perSecond(r, r.Stats.Transactions) }),
		repeats:      of(func(r record) float64 { return 1 - float64(r.Cost.Distinct)/float64(max(r.Stats.Inputs, 1)) }),
	}
}

// perSecond is a count per CPU second.
func perSecond(r record, count int) float64 {
	return float64(count) / math.Max(r.Cost.CPU, 1e-3)
}

// measuredOf are the records of a contract in a configuration that have a cost.
func (all *records) measuredOf(contract, config string) []record {
	return slices.DeleteFunc(all.of(contract, config), func(r record) bool { return r.Cost == nil || r.Failed != "" })
}

// contracts lists the contracts of the records, in order of their first.
func (all *records) contracts() (names []string) {
	for _, r := range all.list {
		if !slices.Contains(names, r.Contract) {
			names = append(names, r.Contract)
		}
	}
	return names
}

// configNames lists the configurations of the records, in order of their first.
func (all *records) configNames() (names []string) {
	for _, r := range all.list {
		if !slices.Contains(names, r.Config) {
			names = append(names, r.Config)
		}
	}
	return names
}

// campaignsTables compares the last revision with the first.
func campaignsTables(o *options, all *records) []table {
	names := all.configNames()
	if len(names) == 0 {
		return nil
	}
	first, last := names[0], names[len(names)-1]
	t := table{
		title:  fmt.Sprintf("Campaigns: medians of %d seeds, one worker, %g CPU seconds each", o.seeds, o.seconds),
		notes:  all.notes(o, "Per CPU second of the process. Inputs are distinct if their sequences are; storage that a source overrides does not count."),
		header: []string{"contract"},
	}
	for _, name := range names {
		t.header = append(t.header, "distinct "+name, "repeats", "tx "+name)
	}
	compared := first != last
	if compared {
		t.header = append(t.header, "distinct ratio", "tx ratio")
	}
	var distinct, transactions []float64
	for _, contract := range all.contracts() {
		row := []string{contract}
		var of []rates
		for _, name := range names {
			list := all.measuredOf(contract, name)
			r := ratesOf(list)
			of = append(of, r)
			row = append(row, number(math.Round(r.distinct)), fmt.Sprintf("%.0f %%", 100*r.repeats), number(math.Round(r.transactions)))
		}
		if compared {
			a, b := of[0], of[len(of)-1]
			if !math.IsNaN(a.distinct + b.distinct) { // else a run failed
				distinct, transactions = append(distinct, b.distinct/a.distinct), append(transactions, b.transactions/a.transactions)
			}
			row = append(row, number(b.distinct/a.distinct), number(b.transactions/a.transactions))
		}
		t.rows = append(t.rows, row)
	}
	if len(distinct) > 0 {
		t.rows = append(t.rows, summaryRow("median", len(t.header), median(distinct), median(transactions)),
			summaryRow("worst", len(t.header), slices.Min(distinct), slices.Min(transactions)))
	}
	return []table{t}
}

// summaryRow has figures in its last columns.
func summaryRow(name string, columns int, figures ...float64) []string {
	row := make([]string, columns)
	row[0] = name
	for i, f := range figures {
		row[columns-len(figures)+i] = number(f)
	}
	return row
}
