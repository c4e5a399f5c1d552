package main

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"leveret/engine/bench/projects"
)

// A key names a test. setUp() stands for whatever happens before a suite's tests,
// constructors included.
type key = projects.Key

// A verdict is what one program says about a test.
type verdict struct {
	Status  string  `json:"status"` // passed, failed, skipped, or absent
	Reason  string  `json:"reason,omitempty"`
	kind    string  // unit, fuzz, table or invariant
	Seconds float64 `json:"seconds,omitempty"`
	Gas     uint64  `json:"gas,omitempty"` // of unit tests
}

const setUp = "setUp()"

// readForge reads what `forge test --json` prints.
func readForge(text []byte) (map[key]verdict, error) {
	results, err := projects.ReadForge(text)
	if err != nil {
		return nil, err
	}
	verdicts := map[key]verdict{}
	for k, r := range results {
		if k.Test == "constructor()" {
			k.Test = setUp
		}
		verdicts[k] = verdict{Status: r.Status, Reason: r.Reason, kind: r.Kind, Seconds: r.Seconds, Gas: r.Gas}
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
				Gas                        uint64
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
			verdicts[key{Suite: suite, Test: setUp}] = verdict{Status: "failed", Reason: s.Error, kind: "unit"}
			continue
		}
		for _, t := range s.Tests {
			verdicts[key{Suite: suite, Test: t.Name}] = verdict{Status: t.Status, Reason: t.Reason, kind: t.Kind, Seconds: t.Seconds, Gas: t.Gas}
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
		list = append(list, comparison{k.Suite, k.Test, f.kind, f, l})
	}
	for k, l := range leveret {
		if _, ok := forge[k]; !ok {
			list = append(list, comparison{k.Suite, k.Test, l.kind, absent, l})
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
