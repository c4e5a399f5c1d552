package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// A tally counts the tests of a project.
type tally struct {
	unit, unitEqual         int
	searched, searchedEqual int
	found                   int     // searched tests with a failure that forge did not find
	forge, leveret          float64 // seconds of the unit tests that passed in both
	timed                   int
	measured, gasEqual      int // of those, with the gas of both
}

func (t *tally) add(tests []comparison) {
	for _, c := range tests {
		switch {
		case c.searched():
			t.searched++
			if c.equal() {
				t.searchedEqual++
			} else if c.found() {
				t.found++
			}
			continue
		case c.equal():
			t.unitEqual++
		}
		t.unit++
		if c.Forge.Status == "passed" && c.Leveret.Status == "passed" {
			t.timed++
			if c.Forge.Gas > 0 && c.Leveret.Gas > 0 {
				t.measured++
			}
			if c.Forge.Gas > 0 && c.Forge.Gas == c.Leveret.Gas {
				t.gasEqual++
			}
			t.forge += c.Forge.Seconds
			t.leveret += c.Leveret.Seconds
		}
	}
}

// writeTables writes a row for each project, their sum, and the differences.
func writeTables(w io.Writer, results []result) {
	fmt.Fprintln(w, "| project | commit | unit tests | equal | | gas equal | fuzz, invariant | equal | found by leveret alone | ms per unit test: forge | leveret |")
	fmt.Fprintln(w, "|:--|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
	var sum tally
	for _, r := range results {
		var t tally
		t.add(r.Tests)
		sum.add(r.Tests)
		t.write(w, r.Project, r.Repository+"@"+r.Commit[:min(8, len(r.Commit))])
	}
	sum.write(w, "all", "")
	for _, r := range results {
		writeDifferences(w, r)
	}
}

func (t tally) write(w io.Writer, name, commit string) {
	fmt.Fprintf(w, "| %s | %s | %d | %d | %s | %s | %d | %d | %d | %s | %s |\n", name, commit,
		t.unit, t.unitEqual, share(t.unitEqual, t.unit), share(t.gasEqual, t.measured), t.searched, t.searchedEqual, t.found,
		each(t.forge, t.timed), each(t.leveret, t.timed))
}

func share(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}

func each(seconds float64, n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", 1000*seconds/float64(n))
}

// writeDifferences lists tests with different verdicts: unit tests first, then
// those whose inputs are searched.
func writeDifferences(w io.Writer, r result) {
	different := slices.Collect(func(yield func(comparison) bool) {
		for _, searched := range []bool{false, true} {
			for _, c := range r.Tests {
				if c.searched() == searched && !c.equal() && !yield(c) {
					return
				}
			}
		}
	})
	if len(different) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s:\n\n", r.Project)
	for _, c := range different {
		fmt.Fprintf(w, "- %s %s (%s)\n", c.Suite, c.Test, c.Kind)
		fmt.Fprintf(w, "  - forge: %s\n  - leveret: %s\n", c.Forge, c.Leveret)
	}
}

// String gives the status and the reason in one line.
func (v verdict) String() string {
	if v.Reason == "" {
		return v.Status
	}
	return v.Status + ": " + strings.Join(strings.Fields(v.Reason), " ")
}
