package evm

import (
	"slices"
)

// How a path goes on at jumps, and ends.

// jump translates JUMP. A path continues at a known destination.
func (tr *translator) jump() (next uint64, more bool) {
	to := tr.pop()
	if to.value == nil {
		r := tr.ending(nowhere, &to)
		tr.emit(op{kind: opJump, rare: r}, to)
		return 0, false
	}
	pc, ok := tr.code.destination(to.value)
	if !ok {
		tr.emit(op{kind: opInvalidJump})
	}
	return pc, ok
}

// branch translates JUMPI.
func (tr *translator) branch(pc uint64) (next uint64, more bool) {
	to, condition := tr.pop(), tr.pop()
	if to.value == nil {
		tr.watchBranch(pc, condition)
		r := tr.ending(nowhere, &to, &condition)
		tr.emit(op{kind: opBranchAnywhere, at: uint32(pc), rare: r}, to, condition)
		return 0, false
	}
	dest, ok := tr.code.destination(to.value)
	if condition.value != nil {
		return tr.decided(pc, dest, ok, condition)
	}
	made := op{kind: opBranch}
	if tr.watch != nil {
		made.at, made.rare = tr.watch.Branches[pc], tr.handOver(pc)
		tr.node.quiet = tr.watch.quiet(pc)
	}
	args := []operand{condition}
	tr.fuse(&made, &args)
	if made.rare != nil {
		hand(&made, &args)
	}
	tr.emit(made, args...)
	if from := tr.node.from; from.path == nil {
		from.path = tr.keepPath([2]uint64{pc + 1, dest}, ok)
	}
	return 0, false
}

// watchBranch has the Recorder told of a branch that does not end the node by itself.
func (tr *translator) watchBranch(pc uint64, condition operand) {
	if tr.watch == nil {
		return
	}
	r := &rareOp{quiet: tr.watch.quiet(pc)}
	if compared := tr.handOver(pc); compared != nil {
		r.more = compared.more
	}
	tr.emit(op{kind: opWatchBranch, at: tr.watch.Branches[pc], rare: r}, condition)
}

// decided translates a JUMPI whose condition is known.
func (tr *translator) decided(pc, dest uint64, ok bool, condition operand) (next uint64, more bool) {
	tr.watchBranch(pc, condition)
	if condition.value.IsZero() {
		tr.node.steps += int32(tr.code.ahead(pc+1, false))
		return pc + 1, true
	}
	if !ok {
		tr.emit(op{kind: opInvalidJump})
	}
	return dest, ok
}

// fuse replaces the condition of a branch by the comparison that computes it, if
// nothing else uses that.
func (tr *translator) fuse(made *op, args *[]operand) {
	for {
		def := tr.definition((*args)[0])
		if def == nil {
			return
		}
		switch kind := fused[def.kind]; {
		case def.kind == opIsZero:
			made.flags = made.flags ^ negated | logical
			(*args)[0], _ = def.operands()
		case kind != opNone:
			made.kind = kind
			x, y := def.operands()
			*args = []operand{x, y}
		default:
			return
		}
		def.kind = opNone
		if made.kind != opBranch {
			return
		}
		if i := int((*args)[0].reg - firstTemp - tr.first); (*args)[0].value == nil && i >= 0 {
			tr.uses[i]--
		}
	}
}

// hand has a branch hand over its own operands, if they are those of the comparison.
func hand(made *op, args *[]operand) {
	compared := made.rare.more
	switch {
	case slices.Equal(*args, compared):
		made.flags |= handsOver
	case made.kind == opBranch && (*args)[0] == compared[0]:
		made.flags |= handsOver
		*args = append(*args, compared[1])
	case made.kind == opBranch && (*args)[0] == compared[1]:
		made.flags |= handsOver | mirrored
		*args = append(*args, compared[0])
	default:
		return
	}
	made.rare = nil
}

// definition returns the operation of this node that computes a word nothing
// else uses; nil if there is none.
func (tr *translator) definition(a operand) *op {
	i := int(a.reg - firstTemp - tr.first)
	if a.value != nil || i < 0 || tr.defs[i] < 0 || tr.uses[i] > 0 || slices.Contains(tr.items, a) {
		return nil
	}
	return &tr.ops[tr.defs[i]]
}

// proceed ends the path: another tree continues at pc.
// Return addresses stay known there.
func (tr *translator) proceed(pc uint64) {
	if tr.held != nil {
		tr.tell(tr.held)
	}
	returns := nowhere
	if len(tr.variants[pc]) < maxVariants {
		returns = func(o operand) bool {
			if o.value == nil {
				return false
			}
			_, ok := tr.code.destination(o.value)
			return ok
		}
	}
	r := tr.ending(returns)
	for i, o := range tr.items {
		if returns(o) {
			r.known = append(r.known, o)
			r.places = append(r.places, int32(i-len(tr.items)))
		}
	}
	tr.emit(op{kind: opProceed, at: uint32(pc), rare: r})
}
