// Package srcmap converts solc's compressed source maps and program counters to
// spans, and byte offsets to lines and columns.
//
// It depends neither on the syntax tree nor on the file system. The Solidity
// documentation, "Source Mappings", describes the format.
package srcmap

// A Span is a half-open range of bytes in one source of a compilation. Source is
// the compiler's source index, or -1 for code without a source, which the
// compiler generated.
type Span struct {
	Source int `json:"source"`
	Start  int `json:"start"`  // byte offset
	Length int `json:"length"` // bytes
}

// End returns the byte offset after the last byte of s.
func (s Span) End() int { return s.Start + s.Length }

// Contains reports whether t lies within s, in the same source.
func (s Span) Contains(t Span) bool {
	return s.Source == t.Source && s.Start <= t.Start && t.End() <= s.End()
}

// A Position is a 1-based line and column in a text; columns count characters
// (Unicode code points).
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
