package projects

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// A Key names a test: the suite as FILE:CONTRACT, and the test's signature.
type Key struct {
	Suite, Test string
}

// A Result is what forge says about a test.
type Result struct {
	Status  string // passed, failed or skipped
	Reason  string
	Kind    string // unit, fuzz, table or invariant
	Runs    int    // of a fuzz or invariant test
	Gas     uint64 // of a unit test
	Seconds float64
}

// ReadForge reads what `forge test --json` prints.
func ReadForge(text []byte) (map[Key]Result, error) {
	var suites map[string]struct {
		Results map[string]struct {
			Status, Reason, Duration string
			Kind                     map[string]struct {
				Runs int
				Gas  uint64
			}
		} `json:"test_results"`
	}
	// Before the object, forge can print lines about the compilation.
	if at := strings.LastIndex(string(text), "\n{\""); at >= 0 {
		text = text[at:]
	}
	if err := json.Unmarshal(text, &suites); err != nil {
		return nil, err
	}
	statuses := map[string]string{"Success": "passed", "Failure": "failed", "Skipped": "skipped"}
	results := map[Key]Result{}
	for suite, s := range suites {
		for test, r := range s.Results {
			v := Result{Status: statuses[r.Status], Reason: r.Reason}
			for kind, about := range r.Kind {
				v.Kind, v.Runs, v.Gas = strings.ToLower(kind), about.Runs, about.Gas
			}
			took, err := time.ParseDuration(strings.ReplaceAll(r.Duration, " ", ""))
			if err != nil || v.Status == "" {
				return nil, fmt.Errorf("%s, %s: status %q, duration %q", suite, test, r.Status, r.Duration)
			}
			v.Seconds = took.Seconds()
			results[Key{suite, test}] = v
		}
	}
	return results, nil
}
