// Package srcmap turns solc's compressed source maps into spans, program
// counters into spans, and byte offsets into lines and columns.
//
// It knows neither the syntax tree nor the file system.
// The format is described in the Solidity documentation, "Source Mappings".
package srcmap

// A Span is a half-open range of bytes in one source of a compilation.
// Source is the compiler's source index; -1 means code that belongs to no
// source (the compiler's own).
type Span struct {
	Source int `json:"source"`
	Start  int `json:"start"`  // byte offset
	Length int `json:"length"` // bytes
}

// End returns the byte offset behind the last byte of s.
func (s Span) End() int { return s.Start + s.Length }

// Contains reports whether t lies within s, in the same source.
func (s Span) Contains(t Span) bool {
	return s.Source == t.Source && s.Start <= t.Start && t.End() <= s.End()
}

// A Position is a place in a text as people count it: both fields 1-based,
// the column in characters (Unicode code points).
type Position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// A Jump is the kind of a JUMP instruction in the source map.
type Jump byte

// The jump kinds of the source-map format.
const (
	JumpRegular Jump = '-'
	JumpInto    Jump = 'i' // into a function
	JumpOut     Jump = 'o' // return from a function
)

// An Entry is the decoded source-map entry of one instruction.
type Entry struct {
	Span
	Jump          Jump
	ModifierDepth int
}
