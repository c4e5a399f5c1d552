// Package finding defines the results of a campaign: weaknesses that were
// reproduced, their places, and the transactions that show them.
//
// It knows neither how findings are made nor how they are presented.
package finding

import (
	"encoding/json"
	"fmt"

	"leveret/engine/input"
	"leveret/solc/srcmap"
)

// A Severity is the rank of a finding. The zero value is Off: not reported.
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
	File  string          // source unit name as given to the compiler, relative to the project root if possible
	Path  string          // absolute path on disk, empty if the text came from elsewhere
	Span  srcmap.Span     // bytes
	Start srcmap.Position // of the first character
	End   srcmap.Position // after the last character
}

// A Related is a second place that helps to understand a finding.
type Related struct {
	Place   Place
	Message string
	Asserts bool // the assertion that fails, where the finding is at a call of its function
}

// An Evidence is one relevant value: an operand, a slot, a balance.
type Evidence struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// A VariableRead is a state variable, or a part of one, that the failing lines
// read, with its value in the last execution.
type VariableRead struct {
	Place Place // of the expression
	Value string
}

// A Finding is one weakness at one place, shown by a Witness. It is immutable.
type Finding struct {
	ID         string // "SWC-110:Wallet:4f2a": stable across runs and across edits that do not touch the blamed text
	Oracle     string // name of the oracle, "assertion"
	Cause      string // name of the oracle that tells most about the same cause; empty: Oracle
	Anchor     Anchor // of Place
	SWC        string // "SWC-110", empty if none fits
	Severity   Severity
	Message    string // one sentence that starts with the consequence
	Contract   string // contract under test
	Function   string // signature of the function of the last Tx
	Place      Place  // of the cause
	Related    []Related
	Evidence   []Evidence
	Reads      []VariableRead // in the order of the source
	Witness    input.Sequence // shrunk; replays on a fresh World
	Observable Observable     // how a test can observe it
	Inputs     int            // inputs tried before the first occurrence
	Seconds    float64        // campaign seconds before the first occurrence
}

// Suppressible returns the places where a comment suppresses the finding: its own, and that of the
// assertion that fails.
func (f *Finding) Suppressible() []Place {
	places := []Place{f.Place}
	for i := range f.Related {
		if f.Related[i].Asserts {
			places = append(places, f.Related[i].Place)
		}
	}
	return places
}

// A Result is the result of a campaign on one contract.
type Result struct {
	Name         string // contract
	File         string // source unit name
	Findings     []Finding
	Stats        Stats
	Coverage     *CoverageReport // nil with a Note
	Suppressions []Suppression   // in the contract and its base contracts, if the campaign honours them
	Note         string          // why the contract was not, or not fully, fuzzed: one sentence with the remedy
	Tests        []Test          // of a test contract, in the order in which they ended
	Undeployed   bool            // Note says why it could not be deployed
	BuiltBy      string          // test contract, file:name, whose setUp built the state of the campaign; empty: it was deployed
}

// A Test is the result of a test of Foundry.
type Test struct {
	Signature string
	Status    string // passed, failed or skipped
	Reason    string // why it failed or was skipped; may be empty
	Runs      int    // inputs; 1 for a test without search
	Best      string // of a function that a harness maximizes: its largest value; else empty
	Seconds   float64
	Lines     []string // of console.log
	Prints    []Print  // where some of them were printed, in that order
	Executed  []string // functions that it ran, sorted; nil: not recorded

	// Witness is the input that it ended with: its counterexample, its only call, what
	// leads to Best, or an example of a search. It has no transactions if there is none.
	Witness input.Sequence
}

// A Print is a call of console.log.
type Print struct {
	Place Place
	Text  string
}

// Stats are the statistics of a campaign, by their names in the JSON report.
type Stats struct {
	Inputs       int                   `json:"inputs"`
	Transactions int                   `json:"transactions"`
	Paths        int                   `json:"paths"`
	Instructions Coverage              `json:"instructions"`
	Branches     Coverage              `json:"branches"` // arms of the conditions in the source
	Jumps        Jumps                 `json:"jumps"`
	Seconds      float64               `json:"seconds"`
	Predicted    Predicted             `json:"predicted"`
	Lookahead    Lookahead             `json:"lookahead"`
	Shadow       Effort                `json:"shadow"` // re-runs with taint tracking
	Triage       Effort                `json:"judged"` // re-runs by the oracles, including shrinking
	Scripted     Effort                `json:"agents"` // inputs with a scripted attacker contract
	Reuse        Reuse                 `json:"reuse"`
	Sources      map[string]SourceStat `json:"sources,omitempty"`
	Firsts       []FirstHit            `json:"firsts,omitempty"`   // for experiments
	Work         uint64                `json:"work,omitempty"`     // that inputs took, in units of exec.Budget
	Unconfirmed  int                   `json:"unconfirmed"`        // candidates that a fresh World did not reproduce
	Rejected     int                   `json:"rejected,omitempty"` // inputs that a test does not allow
	Reverts      int                   `json:"reverts,omitempty"`  // of tests: inputs whose last transaction failed otherwise
}

// Coverage counts what there is in the contract under test's deployed code.
type Coverage struct {
	Covered int `json:"covered"`
	Total   int `json:"total"`
}

// Jumps counts outcomes of conditional jumps, the compiler's own checks included:
// two for every jump that ran.
type Jumps struct {
	Covered int `json:"covered"`
	Seen    int `json:"seen"`
}

// Predicted counts input predictions [HARVEY 4.2] that reached their target
// outcome with the first proposal (OneShot) or at all (Succeeded). Searches had
// no line towards an outcome; Found counts those that reached it.
type Predicted struct {
	Tried     int `json:"tried"`
	OneShot   int `json:"oneShot"`
	Succeeded int `json:"succeeded"`
	Searches  int `json:"searches"`
	Found     int `json:"found"`
}

// A FirstHit is the first execution of a basic block of the deployed code.
type FirstHit struct {
	PC      uint64  `json:"pc"`
	Inputs  int     `json:"inputs"`
	Seconds float64 `json:"seconds"`
}

// Lookahead counts calls of the lookahead analysis, those that found a
// no-target-ahead prefix shorter than the path, the distinct prefixes, and the
// total time.
type Lookahead struct {
	Calls   int     `json:"calls"`
	Proper  int     `json:"proper"`
	IDs     int     `json:"ids"`
	Seconds float64 `json:"seconds"`
}

// An Effort is a number of runs and their total time over all workers.
type Effort struct {
	Runs    int     `json:"runs"`
	Seconds float64 `json:"seconds"`
}

// A Reuse counts what a campaign did not execute because it had before: inputs,
// and transactions before the last one. Again are transactions that it executed
// although it had, as it had forgotten where they lead to.
type Reuse struct {
	Repeats int `json:"repeats"`
	Found   int `json:"found"`
	Again   int `json:"again"`
}

// A SourceStat counts the results of one source of inputs. Repeats were not
// executed.
type SourceStat struct {
	Tried    int `json:"tried"`
	Repeats  int `json:"repeats"`
	NewPaths int `json:"newPaths"`
	Findings int `json:"findings"`
}
