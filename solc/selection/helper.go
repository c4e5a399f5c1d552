package selection

import (
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"leveret/solc"
)

// helperName matches the names of contracts and files that only help to test others:
// those with a word "Mock" or "Mockup", and those whose first or last word is "Test",
// each also in the plural. A capital letter or an underscore begins a word.
var helperName = regexp.MustCompile(`(?:Mock|(?:^|[_-])mock)(?:up)?s?(?:[^a-z]|$)|^[Tt]ests?(?:[^a-z]|$)|(?:Test|[_-]test)s?$`)

// leaveHelpers notes contracts that only help to test others: nobody asked for
// them, and findings in them help nobody. Those with properties are tests by
// themselves, and an abstract contract that only helpers inherit from runs in
// them alone. If there is nothing else, all are fuzzed.
func leaveHelpers(list []Candidate) {
	helps := func(c Candidate) bool { return c.Note == "" && isHelper(c) }
	if !slices.ContainsFunc(list, func(c Candidate) bool { return c.Note == "" && !helps(c) }) {
		return
	}
	left := make([]bool, len(list))
	for i, c := range list {
		left[i] = helps(c) && !runsAlone(c, list)
	}
	for i := range list {
		if left[i] {
			name := list[i].Contract.Name
			list[i].Note = name + " only helps to test others, by its name or its file's; name its file, or use --contract " + name
		}
	}
}

// isHelper reports whether a contract that no path names only helps to test others.
func isHelper(c Candidate) bool {
	file := c.Contract.File
	if source := c.Unit.Build.Source(file); source != nil && slices.Contains(c.Unit.Named, source.Path) {
		return false
	}
	stem := strings.TrimSuffix(path.Base(filepath.ToSlash(file)), ".sol")
	return (helperName.MatchString(c.Contract.Name) || helperName.MatchString(stem)) && !c.Contract.RunsTests() && !hasProperties(c.Contract)
}

// hasProperties reports whether a contract has functions that are named like
// properties.
func hasProperties(c *solc.Contract) bool {
	for signature := range maps.Keys(c.Methods) {
		for _, prefix := range []string{"invariant", "echidna", "property"} {
			if strings.HasPrefix(signature, prefix) && strings.HasSuffix(signature, "()") {
				return true
			}
		}
	}
	return false
}

// runsAlone reports whether a helper inherits from a contract of the project that
// can run in no other contract than a helper.
func runsAlone(helper Candidate, list []Candidate) bool {
	for _, base := range list {
		if base.Contract == helper.Contract || !base.Contract.Abstract && !base.Contract.Inherited() || !inherits(helper, base) {
			continue
		}
		runs := func(c Candidate) bool { return c.Note == "" && !isHelper(c) && inherits(c, base) }
		if !slices.ContainsFunc(list, runs) {
			return true
		}
	}
	return false
}

// inherits reports whether a contract inherits from another one. The runs of the
// compiler that compiled them may differ.
func inherits(c, base Candidate) bool {
	if c.Contract.Node == nil || c.Unit.Project != base.Unit.Project {
		return false
	}
	bases := c.Contract.Node.Bases()
	return slices.ContainsFunc(c.Unit.Build.Contracts, func(o *solc.Contract) bool {
		return o.Node != nil && o.File == base.Contract.File && o.Name == base.Contract.Name && slices.Contains(bases, o.Node.ID)
	})
}
