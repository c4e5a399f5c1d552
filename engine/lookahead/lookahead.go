// Package lookahead finds prefixes of an executed path that can no longer lead
// to a target, whatever the rest of the input: the online static analysis and
// the power schedule of "Targeted Greybox Fuzzing with Static Lookahead
// Analysis" (ICSE 2020), sections IV and V.
//
// An abstract interpreter over EVM bytecode, with constants and equalities
// between unknown words, follows the recorded path (prefix inference). At the
// first entry into each basic block a forward fixpoint checks whether a target
// is still reachable (suffix check). The analysis is sound: a target that it
// calls unreachable is unreachable in any environment. See docs/engine.md,
// "Lookahead".
//
// It knows bytecode, but no sources, Worlds or search: the caller provides
// traces and targets.
package lookahead

import "encoding/hex"

// A Target is an instruction to reach. The caller numbers the codes.
type Target struct {
	Code int
	PC   uint32
}

// A SplitPoint is the first instruction of a basic block along a path.
type SplitPoint struct {
	Code int
	PC   uint32
}

// A FrameTrace is the recorded execution of one frame: jump destinations and
// opened frames. With the code they determine the path.
type FrameTrace struct {
	Code  int
	Dests []uint32 // pc after each JUMP and JUMPI, in order; pc+1 for a JUMPI that did not jump
	Calls []Call   // opened frames, in order
	Rest  uint64   // hash of the rest of an incomplete record; 0: complete
}

// A Call is a frame that a FrameTrace opened.
type Call struct {
	PC    uint32      // of the calling instruction
	After int         // number of Dests before it
	Trace *FrameTrace // nil if no observed code ran
}

// An ID is a lookahead identifier: a cryptographic hash of a no-target-ahead
// prefix (Definition 3).
type ID [16]byte

func (id ID) String() string { return hex.EncodeToString(id[:]) }

// A Result is the result of the analysis of a path (Definition 4).
type Result struct {
	ID           ID
	SplitPoints  []SplitPoint // along the prefix, in order, those of called frames included
	Proper       bool         // the prefix is shorter than the path: no target is ahead
	Instructions int          // of the prefix, in the outermost frame
}
