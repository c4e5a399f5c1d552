// Package report writes the results of campaigns: as text for people, JSON for
// programs, SARIF for code hosts, HTML for auditors, Foundry tests, JUnit's XML and
// annotations for CI, and their coverage as LCOV and Cobertura. Each format has a
// file and a row in Formats.
//
// It knows neither compiler nor campaign: callers pass results and source
// texts, and it prints only to the writer that it receives.
package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/replay"
	"leveret/solc"
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
	Run       Run
}

// A Run says how a report came about.
type Run struct {
	Revision string    `json:"revision,omitempty"` // of Leveret
	Started  time.Time `json:"started,omitzero"`
	Seconds  float64   `json:"seconds"`
	Workers  int       `json:"workers"`
	Settings []Setting `json:"settings"`
	Team     []Worker  `json:"team,omitempty"`  // of a campaign on several machines
	State    string    `json:"state,omitempty"` // of such a campaign, for its page: running, stopped or waiting for workers
}

// A Worker is what a worker on another machine says about itself.
type Worker struct {
	ID       string  `json:"id"`
	Threads  int     `json:"threads"`
	Contract string  `json:"contract"` // that it works on; empty: none
	Rate     float64 `json:"rate"`     // inputs in a second
	Waiting  int     `json:"waiting"`  // messages that are not published yet
	Dropped  int     `json:"dropped"`  // messages that will not be
	Problem  string  `json:"problem,omitempty"`
}

// A Setting is a flag that the user set.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
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
	Texts    map[string][]byte            // source unit name -> text, for excerpts and source views
	Traces   map[string][]replay.Node     // by id of a finding; of those that formats with traces show
	Defined  map[Definition]finding.Place // of contracts in deployments: their constructors, else their names
	Curve    Curve
	Blocker  *Blocker // nil: there is none
	Kind     string   // of a contract that is never fuzzed: "interface", "library", "abstract contract", "test"; else empty
}

// A Definition names a contract by its source unit and its name.
type Definition struct{ File, Name string }

// A Compiler is the version and the settings that compiled a contract.
type Compiler struct {
	Version       string   `json:"version"`
	Optimizer     bool     `json:"optimizer"`
	OptimizerRuns int      `json:"optimizerRuns"`
	ViaIR         bool     `json:"viaIR"`
	EVMVersion    string   `json:"evmVersion,omitempty"`
	Remappings    []string `json:"remappings,omitempty"`
}

// CompilerOf returns the compiler of a build.
func CompilerOf(b *solc.Build) Compiler {
	return Compiler{
		Version: b.Version, Optimizer: b.Settings.Optimizer, OptimizerRuns: b.Settings.OptimizerRuns, ViaIR: b.Settings.ViaIR,
		EVMVersion: b.Settings.EVMVersion, Remappings: b.Settings.Remappings,
	}
}

// Options change the appearance of a report, never its content.
type Options struct {
	Colour bool   // text: ANSI colours
	Dir    string // text, JUnit, GitHub, coverage: absolute folder that paths are relative to; empty: the Report's Root
	Replay string // text: command that, followed by an id, replays a finding; empty: none
}

// A Format is one way to write a Report.
type Format struct {
	Name    string
	Write   func(io.Writer, *Report, Options) error
	Traces  bool // it shows Contract.Traces
	Sources bool // it shows whole source files
}

// Formats lists the formats; the first is the default.
func Formats() []Format {
	return []Format{
		{Name: "text", Write: Text},
		{Name: "json", Write: JSON},
		{Name: "sarif", Write: SARIF, Traces: true},
		{Name: "html", Write: HTML, Traces: true, Sources: true},
		{Name: "foundry", Write: Foundry},
		{Name: "junit", Write: JUnit},
		{Name: "github", Write: GitHub},
		{Name: "lcov", Write: LCOV},
		{Name: "cobertura", Write: Cobertura},
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
