package finding

import (
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

// A FunctionCoverage counts the calls of one function.
type FunctionCoverage struct {
	Function *input.Function
	Inputs   int // that end with such a call
	Paths    int // of these calls
}
