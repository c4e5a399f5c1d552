package finding

import (
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// A TargetReport explains lines of source as targets of a campaign: their
// instructions, the functions that reach them according to the lookahead
// analysis, and how near a short campaign came.
type TargetReport struct {
	Note      string              // why the report is empty
	Codes     []TargetCode        // deployed codes with instructions of the lines
	Creation  int                 // instructions of the lines that run only at deployment
	Functions []TargetEntry       // external functions
	Guards    []ConstantCondition // conditions that block every call; set if no function reaches the lines
	Inputs    int                 // inputs tried
	Hits      int                 // inputs whose last transaction ran some of the lines
	First     input.Sequence
	Stuck     int        // inputs since something was covered for the first time
	Unguided  int        // of these, inputs with words drawn at random
	Nearest   []NearMiss // outcomes on the way that no input took, the nearest to the lines first
}

// A TargetCode is a deployed code with instructions of the lines.
type TargetCode struct {
	Contract     string
	Instructions int
	Blocks       []TargetBlock
}

// A TargetBlock is a basic block with instructions of the lines.
type TargetBlock struct {
	Start, End uint32 // pcs
	Hits       int    // inputs that ran it
}

// A TargetEntry is a function and whether its calls reach the lines.
type TargetEntry struct {
	Contract string
	Function *input.Function
	Verdict  Reachability
	Jumps    int // minimum number of conditional jumps before the lines, if reachable
}

// A Reachability is the verdict of the lookahead analysis on the calls of a
// function.
type Reachability uint8

// The verdicts.
const (
	Unreachable Reachability = iota // proved for all arguments and states
	Reachable                       // a path exists in the abstraction; no arguments and state may take it
	CallsOut                        // it calls other contracts, which the analysis did not follow
	Unknown                         // the analysis gave up
)

// A ConstantCondition is a condition that never changes.
type ConstantCondition struct {
	Place Place
	Text  string
}

// A NearMiss is an outcome that no input took.
type NearMiss struct {
	Place    Place
	Text     string
	Jumps    int // conditional jumps between the outcome and the lines
	Distance uint256.Int
	Sequence input.Sequence // the nearest one

	Tried    []SourceInputs // inputs that came to the condition, by what made them, the most first
	Compared string         // the values that it compares there, "3 and 77"; empty: unknown
	Depends  []string       // what it depends on: "the sender"
	Needs    []string       // what would change it: "another sender"
}

// SourceInputs is a number of inputs that a source made.
type SourceInputs struct {
	Source string
	Inputs int
}
