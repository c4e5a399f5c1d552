package selection

import (
	"slices"

	"leveret/solc"
)

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
	return c.Contract.HelpsTests()
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
