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
	Block     input.BlockTime // in which the deployments end
	Sources   Sources
	Contracts []Contract
}

// Sources count the files that were asked for, and tell what kept some of them
// from being compiled.
type Sources struct {
	Total    int      `json:"total"`
	Compiled int      `json:"compiled"`
	Failures []string `json:"failures,omitempty"`
}

// A Contract is the result of one campaign and what is needed to repeat it.
type Contract struct {
	finding.Result
	Root     string // absolute folder that the names of its sources are relative to
	Compiler Compiler
	Texts    map[string][]byte // source unit name -> text, for excerpts
	Kind     string            // "interface", "library", "abstract contract", "test": what it is, if that alone is why it is not fuzzed
}

// A Compiler is what compiled a contract.
type Compiler struct {
	Version       string   `json:"version"`
	Optimizer     bool     `json:"optimizer"`
	OptimizerRuns int      `json:"optimizerRuns"`
	ViaIR         bool     `json:"viaIR"`
	EVMVersion    string   `json:"evmVersion,omitempty"`
	Remappings    []string `json:"remappings,omitempty"`
}

// Options change how a report looks, never what it says.
type Options struct {
	Colour bool   // text: ANSI colours
	Dir    string // text: absolute folder that paths are shown relative to; empty: the Report's Root
	Replay string // text: the command that replays a finding when its id is added; empty: none
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

// FormatNamed finds a format.
func FormatNamed(name string) (Format, error) {
	var names []string
	for _, f := range Formats() {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return Format{}, fmt.Errorf("format %q is none of %s", name, strings.Join(names, ", "))
}

// Count counts the findings at or above least.
func (r *Report) Count(least finding.Severity) int {
	n := 0
	for _, c := range r.Contracts {
		for _, f := range c.Findings {
			if f.Severity >= least {
				n++
			}
		}
	}
	return n
}
