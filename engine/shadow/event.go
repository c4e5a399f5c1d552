package shadow

import (
	"leveret/engine/bytecode"
	"leveret/engine/evm"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Events are the callbacks of an oracle. Their arguments, Words included, are
// valid during the transaction only; Frames, Ariths and Jumps only during the callback.
type Events struct {
	Branch       func(*Branch)
	Asked        func(*Asked) // block opcodes: TIMESTAMP NUMBER BLOCKHASH PREVRANDAO COINBASE GASLIMIT …
	Arith        func(*Arith) // ADD SUB MUL EXP SHL SIGNEXTEND, and AND with a constant of the form 2^n-1
	Compared     func(*Comparison)
	Load         func(*Access)
	Store        func(*Access)
	Call         func(*Call) // before the callee runs
	Returned     func(*Call) // after it ran
	Keccak       func(*Keccak)
	Jump         func(*Jump)
	Log          func(*Log)
	Return       func(*Return)
	SelfDestruct func(*SelfDestruct)
}

// A Site is the instruction of an event.
type Site struct {
	Frame   *evm.Frame
	PC      uint64
	Op      bytecode.Op
	Control Set // taint of its control dependences
}

// A Branch is an executed JUMPI.
type Branch struct {
	Site
	Cond  Word
	Taken bool
}

// Condition returns the expression tree of the condition.
func (b *Branch) Condition() *Condition {
	o := b.Cond.o
	return o.condition(o.top(), b.Cond.ref, b.PC)
}

// An Asked is an instruction that read the block or the transaction.
type Asked struct {
	Site
	Answer Word
}

// An Arith is an executed arithmetic instruction.
type Arith struct {
	Site
	A, B   Word // operands, the topmost first
	Result Word
}

// A Comparison is an executed LT, GT, SLT, SGT or EQ, whether or not a branch
// depends on it.
type Comparison struct {
	Site
	A, B Word // operands, the topmost first
}

// An Access is a storage read or write.
type Access struct {
	Site
	Transient bool
	Slot      Word
	Value     Word
}

// A Call is a message call or creation.
type Call struct {
	Site
	Number uint64 // Offset of its FromCallResult and FromReturnData
	Target Word   // of message calls
	Value  Word   // zero for instructions without a value
	Gas    Word   // zero for creations
	Args   Bytes  // calldata or creation code
	Result Word   // Returned only: success, or the address created
	Data   Bytes  // Returned only: return data
}

// A Keccak is a computed hash.
type Keccak struct {
	Site
	Input  Bytes
	Output Word
}

// A Jump is a JUMP, or a JUMPI that jumps.
type Jump struct {
	Site
	Dest Word
}

// A Log is an event of the contract.
type Log struct {
	Site
	Topics []Word
	Data   Bytes
}

// A Return is a RETURN or REVERT.
type Return struct {
	Site
	Data Bytes
}

// A SelfDestruct is a SELFDESTRUCT.
type SelfDestruct struct {
	Site
	Beneficiary Word
}

// A Word is a handle to a shadow word. It is valid until the Observer's next
// transaction starts.
type Word struct {
	o   *Observer
	ref ref
}

func (w Word) node() *node { return &w.o.g.nodes[w.ref] }

// Value returns the concrete word.
func (w Word) Value() uint256.Int { return w.node().val }

// Sources returns the taint of the value.
func (w Word) Sources() Set { return w.node().data }

// Index returns the taint of the locations, in storage, memory or calldata,
// that parts of the value were read from.
func (w Word) Index() Set { return w.node().index }

// Fixed reports whether the value was computed from constants of the code only.
func (w Word) Fixed() bool { return w.node().fixed }

// Made returns the instruction that computed the word, if one did.
func (w Word) Made() (op bytecode.Op, pc uint64, frame int) {
	n := w.node()
	return n.op, uint64(n.pc), int(n.frame)
}

// Operands returns the first two operands of the instruction that computed the word, the top
// of the stack first; the zero word for those that it does not have.
func (w Word) Operands() (top, next Word) {
	n := w.node()
	return Word{w.o, n.a}, Word{w.o, n.b}
}

// A Bytes is a handle to bytes of memory at the time of the event. It is valid
// as long as a Word.
type Bytes struct {
	o     *Observer
	cells []cell
}

// Len returns the number of bytes.
func (b Bytes) Len() int { return len(b.cells) }

// At returns the taint of byte i.
func (b Bytes) At(i int) Set {
	c := b.cells[i]
	return b.o.g.nodes[c.ref()].byteSet(&b.o.g, 31-c.pos())
}

// Sources returns the taint of all bytes together.
func (b Bytes) Sources() Set { return b.o.g.union(b.cells).data }

// Word returns the 32 bytes from offset on, zero beyond the end.
func (b Bytes) Word(offset int) Word {
	cells := word(b.cells, uint64(offset), true)
	return Word{b.o, b.o.g.valued(&cells)}
}

// Value returns the concrete bytes.
func (b Bytes) Value() []byte {
	out := make([]byte, len(b.cells))
	for i, c := range b.cells {
		out[i] = b.o.g.byteValue(c)
	}
	return out
}

// A flow is the taint of a whole word or range.
type flow struct{ data, index, control Set }

func (g *graph) union(cells []cell) (u flow) {
	last := ref(0)
	for _, c := range cells {
		n := &g.nodes[c.ref()]
		if c.ref() == last && n.split == 0 && n.bytes == everywhere {
			continue
		}
		last = c.ref()
		u.data = g.sets.Union(u.data, n.byteSet(g, 31-c.pos()))
		u.index = g.sets.Union(u.index, n.index)
		u.control = g.sets.Union(u.control, n.control)
	}
	return u
}

// A Recovery is a call of the ecrecover precompile.
type Recovery struct {
	Digest, V, R, S Word
	Result          common.Address // zero: no valid signature
}

// A Preimage is the input of a computed hash.
type Preimage struct {
	Hash  common.Hash
	Input Bytes
}
