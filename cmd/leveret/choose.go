package main

import (
	"fmt"
	"slices"
	"strings"

	"leveret/engine"
	"leveret/solc"
)

// A candidate is a contract that might be fuzzed.
type candidate struct {
	unit     unit
	contract *solc.Contract
	note     string // why it is not; empty if it is
}

// choose lists the contracts of the units. Without names these are the ones
// that the files asked for define; names, "Token" or "src/Token.sol:Token",
// choose among all, libraries of others included.
func choose(units []unit, names []string) ([]candidate, error) {
	var out []candidate
	for _, u := range units {
		for _, c := range u.build.Contracts {
			source := u.build.Source(c.File)
			own := source != nil && slices.Contains(u.files, source.Path)
			if len(names) == 0 && own || slices.ContainsFunc(names, func(n string) bool { return isNamed(c, n) }) {
				out = append(out, candidate{u, c, c.Unfuzzable()})
			}
		}
	}
	for _, n := range names {
		if !slices.ContainsFunc(out, func(c candidate) bool { return isNamed(c.contract, n) }) {
			return nil, noSuchContract(n, units)
		}
	}
	return distinct(out), nil
}

func isNamed(c *solc.Contract, name string) bool {
	return name == c.Name || name == c.File+":"+c.Name
}

// distinct drops contracts that several units have compiled, as happens to
// what is imported.
func distinct(list []candidate) []candidate {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(c candidate) bool {
		key := c.unit.project.Root + "\x00" + c.contract.File + "\x00" + c.contract.Name
		double := seen[key]
		seen[key] = true
		return double
	})
}

// kindOf names what a contract is, if that alone is why it is not fuzzed.
func kindOf(c *solc.Contract) string {
	switch {
	case c.Kind == solc.KindInterface:
		return "interface"
	case c.Kind == solc.KindLibrary:
		return "library"
	case c.Abstract:
		return "abstract contract"
	case c.Harness() != "":
		return "test"
	}
	return ""
}

// noSuchContract names what there is in place of what was asked for.
func noSuchContract(name string, units []unit) error {
	var have []string
	for _, u := range units {
		for _, c := range u.build.Contracts {
			if c.Deployable() && !slices.Contains(have, c.Name) {
				have = append(have, c.Name)
			}
		}
	}
	const most = 8
	if len(have) > most {
		have = append(have[:most], "…")
	}
	if len(have) == 0 {
		return fmt.Errorf("--contract %s: there is no such contract, nor any other with code", name)
	}
	return fmt.Errorf("--contract %s: there is no such contract; there are %s", name, strings.Join(have, ", "))
}

// aim gives each candidate its targets. With lines to aim at, contracts that
// have nothing to do with them are left out.
func aim(list []candidate, files []fileLines) (aimed []candidate, lines [][]engine.Lines) {
	for _, c := range list {
		t := targets(c.unit.build, files)
		if c.note == "" && touches(c.contract, t) {
			aimed, lines = append(aimed, c), append(lines, t)
		}
	}
	return aimed, lines
}
