// Package lookahead tells which prefixes of an executed path can no longer
// lead to a target, whatever the rest of the input: the online static
// analysis and the power schedule of "Targeted Greybox Fuzzing with Static
// Lookahead Analysis" (ICSE 2020), sections IV and V.
//
// An abstract interpreter over EVM bytecode with constants, and equalities
// between unknown words, follows the recorded path (prefix inference); at the
// first entry into each basic block a forward fixpoint asks whether a target
// can still be reached from there (suffix check). It is sound: a target that
// it calls unreachable is unreachable, in any environment.
//
// It knows bytecode, but neither sources, worlds nor the search: traces,
// targets and the concrete meaning of opcodes are handed in.
package lookahead

import "encoding/hex"

// A Target is a place to reach. Codes are numbered by the caller.
type Target struct {
	Code int
	PC   uint32
}

// A SplitPoint is the first instruction of a basic block along a path.
type SplitPoint struct {
	Code int
	PC   uint32
}

// A Trace is the recorded execution of one frame: where each jump went, and
// which frames it opened. From these and the code the path follows.
type FrameTrace struct {
	Code  int
	Dests []uint32 // pc at which execution went on after each JUMP and JUMPI, in order; pc+1 of a JUMPI that was not taken
	Calls []Call   // frames opened, in order
	Rest  uint64   // hash of what was left out, 0 if the record is complete
}

// A Call is a frame that a Trace opened.
type Call struct {
	PC    uint32      // of the instruction that opened it
	After int         // Dests before it
	Trace *FrameTrace // nil if no code ran or none that is observed
}

// An ID is a lookahead identifier: a cryptographic hash of a no-target-ahead
// prefix (Definition 3).
type ID [16]byte

func (id ID) String() string { return hex.EncodeToString(id[:]) }

// A Result is what the analysis tells of a path (Definition 4).
type Result struct {
	ID           ID
	SplitPoints  []SplitPoint // along the prefix, in order; those of called frames among them
	Proper       bool         // the prefix is shorter than the path: no target is ahead
	Instructions int          // of the prefix, in the outermost frame
}
