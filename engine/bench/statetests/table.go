package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// A key names a row of the table.
type key struct {
	fork, category string
}

// A row counts tests: passed, failed and skipped ones; refused ones, whose
// transaction is invalid, as go-ethereum finds before any code runs; and
// disputed ones, where go-ethereum and the Machine have one state and the test
// another. A test with several transactions counts as many.
type row struct {
	counts  map[string]int
	reasons map[string]int // of failed and skipped ones
}

type table map[key]*row

func (s *suite) count(k key, name string, index int, outcome, why string) {
	r := s.counts[k]
	if r == nil {
		r = &row{make(map[string]int), make(map[string]int)}
		s.counts[k] = r
	}
	r.counts[outcome]++
	if why == "" {
		return
	}
	r.reasons[outcome+": "+why]++
	if s.verbose {
		fmt.Printf("%s %s/%s %d: %s: %s\n", k.fork, k.category, name, index, outcome, why)
	}
}

// failed reports whether any test failed.
func (s *suite) failed() bool {
	for _, r := range s.counts {
		if r.counts["failed"] > 0 {
			return true
		}
	}
	return false
}

// print writes the table, categories within forks, and the sum of each fork.
func (s *suite) print(w io.Writer) {
	fmt.Fprintln(w, "| fork | category | passed | failed | refused | disputed | skipped | |")
	fmt.Fprintln(w, "|:--|:--|--:|--:|--:|--:|--:|:--|")
	sums := make(map[string]*row)
	for _, k := range slices.SortedFunc(maps.Keys(s.counts), compareKeys) {
		r := s.counts[k]
		r.print(w, k.fork, k.category)
		if sums[k.fork] == nil {
			sums[k.fork] = &row{make(map[string]int), make(map[string]int)}
		}
		for outcome, n := range r.counts {
			sums[k.fork].counts[outcome] += n
		}
	}
	for _, fork := range slices.Sorted(maps.Keys(sums)) {
		sums[fork].print(w, fork, "all")
	}
}

func compareKeys(a, b key) int {
	if c := strings.Compare(a.fork, b.fork); c != 0 {
		return c
	}
	return strings.Compare(a.category, b.category)
}

func (r *row) print(w io.Writer, fork, category string) {
	var reasons []string
	for _, why := range slices.Sorted(maps.Keys(r.reasons)) {
		reasons = append(reasons, fmt.Sprintf("%d %s", r.reasons[why], why))
	}
	fmt.Fprintf(w, "| %s | %s | %d | %d | %d | %d | %d | %s |\n", fork, category, r.counts["passed"], r.counts["failed"],
		r.counts["refused"], r.counts["disputed"], r.counts["skipped"], strings.Join(reasons, "; "))
}
