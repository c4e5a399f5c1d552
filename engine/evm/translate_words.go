package evm

import (
	"slices"

	"leveret/engine/bytecode"
)

// What a path knows of the stack.

// observe reports the operands of an instruction, the values of the block that it
// reads, and the stack before what may be a failed check.
func (tr *translator) observe(pc uint64, o byte) {
	if tr.watch == nil {
		return
	}
	if number := tr.watch.Operands[pc]; number != 0 {
		next := operand{value: &zero}
		if bytecode.Ops[o].Pops > 1 {
			next = tr.peek(1)
		}
		made := &held{pc, number, [2]operand{tr.peek(0), next}}
		switch {
		case tr.watch.Held[pc]:
			tr.hold(made)
		case tr.watch.Wraps[pc]:
			tr.arith = made
		default:
			tr.tell(made)
		}
	}
	switch o {
	case bytecode.TIMESTAMP, bytecode.NUMBER, bytecode.BLOCKHASH, bytecode.PREVRANDAO, bytecode.COINBASE, bytecode.GASLIMIT:
		tr.emit(op{kind: opBlockValue})
	}
	if tr.watch.stack(o) {
		for _, item := range tr.items {
			tr.used(item)
		}
		tr.emit(op{kind: opStack, code: o, at: uint32(pc), rare: &rareOp{more: slices.Clone(tr.items), passed: tr.passed, height: int32(-tr.below)}})
	}
}

// A held is an instruction whose operands the Recorder wants.
type held struct {
	pc     uint64
	number uint32
	args   [2]operand
}

// tell reports operands to the Recorder. How far a path goes does not depend on it.
func (tr *translator) tell(h *held) {
	tr.emit(op{kind: opOperands, at: h.number}, h.args[:]...)
	tr.length--
}

// hold keeps operands for the branch that ends the block.
func (tr *translator) hold(h *held) {
	tr.held = h
	for _, a := range h.args {
		tr.used(a)
	}
}

// handOver returns the operands that the branch at pc hands over; nil if there
// are none.
func (tr *translator) handOver(pc uint64) *rareOp {
	h := tr.held
	if h == nil || uint64(tr.watch.Compared[pc]) != h.pc+1 {
		return nil
	}
	tr.held = nil
	return &rareOp{more: h.args[:]}
}

// emit adds an operation with up to two operands, and further ones.
func (tr *translator) emit(o op, args ...operand) {
	for _, a := range args {
		tr.used(a)
	}
	if len(args) > 0 {
		o.x = place(args[0].reg)
		if args[0].value != nil {
			o.kx = args[0].value
		}
	}
	if len(args) > 1 {
		o.y = place(args[1].reg)
		if args[1].value != nil {
			o.ky = args[1].value
		}
	}
	if len(args) > 2 {
		o.rare = &rareOp{more: slices.Clone(args[2:]), steps: tr.node.steps}
	}
	o.rest = tr.node.gas
	if ordered[o.kind] {
		tr.report(o.rest)
	}
	tr.ops = append(tr.ops, o)
	tr.length++
}

// report has the Recorder told of JUMPDESTs: of those before the first operation that
// is ordered when the node begins.
func (tr *translator) report(rest uint32) {
	switch {
	case !tr.ordered:
		tr.node.tells, tr.node.from.blocks = len(tr.pending) > 0, beside(&tr.spare.numbers, tr.pending, tr.atOnce())
	case len(tr.pending) > 0:
		tr.ops = append(tr.ops, op{kind: opBlocks, rare: &rareOp{blocks: beside(&tr.spare.numbers, tr.pending, tr.atOnce())}, rest: rest})
	}
	tr.ordered, tr.pending = true, tr.pending[:0]
}

// used counts the use of a temporary of this node.
func (tr *translator) used(a operand) {
	if i := int(a.reg - firstTemp - tr.first); a.value == nil && i >= 0 {
		tr.uses[i]++
	}
}

// temp returns a new temporary.
func (tr *translator) temp() operand {
	t := operand{reg: firstTemp + tr.temps}
	tr.temps++
	tr.uses = append(tr.uses, 0)
	tr.defs = append(tr.defs, -1)
	return t
}

// result adds an operation and pushes its result.
func (tr *translator) result(o op, args ...operand) {
	z := tr.temp()
	o.z = place(z.reg)
	tr.emit(o, args...)
	tr.defs[len(tr.defs)-1] = len(tr.ops) - 1
	tr.push(z)
}

func (tr *translator) push(o operand) {
	tr.items = append(tr.items, o)
	tr.rise = max(tr.rise, len(tr.items)-tr.below)
}

// peek returns the nth word from the top, 0 the topmost.
func (tr *translator) peek(n int) operand {
	if n < len(tr.items) {
		return tr.items[len(tr.items)-1-n]
	}
	depth := tr.below + n - len(tr.items)
	tr.need = max(tr.need, depth+1)
	return operand{reg: int32(-1 - depth)}
}

func (tr *translator) pop() operand {
	o := tr.peek(0)
	if len(tr.items) > 0 {
		tr.items = tr.items[:len(tr.items)-1]
	} else {
		tr.below++
	}
	return o
}

// pops removes n words from the stack, the topmost first. The list is valid until
// the next call.
func (tr *translator) pops(n int) []operand {
	list := tr.popped[:n]
	for i := range list {
		list[i] = tr.pop()
	}
	return list
}

// swap exchanges the topmost word and the nth below it.
func (tr *translator) swap(n int) {
	for len(tr.items) <= n {
		tr.items = slices.Insert(tr.items, 0, tr.peek(len(tr.items)))
		tr.below++
	}
	a, b := len(tr.items)-1, len(tr.items)-1-n
	tr.items[a], tr.items[b] = tr.items[b], tr.items[a]
}

// ending is what the operation that ends a path has: among others, the moves of the
// words to their places on the stack, but of those that stay where they are. What the
// operation reads, in keep, stays readable.
func (tr *translator) ending(stays func(operand) bool, keep ...*operand) *rareOp {
	moves, low := tr.moves[:0], int32(-tr.below)
	rescue := func(o *operand) {
		at := int(o.reg - low)
		if o.value != nil || at < 0 || at >= len(tr.items) || tr.items[at] == (operand{reg: o.reg}) {
			return
		}
		t := tr.temp()
		moves = append(moves, move{place(t.reg), *o})
		*o = t
	}
	settled := append(tr.ends[:0], tr.items...)
	for i := range settled {
		rescue(&settled[i])
	}
	for _, o := range keep {
		rescue(o)
	}
	for i, o := range settled {
		if to := low + int32(i); (o.value != nil || o.reg != to) && !stays(o) {
			moves = append(moves, move{place(to), o})
		}
	}
	tr.moves, tr.ends = moves, settled
	end := rareOp{passed: tr.passed, height: int32(len(tr.items) - tr.below), moves: beside(&tr.spare.moves, moves, tr.atOnce())}
	return &beside(&tr.spare.rares, []rareOp{end}, tr.atOnce()/8)[0]
}

// nowhere is for ending: no word stays where it is.
func nowhere(operand) bool { return false }
