package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A key names a test: the suite as FILE:CONTRACT, and the test's signature.
// setUp() stands for whatever happens before a suite's tests, constructors included.
type key struct {
	suite, test string
}

// A verdict is what one program says about a test.
type verdict struct {
	Status  string  `json:"status"` // passed, failed, skipped, or absent
	Reason  string  `json:"reason,omitempty"`
	kind    string  // unit, fuzz, table or invariant
	Seconds float64 `json:"seconds,omitempty"`
}

const setUp = "setUp()"

// readForge reads what `forge test --json` prints.
func readForge(text []byte) (map[key]verdict, error) {
	var suites map[string]struct {
		Results map[string]struct {
			Status, Reason, Duration string
			Kind                     map[string]json.RawMessage
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
	verdicts := map[key]verdict{}
	for suite, s := range suites {
		for test, r := range s.Results {
			v := verdict{Status: statuses[r.Status], Reason: r.Reason}
			for kind := range r.Kind {
				v.kind = strings.ToLower(kind)
			}
			took, err := time.ParseDuration(strings.ReplaceAll(r.Duration, " ", ""))
			if err != nil || v.Status == "" {
				return nil, fmt.Errorf("%s, %s: status %q, duration %q", suite, test, r.Status, r.Duration)
			}
			v.Seconds = took.Seconds()
			if test == "constructor()" {
				test = setUp
			}
			verdicts[key{suite, test}] = v
		}
	}
	return verdicts, nil
}

// readLeveret reads what `leveret test --format json` prints.
func readLeveret(text []byte) (map[key]verdict, error) {
	var report struct {
		Suites []struct {
			File, Contract, Error string
			Tests                 []struct {
				Name, Kind, Status, Reason string
				Seconds                    float64
			}
		}
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return nil, err
	}
	verdicts := map[key]verdict{}
	for _, s := range report.Suites {
		suite := s.File + ":" + s.Contract
		if s.Error != "" {
			verdicts[key{suite, setUp}] = verdict{Status: "failed", Reason: s.Error, kind: "unit"}
			continue
		}
		for _, t := range s.Tests {
			verdicts[key{suite, t.Name}] = verdict{t.Status, t.Reason, t.Kind, t.Seconds}
		}
	}
	return verdicts, nil
}

// A comparison is one test of both programs.
type comparison struct {
	Suite   string  `json:"suite"`
	Test    string  `json:"test"`
	Kind    string  `json:"kind"` // forge's, or leveret's if forge has no such test
	Forge   verdict `json:"forge"`
	Leveret verdict `json:"leveret"`
}

// compare pairs the verdicts, sorted by suite and test.
func compare(forge, leveret map[key]verdict) []comparison {
	var list []comparison
	absent := verdict{Status: "absent"}
	for k, f := range forge {
		l, ok := leveret[k]
		if !ok {
			l = absent
		}
		list = append(list, comparison{k.suite, k.test, f.kind, f, l})
	}
	for k, l := range leveret {
		if _, ok := forge[k]; !ok {
			list = append(list, comparison{k.suite, k.test, l.kind, absent, l})
		}
	}
	slices.SortFunc(list, func(a, b comparison) int {
		return cmp.Or(strings.Compare(a.Suite, b.Suite), strings.Compare(a.Test, b.Test))
	})
	return list
}

// searched reports whether the inputs of a test are searched, so that a verdict
// depends on luck.
func (c comparison) searched() bool { return c.Kind == "fuzz" || c.Kind == "invariant" }

// found reports whether leveret found a failure where forge's inputs found none.
func (c comparison) found() bool {
	return c.searched() && c.Forge.Status == "passed" && c.Leveret.Status == "failed"
}

func (c comparison) equal() bool { return c.Forge.Status == c.Leveret.Status }
