package main

import (
	"fmt"
	"math/big"
	"strings"
)

// A harness is a contract of one of the tools, with its configuration and what the
// tool's own tests expect.
type harness struct {
	Tool      string        `json:"tool"` // echidna or medusa
	File      string        `json:"file"` // relative to the folder of the contracts
	Contract  string        `json:"contract,omitempty"`
	Config    string        `json:"config,omitempty"` // name of Echidna's file, or Medusa's JSON
	Compilers string        `json:"compilers,omitempty"`
	Expected  []expectation `json:"expected"`

	folder  string   // with the contracts
	between versions // that the test runs with
}

// The kinds of expectations.
const (
	solved    = "fails" // a test fails
	passed    = "does not fail"
	absent    = "is no test"   // the function is no test
	optimized = "is maximized" // to Value at least
	failures  = "tests fail"   // Count of all
	anyFails  = "some test fails"
	noneFails = "no test fails"
)

// An expectation is about one test, or about all of a harness.
type expectation struct {
	Test  string `json:"test,omitempty"` // name of the function; empty: all
	Kind  string `json:"kind"`
	Count int    `json:"count,omitempty"` // of failures, or calls of the counterexample; 0: any
	Value string `json:"value,omitempty"` // of optimized
}

// An outcome is what leveret says about one test.
type outcome struct {
	Name    string   `json:"name"`
	Status  string   `json:"status"`
	Best    string   `json:"best,omitempty"`
	Example []string `json:"counterexample,omitempty"`
}

// met reports whether tests are as expected, and says what they are instead.
func (e expectation) met(tests []outcome) (bool, string) {
	failed := 0
	for _, t := range tests {
		if t.Status == "failed" {
			failed++
		}
	}
	switch e.Kind {
	case anyFails:
		return failed > 0, "none fails"
	case noneFails:
		return failed == 0, fmt.Sprintf("%d fail", failed)
	case failures:
		return failed == e.Count, fmt.Sprintf("%d fail", failed)
	}
	for _, t := range tests {
		if name, _, _ := strings.Cut(t.Name, "("); name == e.Test {
			return e.metBy(&t)
		}
	}
	// Functions in which no assertion fails are not listed.
	return e.Kind == absent || e.Kind == passed, "is no test"
}

func (e expectation) metBy(t *outcome) (bool, string) {
	switch e.Kind {
	case solved:
		ok := t.Status == "failed" && (e.Count == 0 || len(t.Example) == e.Count)
		return ok, fmt.Sprintf("%s, %d calls", t.Status, len(t.Example))
	case passed:
		return t.Status == "passed", t.Status
	case optimized:
		best, ok := new(big.Int).SetString(t.Best, 10)
		want, fine := new(big.Int).SetString(e.Value, 10)
		return ok && fine && best.Cmp(want) >= 0, "best " + t.Best
	}
	return false, t.Status
}

// String describes an expectation.
func (e expectation) String() string {
	switch {
	case e.Kind == failures:
		return fmt.Sprintf("%d %s", e.Count, e.Kind)
	case e.Kind == optimized:
		return fmt.Sprintf("%s %s to %s", e.Test, e.Kind, e.Value)
	case e.Count > 0:
		return fmt.Sprintf("%s %s with %d calls", e.Test, e.Kind, e.Count)
	}
	return strings.TrimSpace(e.Test + " " + e.Kind)
}
