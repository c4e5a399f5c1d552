package lookahead

import (
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// A wordID is the abstract value of a stack, memory or storage word: the number
// of a node or of a symbol. Equal ids have equal values. Different ids may have
// equal values, except for constants.
type wordID uint32

const (
	unknown wordID = 0       // no information; never on the stack
	symbols wordID = 1 << 31 // ids from here on are symbols: unknown, but equal to themselves
)

// maxDepth bounds the depth of expressions; deeper ones become symbols.
const maxDepth = 8

// A node is a constant, an environment word that is constant within a frame, or
// a pure operation on words.
type node struct {
	op       bytecode.Op // PUSH32 for a constant
	depth    uint8
	constant bool
	boolean  bool // 0 or 1
	args     [3]wordID
	value    uint256.Int // of a constant
}

// An expression is a map key without padding, which is faster to hash.
type expression struct {
	op   uint32
	args [3]wordID
}

// nodes holds each constant and each expression once.
type nodes struct {
	all       []node
	bytes     [256]wordID // constants below 256
	constants map[uint256.Int]wordID
	known     map[expression]wordID
	next      wordID         // next symbol
	emptied   int            // number of resets
	operands  [3]uint256.Int // operands of execute, kept here to avoid allocation
}

// maxNodes is the size above which the table is reset between analyses.
const maxNodes = 1 << 15

// usualNodes is the number of nodes of the first function of a large contract.
const usualNodes = 1 << 11

func (n *nodes) reset() {
	if n.known == nil {
		n.constants, n.known = make(map[uint256.Int]wordID, usualNodes), make(map[expression]wordID, usualNodes)
		n.all = make([]node, 0, usualNodes)
	}
	if len(n.all) == 0 || len(n.all) > maxNodes {
		n.all = append(n.all[:0], node{}) // unknown
		clear(n.bytes[:])
		clear(n.constants)
		clear(n.known)
		n.emptied++
	}
	n.next = symbols
}

// symbol returns a word that equals only itself.
func (n *nodes) symbol() wordID {
	n.next++
	return n.next - 1
}

// reserve returns the first of count symbols.
func (n *nodes) reserve(count int) wordID {
	n.next += wordID(count)
	return n.next - wordID(count)
}

func (n *nodes) constant(v *uint256.Int) wordID {
	if v.LtUint64(256) {
		w := &n.bytes[v.Uint64()]
		if *w == unknown {
			*w = n.newConstant(v)
		}
		return *w
	}
	w, ok := n.constants[*v]
	if !ok {
		w = n.newConstant(v)
		n.constants[*v] = w
	}
	return w
}

func (n *nodes) newConstant(v *uint256.Int) wordID {
	n.all = append(n.all, node{op: bytecode.PUSH32, constant: true, boolean: v.LtUint64(2), value: *v})
	return wordID(len(n.all) - 1)
}

func (n *nodes) number(v uint64) wordID { return n.constant(uint256.NewInt(v)) }

// value returns the constant of w; nil if it is none.
func (n *nodes) value(w wordID) *uint256.Int {
	if w >= symbols || !n.all[w].constant {
		return nil
	}
	return &n.all[w].value
}

// small returns the constant of w if it is below 2^31.
func (n *nodes) small(w wordID) (uint32, bool) {
	v := n.value(w)
	if v == nil || !v.IsUint64() || v.Uint64() >= 1<<31 {
		return 0, false
	}
	return uint32(v.Uint64()), true
}

func (n *nodes) isZero(w wordID) bool {
	v := n.value(w)
	return v != nil && v.IsZero()
}

func (n *nodes) boolean(w wordID) bool { return w < symbols && n.all[w].boolean }

// at returns the node of w; nil for a symbol.
func (n *nodes) at(w wordID) *node {
	if w >= symbols {
		return nil
	}
	return &n.all[w]
}

// intern returns the word of an expression; unknown if it is too deep.
func (n *nodes) intern(op bytecode.Op, args [3]wordID) wordID {
	e := expression{uint32(op), args}
	if w, ok := n.known[e]; ok {
		return w
	}
	depth := uint8(0)
	for _, a := range args {
		if a != unknown && a < symbols {
			depth = max(depth, n.all[a].depth+1)
		}
	}
	if depth > maxDepth {
		return unknown
	}
	w := wordID(len(n.all))
	n.all = append(n.all, node{op: op, depth: depth, boolean: n.isFlag(op, args), args: args})
	n.known[e] = w
	return w
}

var booleans = [256]bool{
	bytecode.LT: true, bytecode.GT: true, bytecode.SLT: true, bytecode.SGT: true,
	bytecode.EQ: true, bytecode.ISZERO: true,
}

// isFlag reports whether the result of an expression is 0 or 1.
func (n *nodes) isFlag(op bytecode.Op, args [3]wordID) bool {
	switch op {
	case bytecode.AND:
		return n.boolean(args[0]) || n.boolean(args[1])
	case bytecode.OR, bytecode.XOR:
		return n.boolean(args[0]) && n.boolean(args[1])
	}
	return booleans[op]
}

// apply returns the result of a pure opcode, top of the stack first; unknown if
// nothing is known.
func (n *nodes) apply(op bytecode.Op, args [3]wordID) wordID {
	pops := int(bytecode.Ops[op].Pops)
	constant := true
	for i := 0; i < pops && constant; i++ {
		v := n.value(args[i])
		if constant = v != nil; constant {
			n.operands[i] = *v
		}
	}
	if constant {
		if v, ok := execute(op, n.operands[:pops]); ok {
			return n.constant(&v)
		}
		return unknown
	}
	if w := n.simplify(op, args); w != unknown {
		return w
	}
	if commutes[op] && args[0] > args[1] {
		args[0], args[1] = args[1], args[0]
	}
	return n.intern(op, args)
}
