package shadow

import (
	"leveret/engine/bytecode"

	"github.com/holiman/uint256"
)

// An Expr is the index of an Expression in its Expressions.
type Expr int32

// Ops of Expressions besides those of pure instructions.
const (
	OpConst  = opConst  // Value
	OpInput  = opSource // Source, which had Value
	OpFrozen = opLoaded // A, which is known only while all of Pins stay
)

// An Expression is a word as a function of inputs: the result of a pure
// instruction with operands A, B and C, or one of the above.
type Expression struct {
	Op      bytecode.Op
	A, B, C Expr // operands, less than the Expression's own index
	Value   uint256.Int
	Source  TaintSource
	Pins    Set
}

// maxExpressions bounds the Expressions of a State.
const maxExpressions = 1 << 14

// Expressions is a graph of words in terms of the inputs of a sequence of
// transactions. Equal words are one. It belongs to the goroutine of its State.
type Expressions struct {
	Nodes []Expression
	index map[expressionKey]Expr
	path  []PathCondition // of transactions before the latest
}

// An expressionKey identifies an Expression.
type expressionKey struct {
	op      bytecode.Op
	a, b, c Expr
	value   uint256.Int
	set     uint32 // Pins, or the TaintSourceID
}

// A PathCondition is a condition on the path of a sequence that depends on its
// inputs.
type PathCondition struct {
	Tx    int // index in the State's history
	PC    uint64
	Word  Expr
	Taken bool // Word was not zero
}

// NewExpressions returns a graph of nothing but zero, which has index 0.
func NewExpressions() *Expressions {
	x := &Expressions{index: map[expressionKey]Expr{}}
	x.Clear()
	return x
}

// Clear makes x a graph of nothing but zero again, in the same memory.
func (x *Expressions) Clear() {
	if len(x.Nodes) > maxReused {
		x.index = map[expressionKey]Expr{}
	}
	x.Nodes, x.path = x.Nodes[:0], x.path[:0]
	clear(x.index)
	x.constant(new(uint256.Int))
}

func (x *Expressions) add(e Expression, set uint32) Expr {
	key := expressionKey{op: e.Op, a: e.A, b: e.B, c: e.C, set: set}
	if e.Op == OpConst {
		key.value = e.Value
	}
	if known, ok := x.index[key]; ok {
		return known
	}
	x.Nodes = append(x.Nodes, e)
	made := Expr(len(x.Nodes) - 1)
	x.index[key] = made
	return made
}

func (x *Expressions) constant(v *uint256.Int) Expr {
	return x.add(Expression{Op: OpConst, Value: *v}, 0)
}

// apply returns the Expression of an instruction; that of constants is one.
func (x *Expressions) apply(op bytecode.Op, pops int, args [3]Expr) Expr {
	var values [3]uint256.Int
	for i := range pops {
		e := &x.Nodes[args[i]]
		if e.Op != OpConst {
			return x.add(Expression{Op: op, A: args[0], B: args[1], C: args[2]}, 0)
		}
		values[i] = e.Value
	}
	var v uint256.Int
	Compute(&v, op, &values[0], &values[1], &values[2])
	return x.constant(&v)
}

// with returns the Expression of an instruction with a constant first operand.
func (x *Expressions) with(op bytecode.Op, k *uint256.Int, e Expr) Expr {
	return x.apply(op, 2, [3]Expr{x.constant(k), e})
}

// freeze returns e, known only while the sources of pins stay.
func (x *Expressions) freeze(e Expr, pins Set) Expr {
	if pins == 0 {
		return e
	}
	return x.add(Expression{Op: OpFrozen, A: e, Pins: pins}, uint32(pins))
}

// Expression returns a word of the latest transaction as a function of inputs.
// The State must have Expressions.
func (o *Observer) Expression(w Word) Expr { return o.translator.express(w.ref) }

// Path calls yield with the conditions of all transactions that depend on
// inputs, in order: of earlier transactions those that succeeded, of the latest
// those before its JUMPI number until, as in Decision.Number.
func (o *Observer) Path(until int) func(yield func(PathCondition) bool) {
	return func(yield func(PathCondition) bool) {
		last := o.state.Txs - 1
		for _, c := range o.state.Expressions.path {
			if c.Tx < last && !yield(c) {
				return
			}
		}
		for _, b := range o.log[1:min(until, len(o.log))] {
			if c, ok := o.pathCondition(b); ok && !yield(c) {
				return
			}
		}
	}
}

// pathCondition returns the condition of a branch; false if it depends on no
// input.
func (o *Observer) pathCondition(b branch) (PathCondition, bool) {
	n := &o.g.nodes[b.cond]
	if n.fixed || n.data == 0 {
		return PathCondition{}, false
	}
	c := PathCondition{Tx: o.state.Txs - 1, PC: uint64(b.pc), Word: o.translator.express(b.cond), Taken: b.taken}
	return c, o.state.Expressions.Nodes[c.Word].Op != OpConst
}

// keepPath adds the conditions of the latest transaction to the State.
func (o *Observer) keepPath() {
	x := o.state.Expressions
	for _, b := range o.log[1:] {
		if c, ok := o.pathCondition(b); ok {
			x.path = append(x.path, c)
		}
	}
}

// A translator makes Expressions of the nodes of a graph, of the latest transaction.
type translator struct {
	g         *graph
	to        *Expressions // of the State
	expressed map[ref]Expr
	earlier   map[ref]Expr // by node of a storage word, what an earlier transaction stored
}

func (t *translator) express(r ref) Expr {
	if e, ok := t.expressed[r]; ok {
		return e
	}
	e := t.translate(r)
	t.expressed[r] = e
	return e
}

// translate makes an Expression of a node.
func (t *translator) translate(r ref) Expr {
	x, n := t.to, t.g.nodes[r]
	info := bytecode.Ops[n.op]
	switch {
	case n.fixed || n.data == 0 && n.index == 0 || n.op == opFlag:
		return x.constant(&n.val)
	case len(x.Nodes) >= maxExpressions:
		return t.opaqueWord(&n)
	case n.op == opConcat:
		return t.pieces(&t.g.concats[n.aux])
	case n.op == opLoaded:
		return x.freeze(t.express(n.a), n.index)
	case n.op == opReturned:
		return t.express(n.a)
	case sourced(&n) && n.data != 0:
		return t.inputWord(r, &n)
	case n.op < bytecode.KECCAK256 && info.Pure:
		var args [3]Expr
		for i, a := range [3]ref{n.a, n.b, n.c} {
			if i < int(info.Pops) {
				args[i] = t.express(a)
			}
		}
		return x.apply(n.op, int(info.Pops), args)
	}
	return t.opaqueWord(&n)
}

// opaqueWord is a word whose computation is unknown.
func (t *translator) opaqueWord(n *node) Expr {
	x := t.to
	return x.freeze(x.constant(&n.val), t.g.sets.Union(n.data, n.index))
}

// inputWord is the word of a source, or what an earlier transaction stored.
func (t *translator) inputWord(r ref, n *node) Expr {
	if e, ok := t.earlier[r]; ok {
		return e
	}
	source := t.g.sourceOf(n)
	e := Expression{Op: OpInput, Source: source, Value: n.val}
	return t.to.add(e, uint32(t.g.sets.ID(source))+1)
}

// pieces assembles a word from runs of bytes of others.
func (t *translator) pieces(cells *[32]cell) Expr {
	x := t.to
	whole := x.constant(new(uint256.Int))
	for i := 0; i < 32; {
		first, end := cells[i], i+1
		for end < 32 && first != 0 && cells[end] == first+cell(end-i) && cells[end].ref() == first.ref() {
			end++
		}
		if first != 0 {
			size, low := end-i, 32-first.pos()-(end-i)
			e, mask := t.express(first.ref()), ones(0, 8*size)
			if low > 0 {
				e = x.with(bytecode.SHR, uint256.NewInt(uint64(8*low)), e)
			}
			if size < 32-low {
				e = x.with(bytecode.AND, &mask, e)
			}
			if end < 32 {
				e = x.with(bytecode.SHL, uint256.NewInt(uint64(8*(32-end))), e)
			}
			whole = x.join(whole, e)
		}
		i = end
	}
	return whole
}

// join returns the union of two words without common bits.
func (x *Expressions) join(a, b Expr) Expr {
	if e := &x.Nodes[a]; e.Op == OpConst && e.Value.IsZero() {
		return b
	}
	return x.apply(bytecode.OR, 2, [3]Expr{a, b})
}
