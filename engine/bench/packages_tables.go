package main

import (
	"fmt"
	"slices"
	"strings"
)

// limitOf reads the time per contract from a command.
func limitOf(command string) string {
	words := strings.Fields(command)
	for i, w := range words[:max(0, len(words)-1)] {
		switch w {
		case "--time":
			return words[i+1]
		case "--max-inputs":
			return words[i+1] + " inputs"
		}
	}
	return ""
}

// packageTables are the figures, and lists of all failures and findings.
func packageTables(list [][2]string, have []packageRecord) []table {
	figures := table{
		title:  "Packages without configuration",
		header: []string{"package", "files", "compiled", "", "concrete", "deployed", "", "each for", "instructions", "tests left to forge", "findings"},
	}
	details := table{title: "What failed, and what was found", header: []string{"package", "what"}}
	var sum packageRecord
	row := func(rec *packageRecord, findings int) []string {
		return []string{rec.Name, fmt.Sprint(rec.Files), fmt.Sprint(rec.Compiled), percent(rec.Compiled, rec.Files),
			fmt.Sprint(rec.Concrete), fmt.Sprint(rec.Deployed), percent(rec.Deployed, rec.Concrete), limitOf(rec.Command), percent(rec.Covered, rec.Total),
			fmt.Sprint(rec.Tests), fmt.Sprint(findings)}
	}
	found := 0
	for _, p := range list {
		i := slices.IndexFunc(have, func(rec packageRecord) bool { return rec.Name == p[0] })
		if i < 0 {
			continue
		}
		rec := &have[i]
		figures.rows = append(figures.rows, row(rec, len(rec.Findings)))
		sum.Files, sum.Compiled = sum.Files+rec.Files, sum.Compiled+rec.Compiled
		sum.Concrete, sum.Deployed = sum.Concrete+rec.Concrete, sum.Deployed+rec.Deployed
		sum.Covered, sum.Total, sum.Tests = sum.Covered+rec.Covered, sum.Total+rec.Total, sum.Tests+rec.Tests
		found += len(rec.Findings)
		for _, what := range slices.Concat(rec.Failures, rec.Undeployed, rec.Findings) {
			details.rows = append(details.rows, []string{rec.Name, strings.ReplaceAll(what, "|", `\|`)})
		}
		note := fmt.Sprintf("%s, revision %s", rec.Date[:10], rec.Revision)
		if !slices.Contains(figures.notes, note) {
			figures.notes = append(figures.notes, note)
		}
	}
	sum.Name = "all"
	figures.rows = append(figures.rows, row(&sum, found))
	return []table{figures, details, littleCovered(list, have)}
}

// little is the coverage of instructions in percent below which a contract is
// listed: a dependency is probably missing.
const little = 35

// littleCovered lists the contracts with little coverage.
func littleCovered(list [][2]string, have []packageRecord) table {
	t := table{title: fmt.Sprintf("Contracts of which less than %d %% ran", little), header: []string{"package", "contract", "inputs", "instructions"}}
	for _, p := range list {
		i := slices.IndexFunc(have, func(rec packageRecord) bool { return rec.Name == p[0] })
		if i < 0 {
			continue
		}
		for _, c := range have[i].Contracts {
			if c.Inputs > 0 && 100*c.Covered < little*c.Total {
				t.rows = append(t.rows, []string{p[0], c.Name, fmt.Sprint(c.Inputs), percent(c.Covered, c.Total)})
			}
		}
	}
	return t
}
