// Package hostile generates contracts that stress a fuzzer: arguments that grow
// with every level of their type, code that no compiler writes, calls that are
// slow for their gas, constructors that do not end. Tests and `make storm` fuzz
// them to check the time and memory limits of campaigns.
package hostile

import (
	"fmt"
	"slices"
	"strings"
)

// A Contract is one source with one contract to fuzz, named Hostile.
type Contract struct {
	Name     string // what stresses the fuzzer; unique
	Source   string
	Unfuzzed bool // it may end with a note instead of a campaign
}

// Name is the name of the contract to fuzz in every source.
const Name = "Hostile"

// All lists the contracts.
func All() []Contract {
	return slices.Concat(types(), sizes(), codes(), executions(), deployments())
}

// file returns a source file with declarations.
func file(declarations ...string) string {
	return "// SPDX-License-Identifier: Apache-2.0\npragma solidity ^0.8.26;\n\n" + strings.Join(declarations, "\n\n") + "\n"
}

// body returns a source whose contract has the members.
func body(members ...string) string { return file(contract(members...)) }

// contract returns the contract to fuzz without the rest of the file.
func contract(members ...string) string {
	return "contract " + Name + " {\n" + strings.Join(members, "\n") + "\n}"
}

// times repeats a format for the numbers from 0 to n-1.
func times(n int, separator, format string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf(strings.ReplaceAll(format, "%d", "%[1]d"), i)
	}
	return strings.Join(parts, separator)
}
