package finding

import (
	"cmp"
	"maps"
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/input"
	"leveret/solc/srcmap"
)

// A CoverageReport is the coverage of a campaign in terms of source, with
// distances from what was not covered. It counts the last transaction of each
// input and no constructors. It is immutable.
type CoverageReport struct {
	Files     []FileCoverage     // the ones with deployed code, by name
	Functions []FunctionCoverage // of the contract under test, in the order of its ABI
}

// FileCoverage is the coverage of one source file.
type FileCoverage struct {
	File     string // source unit name
	Path     string // absolute, empty if the text came from elsewhere
	Lines    []LineCoverage
	Branches []BranchCoverage
}

// LineCoverage is the coverage of the code that begins on one line.
type LineCoverage struct {
	Line    int // 1-based
	Covered int // instructions
	Total   int
	Hits    int // inputs that ran any of it
}

// A BranchCoverage is a condition of the source: of an if, a loop, a require, a
// conditional expression, a try, or the left side of && and ||. Checks that the
// compiler adds are none.
type BranchCoverage struct {
	Line     int              // 1-based, of its start
	Span     srcmap.Span      // of the statement or expression that branches
	Outcomes [2]BranchOutcome // not jumping, jumping
}

// A BranchOutcome is one outcome of a branch.
type BranchOutcome struct {
	Taken    bool
	Near     bool        // not taken, and Distance is known
	Distance uint256.Int // of the nearest input, by the campaign's metric
}

// Taken counts the covered outcomes.
func (b *BranchCoverage) Taken() int {
	n := 0
	for _, arm := range b.Outcomes {
		if arm.Taken {
			n++
		}
	}
	return n
}

// Nearer merges what two campaigns know of an outcome.
func (a BranchOutcome) Nearer(b BranchOutcome) BranchOutcome {
	switch {
	case a.Taken || !b.Taken && !b.Near:
		return a
	case b.Taken || !a.Near || b.Distance.Lt(&a.Distance):
		return b
	}
	return a
}

// Merge merges the coverage of a line by campaigns on two contracts: the largest
// counts win.
func (a LineCoverage) Merge(b LineCoverage) LineCoverage {
	return LineCoverage{b.Line, max(a.Covered, b.Covered), max(a.Total, b.Total), max(a.Hits, b.Hits)}
}

// MergeFiles merges the coverage of one file by several campaigns.
func MergeFiles(list []FileCoverage) FileCoverage {
	lines, branches := map[int]LineCoverage{}, map[srcmap.Span]BranchCoverage{}
	for _, f := range list {
		for _, l := range f.Lines {
			lines[l.Line] = lines[l.Line].Merge(l)
		}
		for _, b := range f.Branches {
			b.Span.Source = 0 // differs between builds
			if have, ok := branches[b.Span]; ok {
				for i := range b.Outcomes {
					b.Outcomes[i] = b.Outcomes[i].Nearer(have.Outcomes[i])
				}
			}
			branches[b.Span] = b
		}
	}
	merged := FileCoverage{}
	if len(list) > 0 {
		merged.File, merged.Path = list[0].File, list[0].Path
	}
	for _, line := range slices.Sorted(maps.Keys(lines)) {
		merged.Lines = append(merged.Lines, lines[line])
	}
	merged.Branches = slices.SortedFunc(maps.Values(branches), func(a, b BranchCoverage) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.Length, b.Span.Length))
	})
	return merged
}

// A FunctionCoverage counts the calls of one function.
type FunctionCoverage struct {
	Function *input.Function
	Inputs   int // that end with such a call
	Paths    int // of these calls
}
