package shadow

import (
	"leveret/engine/bytecode"

	"github.com/holiman/uint256"
)

// A ref is the index of a node in a graph. Ref 0 is the constant zero.
type ref uint32

// Ops of nodes that no single instruction created, numbered like unassigned
// opcodes.
const (
	opInput    bytecode.Op = 0x0c // unknown, or of an earlier basic block
	opConst    bytecode.Op = 0x0d // pushed, or computed from constants
	opConcat   bytecode.Op = 0x0e // assembled from bytes of several words, or from parts of one
	opLoaded   bytecode.Op = 0x21 // a, read from a location selected by b
	opReturned bytecode.Op = 0x22 // a, as return data of a call
	opFlag     bytecode.Op = 0x23 // success of a call
	opSource   bytecode.Op = 0x24 // a word of a TaintSource that is not an opcode: calldata
)

// everywhere is the byte mask of a full word.
const everywhere = ^uint32(0)

// A node is a shadow word. Its taint covers the bytes of mask (bit 0 the least
// significant byte); split has the taint per byte if bytes differ.
type node struct {
	val     uint256.Int
	could   uint256.Int // bits that can be set, unless fixed; see bound.go
	a, b, c ref
	data    Set // union over all bytes
	index   Set // taint of the locations it was read from
	control Set // taint of its control dependences
	bytes   uint32
	split   int32  // index in graph.splits; 0: none
	aux     uint32 // opConcat: index in graph.concats; opConst: a branch, see infer.go; opSource: TaintSourceID+1, 0: the only one in data
	pc      uint32
	frame   int32 // index of the frame, see evm.Frame
	op      bytecode.Op
	fixed   bool // computed from constants only
	strong  bool // see infer.go
}

// A cell is one byte of a word: a ref and the position in the word, 0 the most
// significant. Cell 0 is a zero byte.
type cell uint32

func makeCell(r ref, i int) cell {
	if r == 0 {
		return 0
	}
	return cell(uint32(r)<<5 | uint32(i))
}

func (c cell) ref() ref { return ref(c >> 5) }
func (c cell) pos() int { return int(c & 31) }

// Limits of a transaction: the nodes of its graph, and the bytes of memory and
// calls mirrored one by one. A longer one is Truncated.
const (
	maxNodes = 1 << 18
	maxMoved = 4 << 20
)

// A graph holds the shadow words of one transaction, or, for the static
// resolver, of one basic block.
type graph struct {
	nodes   []node
	splits  [][32]Set
	concats [][32]cell
	wraps   []wrap // by ref
	round   uint32 // of rewrap
	sets    *Sets
}

func (g *graph) reset() {
	if g.nodes == nil {
		g.nodes = make([]node, 0, 1024)
	}
	g.nodes = append(g.nodes[:0], node{op: opConst, fixed: true})
	g.splits = append(g.splits[:0], [32]Set{})
	g.concats = g.concats[:0]
}

func (g *graph) add(n node) ref {
	if !n.fixed {
		g.bound(&n)
	}
	if n := len(g.nodes); n == cap(g.nodes) { // append would leave five times as much garbage
		room := max(1024, n)
		if n >= maxNodes/2 { // the last instruction may exceed the limit by a little
			room = max(maxNodes+1024-n, n/8)
		}
		g.nodes = append(make([]node, 0, n+room), g.nodes...)
	}
	g.nodes = append(g.nodes, n)
	return ref(len(g.nodes) - 1)
}

// byteSet returns the taint of the byte of significance s.
func (n *node) byteSet(g *graph, s int) Set {
	if n.split != 0 {
		return g.splits[n.split][s]
	}
	if n.bytes>>s&1 != 0 {
		return n.data
	}
	return 0
}

// spread sets the taint of a node per byte.
func (g *graph) spread(n *node, by *[32]Set) {
	n.data, n.bytes, n.split = 0, 0, 0
	uniform := true
	for s, set := range by {
		if set == 0 {
			continue
		}
		n.bytes |= 1 << s
		if n.data != 0 && set != n.data {
			uniform = false
		}
		n.data = g.sets.Union(n.data, set)
	}
	if !uniform {
		n.split = int32(len(g.splits))
		g.splits = append(g.splits, *by)
	}
}

// parts returns the taint of a node per byte.
func (n *node) parts(g *graph) (by [32]Set) {
	if n.split != 0 {
		return g.splits[n.split]
	}
	for s := range by {
		by[s] = n.byteSet(g, s)
	}
	return by
}

// cell returns the cell of byte i of r, following assembled words.
func (g *graph) cell(r ref, i int) cell {
	if n := &g.nodes[r]; n.op == opConcat {
		return g.concats[n.aux][i]
	}
	return makeCell(r, i)
}

// byteValue returns the concrete byte of a cell.
func (g *graph) byteValue(c cell) byte {
	v := &g.nodes[c.ref()].val
	i := 31 - c.pos()
	return byte(v[i/8] >> (8 * (i % 8)))
}

// assemble returns the word of 32 cells: an existing word if they are its bytes
// in order, else a new one without a value.
func (g *graph) assemble(cells *[32]cell) (r ref, fresh bool) {
	first := cells[0]
	if whole(cells) {
		return first.ref(), false
	}
	n := node{op: opConcat, aux: uint32(len(g.concats)), fixed: true}
	g.concats = append(g.concats, *cells)
	var by [32]Set
	last := ref(0)
	for i, c := range cells {
		r := c.ref()
		if r == 0 {
			continue
		}
		m := &g.nodes[r]
		by[31-i] = m.byteSet(g, 31-c.pos())
		if r == last {
			continue
		}
		last = r
		n.index = g.sets.Union(n.index, m.index)
		n.control = g.sets.Union(n.control, m.control)
		n.fixed = n.fixed && m.fixed
	}
	g.spread(&n, &by)
	return g.add(n), true
}

// bytesOf returns the concrete bytes of a word.
func (g *graph) bytesOf(cells *[32]cell) (b [32]byte) {
	for i, c := range cells {
		b[i] = g.byteValue(c)
	}
	return b
}

// valued assembles a word whose value follows from its bytes.
func (g *graph) valued(cells *[32]cell) ref {
	r, fresh := g.assemble(cells)
	if fresh {
		b := g.bytesOf(cells)
		g.nodes[r].val.SetBytes32(b[:])
	}
	return r
}

// whole reports whether the cells are the bytes of one word in order.
func whole(cells *[32]cell) bool {
	first := cells[0]
	if first == 0 {
		return *cells == [32]cell{}
	}
	if first.pos() != 0 {
		return false
	}
	for i := 1; i < 32; i++ {
		if cells[i] != first+cell(i) {
			return false
		}
	}
	return true
}
