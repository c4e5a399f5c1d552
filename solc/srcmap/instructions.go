package srcmap

// Opcodes: of jumps, and those that carry immediate data.
const (
	jump   = 0x56
	push1  = 0x60
	push32 = 0x7f
)

// Instructions joins bytecode with its source map. It maps program counters to
// instructions and to source spans.
type Instructions struct {
	entries []Entry
	pcs     []int32 // by instruction
	index   []int32 // by pc; -1 in the data of a PUSH
}

// NewInstructions decodes the first len(entries) instructions of code and keeps
// entries. The rest of code is data: constants, code of contracts to be created,
// metadata.
//
// Compilers from 0.6.5 to about 0.8.19 emit one entry for the several
// instructions that set an immutable. Their maps of creation code are shifted
// after such instructions; deployed code is not affected.
func NewInstructions(code []byte, entries []Entry) *Instructions {
	ix := &Instructions{entries: entries, pcs: make([]int32, 0, len(entries))}
	ix.index = make([]int32, 0, len(code))
	for pc := 0; pc < len(code) && len(ix.pcs) < len(entries); {
		ix.index = append(ix.index, int32(len(ix.pcs)))
		ix.pcs = append(ix.pcs, int32(pc))
		data := 0
		if op := code[pc]; op >= push1 && op <= push32 {
			data = min(int(op-push1)+1, len(code)-pc-1)
		}
		for range data {
			ix.index = append(ix.index, -1)
		}
		pc += 1 + data
	}
	return ix
}

// Count returns the number of instructions with an entry.
func (ix *Instructions) Count() int { return len(ix.pcs) }

// Fits reports whether the entries can belong to the code they were made with: each has an
// instruction, and functions are entered and left by jumps.
func (ix *Instructions) Fits(code []byte) bool {
	if len(ix.pcs) < len(ix.entries) {
		return false
	}
	for i, e := range ix.entries {
		if e.Jump != JumpRegular && code[ix.pcs[i]] != jump {
			return false
		}
	}
	return true
}

// PCIndex returns the index of the instruction at pc; false in the data of a
// PUSH and after the mapped code.
func (ix *Instructions) PCIndex(pc int) (int, bool) {
	if pc < 0 || pc >= len(ix.index) || ix.index[pc] < 0 {
		return 0, false
	}
	return int(ix.index[pc]), true
}

// IndexPC returns the program counter of the instruction with index i.
func (ix *Instructions) IndexPC(i int) (int, bool) {
	if i < 0 || i >= len(ix.pcs) {
		return 0, false
	}
	return int(ix.pcs[i]), true
}

// PCEntry returns the source-map entry of the instruction at pc.
func (ix *Instructions) PCEntry(pc int) (Entry, bool) {
	i, ok := ix.PCIndex(pc)
	if !ok {
		return Entry{Span: Span{Source: -1}, Jump: JumpRegular}, false
	}
	return ix.entries[i], true
}

// PCSpan returns the source span of the instruction at pc, with Source -1 if
// there is none.
func (ix *Instructions) PCSpan(pc int) (Span, bool) {
	e, ok := ix.PCEntry(pc)
	return e.Span, ok
}

// SpanPCs returns the program counters of all instructions from parts of s, in
// ascending order.
func (ix *Instructions) SpanPCs(s Span) []int {
	var pcs []int
	for i, pc := range ix.pcs {
		if s.Contains(ix.entries[i].Span) {
			pcs = append(pcs, int(pc))
		}
	}
	return pcs
}
