// Package finding holds what everyone downstream of the engine speaks: a
// weakness that was shown to be real, where it is, and the transactions that
// show it.
//
// It knows neither how findings are made nor how they are presented.
package finding

import (
	"encoding/json"
	"fmt"

	"leveret/engine/input"
	"leveret/solc/srcmap"
)

// Severity orders findings. The zero value is Off: not reported.
type Severity int

// The severities, weakest first. The names are those of the settings and of
// the JSON report.
const (
	Off Severity = iota
	Hint
	Information
	Warning
	Error
)

var severityNames = [...]string{Off: "off", Hint: "hint", Information: "information", Warning: "warning", Error: "error"}

func (s Severity) String() string {
	if s < Off || s > Error {
		return fmt.Sprintf("Severity(%d)", int(s))
	}
	return severityNames[s]
}

// ParseSeverity is the inverse of String; "info" stands for information.
func ParseSeverity(s string) (Severity, error) {
	if s == "info" {
		return Information, nil
	}
	for i, name := range severityNames {
		if s == name {
			return Severity(i), nil
		}
	}
	return Off, fmt.Errorf("severity %q is none of off, hint, information, warning, error", s)
}

// MarshalJSON writes the name.
func (s Severity) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }

// UnmarshalJSON reads the name.
func (s *Severity) UnmarshalJSON(b []byte) error {
	var name string
	if err := json.Unmarshal(b, &name); err != nil {
		return err
	}
	v, err := ParseSeverity(name)
	if err != nil {
		return err
	}
	*s = v
	return nil
}

// A Place is a range in a user's source file.
type Place struct {
	File  string          // source unit name as given to the compiler; a path relative to the project root where there is one
	Path  string          // absolute path on disk, empty if the text came from elsewhere
	Span  srcmap.Span     // bytes
	Start srcmap.Position // of the first character
	End   srcmap.Position // behind the last character
}

// Related is a second place that helps to understand a finding.
type Related struct {
	Place   Place
	Message string
}

// Evidence is one value that mattered: an operand, a slot, a balance.
type Evidence struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// A Read is a state variable, or a part of one, that the failing lines read,
// and what they found in it when they ran last.
type VariableRead struct {
	Place Place // of the expression
	Value string
}

// A Finding is one weakness at one place, shown by a Witness. It is immutable.
type Finding struct {
	ID         string // "SWC-110:Wallet:4f2a": stable across runs and across edits that do not touch the blamed text
	Oracle     string // name of the oracle, "assertion"
	SWC        string // "SWC-110", empty if none fits
	Severity   Severity
	Message    string // one sentence that starts with the consequence
	Contract   string // contract under test
	Function   string // signature of the function of the last Tx
	Place      Place  // what is to blame
	Related    []Related
	Evidence   []Evidence
	Reads      []VariableRead // in the order of the source
	Witness    input.Sequence // shrunk; replays on a fresh World
	Observable Observable     // how to see it from outside
	Inputs     int            // inputs tried before it was first seen
	Seconds    float64        // campaign seconds before it was first seen
}

// Result is what a campaign on one contract came to.
type Result struct {
	Name         string // contract
	File         string // source unit name
	Findings     []Finding
	Stats        Stats
	Coverage     *CoverageReport // where it went; nil with a Note
	Suppressions []Suppression   // comments in the contract and in what it inherits from, if they were honoured
	Note         string          // why nothing, or less than usual, was fuzzed: one sentence with the remedy; empty otherwise
}

// Stats are a campaign's figures; the names are those of the JSON report.
type Stats struct {
	Inputs       int                   `json:"inputs"`
	Transactions int                   `json:"transactions"`
	Paths        int                   `json:"paths"`
	Instructions Coverage              `json:"instructions"`
	Branches     Branches              `json:"branches"`
	Seconds      float64               `json:"seconds"`
	Predicted    Predicted             `json:"predicted"`
	Lookahead    Lookahead             `json:"lookahead"`
	Shadow       Effort                `json:"shadow"` // re-runs that learn where conditions come from
	Triage       Effort                `json:"judged"` // re-runs by the oracles, with what shrinks and confirms
	Scripted     Effort                `json:"agents"` // inputs in which the attacker's contract does more than answer
	Sources      map[string]SourceStat `json:"sources,omitempty"`
	Firsts       []FirstHit            `json:"firsts,omitempty"` // for experiments
	Unconfirmed  int                   `json:"unconfirmed"`      // candidates that did not reproduce on a fresh World
}

// Coverage counts instructions of the contract under test's deployed code.
type Coverage struct {
	Covered int `json:"covered"`
	Total   int `json:"total"`
}

// Branches counts outcomes of conditional jumps: two for every jump that ran.
type Branches struct {
	Covered int `json:"covered"`
	Seen    int `json:"seen"`
}

// Predicted counts input predictions [HARVEY 4.2] whose target outcome was
// flipped at the first proposal (OneShot) or at all (Succeeded). Searches went
// for an outcome without a line that leads there; Found counts those that got
// there.
type Predicted struct {
	Tried     int `json:"tried"`
	OneShot   int `json:"oneShot"`
	Succeeded int `json:"succeeded"`
	Searches  int `json:"searches"`
	Found     int `json:"found"`
}

// First is when a basic block of the deployed code ran first.
type FirstHit struct {
	PC      uint64  `json:"pc"`
	Inputs  int     `json:"inputs"`
	Seconds float64 `json:"seconds"`
}

// Lookahead counts calls of the lookahead analysis, those that found a
// no-target-ahead prefix shorter than the path, the prefixes that differ, and
// the time that all took.
type Lookahead struct {
	Calls   int     `json:"calls"`
	Proper  int     `json:"proper"`
	IDs     int     `json:"ids"`
	Seconds float64 `json:"seconds"`
}

// An Effort is how often something was done, and the time it took. Several
// workers' times add up.
type Effort struct {
	Runs    int     `json:"runs"`
	Seconds float64 `json:"seconds"`
}

// SourceStat counts what one source of inputs brought.
type SourceStat struct {
	Tried    int `json:"tried"`
	NewPaths int `json:"newPaths"`
	Findings int `json:"findings"`
}
