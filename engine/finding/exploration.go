package finding

import (
	"github.com/holiman/uint256"

	"leveret/engine/input"
	"leveret/solc/srcmap"
)

// An CoverageReport tells in terms of the source where a campaign went: what ran,
// and how near it came to what did not. It counts the last transaction of each
// input, which is the one that is searched with; constructors are no part of
// it. It is immutable.
type CoverageReport struct {
	Files     []FileCoverage     // those with deployed code, by name
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

// BranchCoverage is a place where the code goes one of two ways.
type BranchCoverage struct {
	Line     int              // 1-based, of its start
	Span     srcmap.Span      // of the condition, or of the statement that has it
	Outcomes [2]BranchOutcome // falls through, jumps
}

// An Arm is one of the two ways.
type BranchOutcome struct {
	Taken    bool
	Near     bool        // not taken, and Distance is known
	Distance uint256.Int // of the nearest input, as the campaign measures it
}

// Taken counts the ways of a branch that were taken.
func (b *BranchCoverage) Taken() int {
	n := 0
	for _, arm := range b.Outcomes {
		if arm.Taken {
			n++
		}
	}
	return n
}

// FunctionCoverage is what a campaign spent on calls of one function.
type FunctionCoverage struct {
	Function *input.Function
	Inputs   int // that end with a call of it
	Paths    int // of these calls
}
