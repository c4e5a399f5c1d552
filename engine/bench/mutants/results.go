package main

import (
	"errors"
	"io/fs"
	"strings"

	"leveret/engine/bench/projects"
	"leveret/engine/finding"
	"leveret/solc"
)

// The tools that search.
const (
	forgeTool   = "forge"
	leveretTool = "leveret"
)

// A run is a search for one mutant; that of a target by name is of its unchanged
// sources.
type run struct {
	Mutant   string  `json:"mutant"`
	Tool     string  `json:"tool"`
	Seed     uint64  `json:"seed"`
	Budget   float64 `json:"budget"` // CPU seconds
	Found    bool    `json:"found"`
	Test     string  `json:"test,omitempty"` // that failed
	Reason   string  `json:"reason,omitempty"`
	CPU      float64 `json:"cpu"` // seconds until then
	Inputs   int     `json:"inputs"`
	Revision string  `json:"revision"`
	Date     string  `json:"date"`

	contract       *solc.Contract   // of the test that failed
	counterexample *finding.Finding // of it
}

// A line of the file of results is one of these.
type line struct {
	Mutant *mutant `json:"mutant,omitempty"`
	Run    *run    `json:"run,omitempty"`
}

// results are the lines of a file.
type results struct {
	file    string
	mutants map[string]*mutant
	order   []string // of mutants
	runs    map[runKey]run
	failed  map[string][]string // by target: tests that leveret found to fail on its unchanged sources
}

// A runKey identifies a run; the last one counts.
type runKey struct {
	mutant, tool string
	budget       float64
	seed         uint64
}

// load reads a file of results; a missing one is empty.
func load(file string) (*results, error) {
	r := &results{file: file, mutants: map[string]*mutant{}, runs: map[runKey]run{}, failed: map[string][]string{}}
	lines, err := projects.Read[line](file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, l := range lines {
		r.note(l)
	}
	return r, nil
}

func (r *results) note(l line) {
	if m := l.Mutant; m != nil {
		if r.mutants[m.ID] == nil {
			r.order = append(r.order, m.ID)
		}
		r.mutants[m.ID] = m
	}
	if x := l.Run; x != nil {
		r.runs[runKey{x.Mutant, x.Tool, x.Budget, x.Seed}] = *x
		if x.Found && r.mutants[x.Mutant] == nil { // of a target
			r.failed[x.Mutant] = append(r.failed[x.Mutant], x.Test)
		}
	}
}

// failing returns the names of the tests that fail on the unchanged sources of a target.
func (r *results) failing(target string) map[string]bool {
	names := map[string]bool{}
	for _, test := range r.failed[target] {
		name, _, _ := strings.Cut(test[strings.Index(test, ".")+1:], "(")
		names[name] = true
	}
	return names
}

func (r *results) add(l line) error {
	r.note(l)
	return projects.Append(r.file, l)
}

// of returns a run.
func (r *results) of(mutant, tool string, budget float64, seed uint64) (run, bool) {
	found, ok := r.runs[runKey{mutant, tool, budget, seed}]
	return found, ok
}
