package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// medusaList has what fuzzing/fuzzer_test.go of Medusa expects: its tests are programs
// in Go, whose other parts are about Medusa's own parts.
//
//go:embed medusa.txt
var medusaList string

// medusaCases returns the tests of a checkout of Medusa.
func medusaCases(checkout string) ([]harness, error) {
	folder := filepath.Join(checkout, "fuzzing/testdata/contracts")
	if _, err := os.Stat(folder); err != nil {
		return nil, fmt.Errorf("%s has no fuzzing/testdata/contracts: name a checkout of crytic/medusa", checkout)
	}
	return parseMedusa(medusaList, folder)
}

// parseMedusa reads a list of tests, one a line: file, contracts to deploy, what is
// expected, and settings, KEY=JSON with KEY below "fuzzing".
func parseMedusa(list, folder string) (cases []harness, err error) {
	for line := range strings.Lines(list) {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if len(words) < 3 {
			return nil, fmt.Errorf("medusa.txt: incomplete line %q", line)
		}
		targets := strings.Split(words[1], ",")
		c := harness{Tool: "medusa", File: words[0], Contract: targets[0], folder: folder}
		if c.Expected, err = medusaExpectation(words[2]); err != nil {
			return nil, fmt.Errorf("medusa.txt: %s: %w", words[0], err)
		}
		fuzzing := map[string]any{"targetContracts": targets}
		for _, setting := range words[3:] {
			key, text, _ := strings.Cut(setting, "=")
			var value any
			if err := json.Unmarshal([]byte(text), &value); err != nil {
				return nil, fmt.Errorf("medusa.txt: %s: %s: %w", words[0], key, err)
			}
			set(fuzzing, strings.Split(key, "."), value)
		}
		text, err := json.Marshal(map[string]any{"fuzzing": fuzzing})
		if err != nil {
			return nil, err
		}
		c.Config = string(text)
		cases = append(cases, c)
	}
	return cases, nil
}

// set sets a value of nested objects.
func set(object map[string]any, path []string, value any) {
	for _, key := range path[:len(path)-1] {
		inner, ok := object[key].(map[string]any)
		if !ok {
			inner = map[string]any{}
			object[key] = inner
		}
		object = inner
	}
	object[path[len(path)-1]] = value
}

// medusaExpectation reads fails, passes, a number of failures, or NAME>=VALUE.
func medusaExpectation(word string) ([]expectation, error) {
	switch word {
	case "fails":
		return []expectation{{Kind: anyFails}}, nil
	case "passes":
		return []expectation{{Kind: noneFails}}, nil
	}
	if name, value, ok := strings.Cut(word, ">="); ok {
		return []expectation{{Test: name, Kind: optimized, Value: value}}, nil
	}
	count, err := strconv.Atoi(word)
	return []expectation{{Kind: failures, Count: count}}, err
}
