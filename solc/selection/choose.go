package selection

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"leveret/solc"
)

// A Candidate is a contract that can be fuzzed, or one with the reason why not.
type Candidate struct {
	Unit     Unit
	Contract *solc.Contract
	Note     string // why it is not fuzzed; empty if it is
}

// Choose lists the contracts of units: without names, those that the selected
// files define, of which helpers of tests get a Note. Names, "Token" or "src/Token.sol:Token", choose among all
// contracts, those of dependencies included.
func Choose(units []Unit, names []string) ([]Candidate, error) {
	var out []Candidate
	for _, u := range units {
		for _, c := range u.Build.Contracts {
			source := u.Build.Source(c.File)
			own := source != nil && slices.Contains(u.Files, source.Path)
			if len(names) == 0 && own || slices.ContainsFunc(names, func(n string) bool { return isNamed(c, n) }) {
				out = append(out, Candidate{u, c, c.Unfuzzable()})
			}
		}
	}
	for _, n := range names {
		if !slices.ContainsFunc(out, func(c Candidate) bool { return isNamed(c.Contract, n) }) {
			return nil, noSuchContract(n, units)
		}
	}
	out = distinct(out)
	if len(names) == 0 {
		leaveHelpers(out)
	}
	return out, nil
}

func isNamed(c *solc.Contract, name string) bool {
	return name == c.Name || name == c.File+":"+c.Name
}

// distinct drops duplicates: several units compile the same import.
func distinct(list []Candidate) []Candidate {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(c Candidate) bool {
		key := c.Unit.Project.Root + "\x00" + c.Contract.File + "\x00" + c.Contract.Name
		double := seen[key]
		seen[key] = true
		return double
	})
}

// noSuchContract names the file that declares the contract and was not compiled, or
// lists the contracts that exist.
func noSuchContract(name string, units []Unit) error {
	if file := declaring(NameOf(name), units); file != "" {
		return fmt.Errorf("%s: %s declares it and was not compiled; name this file, or fix the errors above", name, file)
	}
	var have []string
	for _, u := range units {
		for _, c := range u.Build.Contracts {
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
		return fmt.Errorf("%s: no such contract, and no other contract has code", name)
	}
	return fmt.Errorf("%s: no such contract; the contracts are %s", name, strings.Join(have, ", "))
}

// declaring returns the file of the projects of units that declares a contract and is not
// compiled, relative to the project, or an empty string.
func declaring(name string, units []Unit) string {
	for _, u := range units {
		sources, _ := u.Project.Files()
		tests, _ := u.Project.TestFiles()
		for _, path := range append(sources, tests...) {
			if u.Project.Declares(path, name) && CountCompiled([]string{path}, units) == 0 {
				return filepath.ToSlash(strings.TrimPrefix(path, u.Project.Root+string(filepath.Separator)))
			}
		}
	}
	return ""
}
