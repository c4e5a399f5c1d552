package finding

import (
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// An Aim tells what became of lines of source as targets of a campaign: which
// instructions they are, from where these can be reached as far as the
// lookahead analysis can tell, and how near a short campaign came.
type TargetReport struct {
	Note      string              // why there is nothing to tell; empty otherwise
	Codes     []TargetCode        // deployed codes with instructions of the lines
	Creation  int                 // instructions of the lines in what runs at deployment only
	Functions []TargetEntry       // what can be called from outside
	Guards    []ConstantCondition // conditions that keep every call away; set if no function reaches
	Inputs    int                 // that were tried
	Hits      int                 // of them, those that ran some of the lines with their last transaction
	First     input.Sequence
	Nearest   []NearMiss // outcomes on the way that no input took, the nearest to the lines first
}

// AimedCode is a deployed code with instructions of the lines.
type TargetCode struct {
	Contract     string
	Instructions int
	Blocks       []TargetBlock
}

// AimedBlock is a basic block with instructions of the lines.
type TargetBlock struct {
	Start, End uint32 // pcs
	Hits       int    // inputs that ran it
}

// An AimedEntry is a function, and whether calls of it reach the lines.
type TargetEntry struct {
	Contract string
	Function *input.Function
	Verdict  Reachability
	Jumps    int // at least so many conditional jumps before the lines; if they are reached
}

// AimVerdict is what the analysis says of the calls of a function.
type Reachability uint8

// The verdicts.
const (
	Unreachable Reachability = iota // proved for all arguments and states
	Reachable                       // a way was found; arguments and state that take it may not exist
	CallsOut                        // it calls other contracts, which were not followed
	Unknown                         // the analysis gave up
)

// A Guard is a condition that always turns out the same.
type ConstantCondition struct {
	Place Place
	Text  string
}

// A Miss is an outcome that no input took.
type NearMiss struct {
	Place    Place
	Text     string
	Jumps    int // conditional jumps between it and the lines
	Distance uint256.Int
	Sequence input.Sequence // that came nearest
}
