// Package hostile makes contracts that are hard on a fuzzer: arguments that
// grow with every level of their type, code that no compiler writes, calls that
// are slow for the gas they cost, constructors that do not end. Tests and
// `make storm` fuzz them to see that campaigns keep their time and memory.
package hostile

import (
	"fmt"
	"slices"
	"strings"
)

// A Contract is one source with one contract to fuzz, named Hostile.
type Contract struct {
	Name     string // what is hard on the fuzzer; unique
	Source   string
	Unfuzzed bool // it may be found that it cannot be fuzzed, with a note
}

// Name is what the contract to fuzz is called in every source.
const Name = "Hostile"

// All lists the contracts.
func All() []Contract {
	return slices.Concat(types(), sizes(), codes(), executions(), deployments())
}

// file makes a source file of declarations.
func file(declarations ...string) string {
	return "// SPDX-License-Identifier: Apache-2.0\npragma solidity ^0.8.26;\n\n" + strings.Join(declarations, "\n\n") + "\n"
}

// body makes a source whose contract has the members.
func body(members ...string) string { return file(contract(members...)) }

// contract declares the contract to fuzz, less what lies around it.
func contract(members ...string) string {
	return "contract " + Name + " {\n" + strings.Join(members, "\n") + "\n}"
}

// times repeats a text for numbers from 0 to n-1, which stand for its verbs.
func times(n int, separator, format string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf(strings.ReplaceAll(format, "%d", "%[1]d"), i)
	}
	return strings.Join(parts, separator)
}
