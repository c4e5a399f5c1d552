package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// latest keeps the last result of each test, in the order of the first.
func latest(all []result) (list []result) {
	same := func(a, b *result) bool {
		return a.Tool == b.Tool && a.File == b.File && a.Contract == b.Contract && a.Config == b.Config && slices.Equal(a.Expected, b.Expected)
	}
	for i := range all {
		if at := slices.IndexFunc(list, func(old result) bool { return same(&old, &all[i]) }); at >= 0 {
			list[at] = all[i]
		} else {
			list = append(list, all[i])
		}
	}
	return list
}

// A tally counts the expectations of a tool's tests.
type tally struct{ tests, expected, met int }

// writeTables writes a row for each tool, and what is not as expected.
func writeTables(w io.Writer, results []result) {
	tallies := map[string]*tally{}
	var tools, differences []string
	for i := range results {
		r := &results[i]
		t := tallies[r.Tool]
		if t == nil {
			t = &tally{}
			tallies[r.Tool], tools = t, append(tools, r.Tool)
		}
		t.tests++
		for _, e := range r.Expected {
			t.expected++
			ok, got := e.met(r.Tests)
			if r.Error != "" {
				ok, got = false, "error: "+oneLine(r.Error)
			}
			if ok {
				t.met++
				continue
			}
			differences = append(differences, fmt.Sprintf("- %s %s %s: %s expected, %s", r.Tool, r.File, r.Config, e, got))
		}
	}
	fmt.Fprintln(w, "| tool | its tests | expectations | met |")
	fmt.Fprintln(w, "|:--|--:|--:|--:|")
	for _, name := range tools {
		t := tallies[name]
		fmt.Fprintf(w, "| %s | %d | %d | %d |\n", name, t.tests, t.expected, t.met)
	}
	if len(differences) > 0 {
		fmt.Fprintf(w, "\n%s\n", strings.Join(differences, "\n"))
	}
}

// oneLine is the start of a text without line breaks.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return text[:min(len(text), 200)]
}
