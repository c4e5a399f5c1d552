package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The parts of a test in Echidna's Haskell: testContract FILE CONFIG EXPECTATIONS,
// testContractV FILE VERSIONS CONFIG EXPECTATIONS, testContract' FILE CONTRACT VERSIONS CONFIG
// BOOL WORKER EXPECTATIONS, and testForgeStd NAME FILE CONTRACT CONFIG WORKER EXPECTATIONS.
var (
	testStart   = regexp.MustCompile(`(?:testContract[V']?|testForgeStd\s+"[^"]*")\s+"([^"]+)"`)
	testConfig  = regexp.MustCompile(`Just "([^"]+\.yaml)"`)
	testName    = regexp.MustCompile(`^\s*\(Just "([A-Za-z0-9_]+)"\)`)
	testVersion = regexp.MustCompile(`(>=|<=|==|>|<)\s*solcV \((\d+),(\d+),(\d+)\)`)
	testExpects = regexp.MustCompile(`\b(solved|passed|notPresent|solvedUsing|solvedLen (\d+)|optimized|solvedWithout NoCall)\s+"([A-Za-z0-9_]+)"(?:\s+(\d+))?`)
)

// echidnaCases reads the tests of a checkout of Echidna.
func echidnaCases(checkout string) (cases []harness, err error) {
	files, err := filepath.Glob(filepath.Join(checkout, "src/test/Tests/*.hs"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("%s has no src/test/Tests: name a checkout of crytic/echidna", checkout)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		cases = append(cases, parseEchidna(string(text), filepath.Join(checkout, "tests/solidity"))...)
	}
	return cases, nil
}

// parseEchidna reads the tests of a file. Those with a symbolic worker, and those that
// expect nothing of a test's verdict, are left out.
func parseEchidna(text, folder string) (cases []harness) {
	text = regexp.MustCompile(`(?m)^\s*--.*$`).ReplaceAllString(text, "")
	for _, at := range testStart.FindAllStringSubmatchIndex(text, -1) {
		head, body, ok := strings.Cut(text[at[1]:], "[")
		if !ok || strings.Contains(head, "SymbolicWorker") {
			continue
		}
		body = bracketed(body)
		c := harness{Tool: "echidna", File: text[at[2]:at[3]], folder: folder}
		if name := testName.FindStringSubmatch(head); name != nil {
			c.Contract = name[1]
		}
		if config := testConfig.FindStringSubmatch(head); config != nil {
			c.Config = config[1]
		}
		for _, v := range testVersion.FindAllStringSubmatch(head, -1) {
			c.between.add(v[1], v[2:])
			c.Compilers = strings.TrimSpace(c.Compilers + " " + v[1] + strings.Join(v[2:], "."))
		}
		for _, e := range testExpects.FindAllStringSubmatch(body, -1) {
			if want := expectationOf(e); !slices.Contains(c.Expected, want) {
				c.Expected = append(c.Expected, want)
			}
		}
		if len(c.Expected) > 0 {
			cases = append(cases, c)
		}
	}
	return cases
}

// bracketed is a text up to the bracket that closes an open one.
func bracketed(text string) string {
	depth := 1
	for i, r := range text {
		switch r {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return text[:i]
			}
		}
	}
	return text
}

// expectationOf reads a match of testExpects. How a test was solved is not compared.
func expectationOf(match []string) expectation {
	e := expectation{Test: match[3], Kind: solved}
	switch match[1] {
	case "passed":
		e.Kind = passed
	case "notPresent":
		e.Kind = absent
	case "optimized":
		e.Kind, e.Value = optimized, match[4]
	}
	e.Count, _ = strconv.Atoi(match[2])
	return e
}

// Versions are bounds of compiler versions, as numbers that compare.
type versions struct{ from, to int } // to is exclusive; 0: none

// add narrows the bounds by one comparison.
func (v *versions) add(operator string, parts []string) {
	n := versionNumber(parts)
	switch operator {
	case ">=":
		v.from = n
	case ">":
		v.from = n + 1
	case "<":
		v.to = n
	case "<=":
		v.to = n + 1
	case "==":
		v.from, v.to = n, n+1
	}
}

func (v versions) contain(version string) bool {
	n := versionNumber(strings.Split(version, "."))
	return n >= v.from && (v.to == 0 || n < v.to)
}

func versionNumber(parts []string) (n int) {
	for _, part := range parts {
		digit, _ := strconv.Atoi(part)
		n = 1000*n + digit
	}
	return n
}
