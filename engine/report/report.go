// Package report writes the results of campaigns: as text for people, JSON for
// programs, SARIF for code hosts, HTML for auditors and Foundry tests. Each
// format has a file and a row in Formats.
//
// It knows neither compiler nor campaign: callers pass results and source
// texts, and it prints only to the writer that it receives.
package report

import (
	"fmt"
	"io"
	"strings"

	"leveret/engine/finding"
	"leveret/engine/input"
)

// A Report is everything that a formatter may write.
type Report struct {
	Tool      string // version of Leveret
	Root      string // absolute folder that paths are relative to
	Seed      uint64
	Block     input.BlockTime // of the last deployment
	Sources   Sources
	Contracts []Contract
	Severity  finding.Severity // the least that is reported
	Accepted  map[string]bool  // ids of Groups in the baseline; nil without one
}

// Sources counts the selected files, and lists why some could not be compiled.
type Sources struct {
	Total    int      `json:"total"`
	Compiled int      `json:"compiled"`
	Failures []string `json:"failures,omitempty"`
}

// A Contract is the result of one campaign, with what is needed to repeat it.
type Contract struct {
	finding.Result
	Root     string // absolute folder that the names of its sources are relative to
	Compiler Compiler
	Texts    map[string][]byte // source unit name -> text, for excerpts
	Kind     string            // of a contract that is never fuzzed: "interface", "library", "abstract contract", "test"; else empty
}

// A Compiler is the version and the settings that compiled a contract.
type Compiler struct {
	Version       string   `json:"version"`
	Optimizer     bool     `json:"optimizer"`
	OptimizerRuns int      `json:"optimizerRuns"`
	ViaIR         bool     `json:"viaIR"`
	EVMVersion    string   `json:"evmVersion,omitempty"`
	Remappings    []string `json:"remappings,omitempty"`
}

// Options change the appearance of a report, never its content.
type Options struct {
	Colour bool   // text: ANSI colours
	Dir    string // text: absolute folder that shown paths are relative to; empty: the Report's Root
	Replay string // text: command that, followed by an id, replays a finding; empty: none
}

// A Format is one way to write a Report.
type Format struct {
	Name  string
	Write func(io.Writer, *Report, Options) error
}

// Formats lists the formats; the first is the default.
func Formats() []Format {
	return []Format{
		{"text", Text},
		{"json", JSON},
		{"sarif", SARIF},
		{"html", HTML},
		{"foundry", Foundry},
	}
}

// FormatNames lists the names of the formats.
func FormatNames() (names []string) {
	for _, f := range Formats() {
		names = append(names, f.Name)
	}
	return names
}

// FormatNamed finds a format by name.
func FormatNamed(name string) (Format, error) {
	for _, f := range Formats() {
		if f.Name == name {
			return f, nil
		}
	}
	return Format{}, fmt.Errorf("%q is not one of %s", name, strings.Join(FormatNames(), ", "))
}

// Count counts the Groups of severity least or above that are not in the baseline.
func (r *Report) Count(least finding.Severity) int {
	n := 0
	for _, g := range r.Groups() {
		if !g.Accepted && g.Shown().Severity >= least {
			n++
		}
	}
	return n
}
