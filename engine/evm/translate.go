package evm

import (
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// The fast mode executes a translation of the code. It follows the code through
// jumps whose destination is known, internal calls included, and knows for every
// word of the stack where it is: PUSH, DUP, SWAP and POP vanish, and constants are
// folded. A branch ends a node; each side continues the path with what is known,
// in a node that is translated when it is first taken. So nodes form trees. A
// path ends where a jump goes to a destination that is not known, where a loop
// comes by for the third time, and where it gets long: then the words go to
// their places on the stack, and another tree begins.
//
// Words are named by their distance from the height of the stack at the root: -1
// is its top word there, 0 and above what lies higher, and from firstTemp on
// temporaries, each of which is written once per path.

// Limits of a path.
const (
	firstTemp = 64                   // so much may a path raise the stack
	maxTemps  = 192                  // temporaries of a path
	window    = firstTemp + maxTemps // words that a path uses above the height at its root
	maxPath   = 400                  // operations on a path
	maxVisits = 4                    // of one JUMPDEST at the same height on a path
	maxBlocks = 200                  // JUMPDESTs on a path
	perByte   = 32                   // operations per byte of code, from which on branches end paths
	reserve   = 8                    // temporaries that one instruction may need
)

// An operand is where an operation reads a word.
type operand struct {
	reg   int32
	value *uint256.Int // a constant; nil: the word is in reg
}

// An op is an operation of a translation. The fast mode reads many of them, so
// what few of them need is apart.
type op struct {
	kind    opKind
	code    byte // opcode
	watched bool // tell the Recorder
	flags   branchFlags
	at      uint32 // pc, or, of what only the Recorder is told, the number in the Watch
	z, x, y int32
	rest    uint32       // static gas of the instructions after it in its node
	kx, ky  *uint256.Int // the operands x and y if they are constants
	rare    *rareOp
}

// A rareOp is what few operations have.
type rareOp struct {
	more   []operand // operands of instructions with more than two
	blocks []uint32  // JUMPDESTs that the path came by, and then their numbers
	round  uint64    // last run of the code in which the Recorder was told of them
	known  []operand // of opProceed: words that are not on the stack, as the tree knows them
	places []int32   // where they would be, from the height at its root
	target *node     // of opProceed; nil: not looked up yet
}

// branchFlags tell what the operand of a branch is.
type branchFlags uint8

const (
	negated branchFlags = 1 << iota // the inverse of the condition
	logical                         // the condition is 0 or 1, whatever the operand is
)

// A node is a part of a path without branches.
type node struct {
	ops   []op
	gas   uint64 // static gas
	steps int    // instructions, for the cap
	need  int    // words that must lie below the height at the root
	rise  int    // how far the stack rises above it
	next  [2]*node
	path  *path // where the branch that ends the node goes; nil once both sides are translated
}

// A path is what is known at a place in the code.
type path struct {
	items  []operand // words on top of those at the root, deepest first
	below  int       // words of the root that were consumed
	need   int
	rise   int
	temps  int32
	length int
	visits []visit

	to [2]uint64 // of a branch: where it continues, not taken and taken
	ok bool      // of a branch: the destination is valid
}

// A visit is a JUMPDEST that a path came by.
type visit struct {
	pc     uint64
	height int
}

// A translation is the code of a contract as the fast mode executes it.
type translation struct {
	code  *Code
	fork  Fork
	watch *Watch // nil: nothing is recorded
	roots []*node
	size  int // operations

	variants map[uint64][]*variant // by pc
}

// A variant is a tree for a stack with known words: the return addresses of the
// functions that its loop is in.
type variant struct {
	known  []operand
	places []int32
	tree   *node
}

// maxVariants bounds the variants of one pc.
const maxVariants = 8

// root returns the tree that begins at pc.
func (t *translation) root(pc uint64) *node {
	n := t.roots[pc]
	if n == nil {
		n = t.translate(&path{}, pc, 0)
		t.roots[pc] = n
	}
	return n
}

// after returns the tree that an opProceed goes to.
func (t *translation) after(o *op) *node {
	pc, r := uint64(o.at), o.rare
	if len(r.known) == 0 {
		return t.root(pc)
	}
	for _, v := range t.variants[pc] {
		if v.same(r.known, r.places) {
			return v.tree
		}
	}
	depth := int(-slices.Min(r.places))
	from := &path{below: depth, need: depth}
	for i := range depth {
		from.items = append(from.items, operand{reg: int32(i - depth)})
	}
	for i, place := range r.places {
		from.items[int(place)+depth] = r.known[i]
	}
	v := &variant{r.known, r.places, t.translate(from, pc, 0)}
	if t.variants == nil {
		t.variants = map[uint64][]*variant{}
	}
	t.variants[pc] = append(t.variants[pc], v)
	return v.tree
}

func (v *variant) same(known []operand, places []int32) bool {
	return slices.Equal(v.places, places) && slices.EqualFunc(v.known, known, func(a, b operand) bool { return a.value.Eq(b.value) })
}

// side returns the node that follows a branch.
func (t *translation) side(n *node, taken int) *node {
	p := n.path
	steps := 0
	if taken == 0 {
		steps = t.code.ahead(p.to[0], false)
	}
	var next *node
	if taken == 1 && !p.ok {
		next = &node{ops: []op{{kind: opInvalidJump}}}
	} else {
		next = t.translate(p, p.to[taken], steps)
	}
	n.next[taken] = next
	if n.next[0] != nil && n.next[1] != nil {
		n.path = nil
	}
	return next
}

// A translator translates one node.
type translator struct {
	*translation
	path
	node  *node
	first int32 // first temporary of this node
	uses  []int // of this node's temporaries, by operations
	defs  []int // position of the operation that writes each

	held    *held    // operands for the branch that ends the block; nil: none
	pending []uint32 // JUMPDESTs that the Recorder must be told of before the next event that depends on their order
}

// translate translates the node at pc. steps are instructions that were counted
// before.
func (t *translation) translate(from *path, pc uint64, steps int) *node {
	tr := translator{translation: t, path: *from, node: &node{steps: steps}, first: from.temps}
	tr.items, tr.visits = slices.Clone(from.items), slices.Clone(from.visits)
	for first, more := true, true; more; first = false {
		pc, more = tr.instruction(pc, first)
	}
	return tr.finish()
}

// finish completes the node.
func (tr *translator) finish() *node {
	n := tr.node
	n.need, n.rise = tr.need, tr.rise
	n.ops = slices.Clip(slices.DeleteFunc(n.ops, func(o op) bool { return o.kind == opNone }))
	for i := range n.ops {
		n.ops[i].rest = uint32(n.gas) - n.ops[i].rest
	}
	tr.translation.size += len(n.ops)
	return n
}

// instruction translates one instruction and returns where the path continues;
// false where it ends.
func (tr *translator) instruction(pc uint64, first bool) (next uint64, more bool) {
	code := tr.code.Bytes
	if pc >= uint64(len(code)) {
		tr.emit(op{kind: opStop})
		return 0, false
	}
	o := code[pc]
	if !first && tr.crowded() || o == bytecode.JUMPDEST && tr.returns(pc, first) {
		tr.proceed(pc)
		return 0, false
	}
	row := &bytecode.Ops[o]
	tr.node.gas += price(o)
	tr.observe(pc, o)
	switch {
	case !tr.fork.defines(o):
		tr.emit(op{kind: opInvalid, code: o})
		return 0, false
	case bytecode.IsPush(o):
		tr.push(operand{value: immediate(code, pc)})
		return pc + 1 + uint64(row.Immediate), true
	case bytecode.IsDup(o):
		tr.push(tr.peek(int(o - bytecode.DUP1)))
	case bytecode.IsSwap(o):
		tr.swap(int(o-bytecode.SWAP1) + 1)
	case unaryOps[o] != nil || binaryOps[o] != nil || ternaryOps[o] != nil:
		tr.compute(pc, o)
	case o == bytecode.JUMP:
		return tr.jump()
	case o == bytecode.JUMPI:
		return tr.branch(pc)
	case o == bytecode.JUMPDEST:
		tr.node.steps += tr.code.ahead(pc, true)
		if tr.watch != nil {
			tr.pending = append(tr.pending, uint32(pc))
		}
	case o == bytecode.POP:
		tr.pop()
	case o == bytecode.PC:
		tr.push(operand{value: uint256.NewInt(pc)})
	case row.Flow == bytecode.Ends:
		tr.terminal(pc, o)
		return 0, false
	default:
		tr.effect(pc, o)
	}
	return pc + 1, true
}

// price is the static price of an opcode.
func price(o byte) uint64 {
	if o > bytecode.PUSH0 && o <= bytecode.SWAP16 {
		return 3
	}
	return static[o]
}

// immediate returns the word that the PUSH at pc pushes.
func immediate(code []byte, pc uint64) *uint256.Int {
	n := int(code[pc] - bytecode.PUSH0)
	var word [32]byte
	if from := int(pc) + 1; from < len(code) {
		copy(word[32-n:], code[from:min(from+n, len(code))])
	}
	return new(uint256.Int).SetBytes32(word[:])
}

// crowded reports whether the path must end before one more instruction.
func (tr *translator) crowded() bool {
	return tr.temps > maxTemps-2*reserve-int32(len(tr.items)) || len(tr.items)-tr.below > firstTemp-2*reserve
}

// returns reports whether the path comes by a JUMPDEST once too often, or is too
// long for another block.
func (tr *translator) returns(pc uint64, first bool) bool {
	here := visit{pc, len(tr.items) - tr.below}
	count := 0
	for _, v := range tr.visits {
		if v == here {
			count++
		}
	}
	if !first && (count >= maxVisits || tr.length > maxPath || len(tr.visits) > maxBlocks) {
		return true
	}
	tr.visits = append(tr.visits, here)
	return false
}

// observe has the Recorder told of the operands of an instruction and of values
// of the block.
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
		if tr.watch.Held[pc] {
			tr.hold(made)
		} else {
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
		tr.emit(op{kind: opStack, code: o, at: uint32(pc), z: int32(-tr.below), rare: &rareOp{more: slices.Clone(tr.items)}})
	}
}

// A held is an instruction whose operands the Recorder wants.
type held struct {
	pc     uint64
	number uint32
	args   [2]operand
}

// tell has the Recorder told of operands.
func (tr *translator) tell(h *held) { tr.emit(op{kind: opOperands, at: h.number}, h.args[:]...) }

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
		o.x, o.kx = args[0].reg, args[0].value
	}
	if len(args) > 1 {
		o.y, o.ky = args[1].reg, args[1].value
	}
	if len(args) > 2 {
		o.rare = &rareOp{more: args[2:]}
	}
	o.rest = uint32(tr.node.gas)
	if len(tr.pending) > 0 && ordered[o.kind] {
		tr.node.ops = append(tr.node.ops, op{kind: opBlocks, rare: &rareOp{blocks: tr.numbered(tr.pending)}, rest: o.rest})
		tr.pending = nil
	}
	tr.node.ops = append(tr.node.ops, o)
	tr.length++
}

// numbered appends the numbers of JUMPDESTs.
func (tr *translator) numbered(pcs []uint32) []uint32 {
	for _, pc := range pcs[:len(pcs):len(pcs)] {
		pcs = append(pcs, tr.watch.Blocks[pc])
	}
	return pcs
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
	o.z = z.reg
	tr.emit(o, args...)
	tr.defs[len(tr.defs)-1] = len(tr.node.ops) - 1
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

func (tr *translator) pops(n int) []operand {
	list := make([]operand, n)
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

// compute translates an instruction that depends on its operands alone.
func (tr *translator) compute(pc uint64, o byte) {
	args := tr.pops(int(bytecode.Ops[o].Pops))
	constant := !slices.ContainsFunc(args, func(a operand) bool { return a.value == nil })
	switch {
	case constant && o != bytecode.EXP:
		z := new(uint256.Int)
		switch len(args) {
		case 1:
			unaryOps[o](z, args[0].value)
		case 2:
			binaryOps[o](z, args[0].value, args[1].value)
		default:
			ternaryOps[o](z, args[0].value, args[1].value, args[2].value)
		}
		tr.push(operand{value: z})
	default:
		tr.result(op{kind: computes[o], code: o, at: uint32(pc)}, args...)
	}
}

// effect translates an instruction that reads or changes more than the stack.
func (tr *translator) effect(pc uint64, o byte) {
	row := &bytecode.Ops[o]
	args := tr.pops(int(row.Pops))
	made := op{kind: effects[o], code: o, at: uint32(pc), watched: tr.watch != nil}
	if row.Pushes > 0 {
		tr.result(made, args...)
	} else {
		tr.emit(made, args...)
	}
}

// terminal translates an instruction that ends the frame.
func (tr *translator) terminal(pc uint64, o byte) {
	tr.emit(op{kind: terminals[o], code: o, at: uint32(pc)}, tr.pops(int(bytecode.Ops[o].Pops))...)
}

// jump translates JUMP. A path continues at a known destination.
func (tr *translator) jump() (next uint64, more bool) {
	to := tr.pop()
	if to.value == nil {
		tr.settle(&to)
		tr.emit(op{kind: opJump, z: tr.height()}, to)
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
		if tr.watch != nil {
			tr.emit(op{kind: opWatchBranch, at: tr.watch.Branches[pc], rare: tr.handOver(pc)}, condition)
		}
		tr.settle(&to, &condition)
		tr.emit(op{kind: opBranchAnywhere, at: uint32(pc), z: tr.height()}, to, condition)
		return 0, false
	}
	dest, ok := tr.code.destination(to.value)
	if condition.value != nil {
		return tr.decided(pc, dest, ok, condition)
	}
	made := op{kind: opBranch, watched: tr.watch != nil}
	if made.watched {
		made.at, made.rare = tr.watch.Branches[pc], tr.handOver(pc)
	}
	args := []operand{condition}
	tr.fuse(&made, &args)
	tr.emit(made, args...)
	kept := tr.path
	kept.to, kept.ok = [2]uint64{pc + 1, dest}, ok
	if tr.translation.size > perByte*len(tr.code.Bytes) {
		kept.length = maxPath + 1
	}
	tr.node.path = &kept
	return 0, false
}

// decided translates a JUMPI whose condition is known.
func (tr *translator) decided(pc, dest uint64, ok bool, condition operand) (next uint64, more bool) {
	if tr.watch != nil {
		tr.emit(op{kind: opWatchBranch, at: tr.watch.Branches[pc], rare: tr.handOver(pc)}, condition)
	}
	if condition.value.IsZero() {
		tr.node.steps += tr.code.ahead(pc+1, false)
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
			(*args)[0] = operand{reg: def.x, value: def.kx}
		case kind != opNone:
			made.kind = kind
			*args = []operand{{reg: def.x, value: def.kx}, {reg: def.y, value: def.ky}}
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

// definition returns the operation of this node that computes a word nothing
// else uses; nil if there is none.
func (tr *translator) definition(a operand) *op {
	i := int(a.reg - firstTemp - tr.first)
	if a.value != nil || i < 0 || tr.defs[i] < 0 || tr.uses[i] > 0 || slices.Contains(tr.items, a) {
		return nil
	}
	return &tr.node.ops[tr.defs[i]]
}

// height is how much higher the stack is than at the root.
func (tr *translator) height() int32 { return int32(len(tr.items) - tr.below) }

// settle moves the words to their places on the stack. Those in keep, which the
// next operation reads, stay readable.
func (tr *translator) settle(keep ...*operand) {
	tr.settleBut(func(operand) bool { return false }, keep...)
}

// settleBut moves the words to their places, but those that stay where they are.
func (tr *translator) settleBut(stays func(operand) bool, keep ...*operand) {
	low := int32(-tr.below)
	rescue := func(o *operand) {
		at := int(o.reg - low)
		if o.value != nil || at < 0 || at >= len(tr.items) || tr.items[at] == (operand{reg: o.reg}) {
			return
		}
		t := tr.temp()
		tr.emit(op{kind: opMove, z: t.reg}, *o)
		*o = t
	}
	settled := slices.Clone(tr.items)
	for i := range settled {
		rescue(&settled[i])
	}
	for _, o := range keep {
		rescue(o)
	}
	for i, o := range settled {
		if place := low + int32(i); (o.value != nil || o.reg != place) && !stays(o) {
			tr.emit(op{kind: opMove, z: place}, o)
		}
	}
}

// proceed ends the path: another tree continues at pc.
// Return addresses stay known there.
func (tr *translator) proceed(pc uint64) {
	if tr.held != nil {
		tr.tell(tr.held)
	}
	r := &rareOp{}
	returns := func(o operand) bool { return false }
	if len(tr.variants[pc]) < maxVariants {
		returns = func(o operand) bool {
			if o.value == nil {
				return false
			}
			_, ok := tr.code.destination(o.value)
			return ok
		}
	}
	for i, o := range tr.items {
		if returns(o) {
			r.known = append(r.known, o)
			r.places = append(r.places, int32(i-len(tr.items)))
		}
	}
	tr.settleBut(returns)
	tr.emit(op{kind: opProceed, at: uint32(pc), z: tr.height(), rare: r})
}

// destination returns the pc of a jump; false if it is not a JUMPDEST.
func (c *Code) destination(to *uint256.Int) (pc uint64, ok bool) {
	pc = to.Uint64()
	return pc, to.IsUint64() && pc < uint64(len(c.Bytes)) && c.dests[pc/64]&(1<<(pc%64)) != 0
}
