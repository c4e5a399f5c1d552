package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// A caseRow is a contract with a known bug and the required effort to find it:
// medians of 24 seeds, one worker.
type caseRow struct {
	file, contract   string
	oracle, function string  // function: start of its signature
	mustInputs       float64 // 0: no requirement
	mustSeconds      float64
	aimInputs        float64
	peers            string // effort of other fuzzers: inputs, seconds
	line             int    // of the finding, where the function has several; 0: any
}

// caseRows are the required numbers, with the results of papers and other
// fuzzers on contracts of the same logic.
var caseRows = []caseRow{
	{"FivePaths.sol", "FivePaths", "assertion", "five(", 200, 0.05, 50, "HARVEY 15545, 8; medusa 225, 0.07; forge 52136, 0.67", 0},
	{"ThreeStep.sol", "ThreeStep", "assertion", "check(", 130, 0.06, 50, "HARVEY 48117, 29; medusa 147, 0.06; forge 40000, 0.76", 0},
	{"Quiz.sol", "Quiz", "unchecked-call", "attempt(", 2000, 0.2, 300, "medusa 20717, 1.0; forge 10100, 0.86", 0},
	{"Quiz.sol", "Quiz", "gasless-send", "attempt(", 2000, 0.2, 300, "as above", 0},
	{"LoopMaze.sol", "LoopMaze", "assertion", "run(", 2000, 0.2, 300, "lookahead 27 s; medusa 31897, 4.1; forge 166, 0.01", 0},
	{"LoopMaze.sol", "LoopMazeHard", "assertion", "run(", 2000, 0.2, 300, "lookahead 27 s, 263 s without", 0},
	{"BonusCodes.sol", "BonusCodes", "arbitrary-write", "replace(", 5000, 1, 500, "HARVEY 43950, 25; medusa, forge not in 120 s", 0},
	{"Rebate.sol", "Rebate", "assertion", "", 50000, 5, 2000, "medusa, forge not in 120 s", 0},
	{"Affine.sol", "Affine", "assertion", "fire(", 20000, 2, 1000, "-", 0},
	{"Squares.sol", "Squares", "assertion", "f(", 0, 0, 0, "-", 13},
	{"Squares.sol", "Squares", "assertion", "f(", 0, 0, 0, "-", 14},
	{"Vault.sol", "Vault", "assertion", "deposit(", 0, 0, 0, "-", 0},
	{"Vault.sol", "Vault", "overflow", "addFee(", 0, 0, 0, "-", 0},
	{"Vault.sol", "Vault", "reentrancy", "rescue(", 0, 0, 0, "-", 0},
}

var casesExperiment = experiment{
	name: "cases", short: "how soon the bugs of small contracts are found, beside what is demanded",
	defaults: flags{seeds: 24, time: 10 * time.Second},
	extra: func(cmd *cobra.Command, o *options) {
		cmd.Flags().StringVar(&o.cases, "cases", "cases", "folder of the cases")
	},
	matrix: casesMatrix,
	tables: casesTables,
}

// subject is a run that ends with the first finding of the row's oracle, unless
// that finding may be another bug.
func (c caseRow) subject(o *options) subject {
	s := subject{
		file: filepath.Join(o.cases, c.file), contract: c.contract, label: c.label(),
		args: []string{"--oracles", c.oracle},
	}
	if c.line > 0 {
		s.args = append(s.args, "--max-inputs", "5000")
	} else {
		s.args = append(s.args, "--stop-on-first")
	}
	return s
}

// label identifies a row: a contract can have several bugs.
func (c caseRow) label() string {
	if c.line > 0 {
		return fmt.Sprintf("%s %s:%d", c.contract, c.oracle, c.line)
	}
	return c.contract + " " + c.oracle
}

// wants reports whether a finding is the row's bug.
func (c caseRow) wants(f finding) bool {
	return f.Oracle == c.oracle && strings.HasPrefix(f.Function, c.function) && (c.line == 0 || f.Line == c.line)
}

func casesMatrix(o *options) (matrix, error) {
	m := matrix{configs: []string{"B"}}
	for _, c := range caseRows {
		m.subjects = append(m.subjects, c.subject(o))
	}
	return m, nil
}

func casesTables(o *options, all *records) []table {
	t := table{
		title:  fmt.Sprintf("Bugs in small contracts: medians of %d seeds, one worker, %s at most", o.seeds, o.budget()),
		notes:  all.notes(o),
		header: []string{"case", "found", "inputs", "must", "aim", "seconds", "must", "", "peers: inputs, s"},
	}
	for _, c := range caseRows {
		list := all.of(c.label(), "B")
		if len(list) == 0 {
			continue
		}
		seconds, inputs, found := searches(list, o.time.Seconds(), c.wants)
		t.rows = append(t.rows, []string{
			c.label(), fmt.Sprintf("%d/%d", found, len(list)), number(median(inputs)), demand(c.mustInputs), demand(c.aimInputs),
			number(median(seconds)), demand(c.mustSeconds), c.verdict(median(inputs), median(seconds)), c.peers,
		})
	}
	return []table{t}
}

func (c caseRow) verdict(inputs, seconds float64) string {
	switch {
	case c.mustInputs == 0:
		return ""
	case inputs > c.mustInputs && seconds > c.mustSeconds:
		return "misses both"
	case inputs > c.mustInputs:
		return "misses inputs"
	case seconds > c.mustSeconds:
		return "misses seconds"
	case inputs <= c.aimInputs:
		return "aim"
	}
	return "must"
}

func demand(x float64) string {
	if x == 0 {
		return "-"
	}
	return "≤ " + number(x)
}
