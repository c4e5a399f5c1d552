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
// comes by once too often, where it gets long, and, once the trees are large, at a
// side of a branch that few runs take: then the words go to their places on the
// stack, and another tree begins. Only return addresses stay known: a tree has
// variants for them.
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
	perByte   = 2                    // operations per byte of code, from which on branches end paths
	perHot    = 32                   // the same for branches with a side that many runs take
	hotRuns   = 64                   // how many those are
	reserve   = 8                    // temporaries that one instruction may need
	mostBelow = 17                   // words that one instruction may name
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
	at      uint32       // pc, or, of what only the Recorder is told, the number in the Watch
	z, x, y uint16       // see place
	rest    uint32       // static gas of the instructions after it in its node
	round   uint32       // Machine.round when the Recorder was last told of it; of opBlocks and of arithmetic
	kx, ky  *uint256.Int // the operands x and y if they are constants
	rare    *rareOp
}

// operands returns the operands x and y.
func (o *op) operands() (x, y operand) {
	return operand{int32(o.x) - window, o.kx}, operand{int32(o.y) - window, o.ky}
}

// A rareOp is what few operations have.
type rareOp struct {
	more   []operand // operands of instructions with more than two
	steps  int32     // of those: instructions after it in its node, for the cap
	blocks []uint32  // of opBlocks: numbers of JUMPDESTs
	quiet  *Quiet    // of opWatchBranch
	moves  []move    // at the end of a path: before it
	passed passed    // of opStack and at the end of a path
	height int32     // of opStack: of the words of the root that are still there; at the end of a path: of the stack; both from the height at the root
	known  []operand // of opProceed: words that are not on the stack, as the tree knows them
	places []int32   // where they would be, from the height at its root
	target *node     // of opProceed; nil: not looked up yet
	cold   *coldSide // of opProceed; nil: the path ends for another reason
}

// A move copies a word.
type move struct {
	to   uint16 // see place
	from operand
}

// A coldSide is a side of a branch that ends the path as long as few runs take it.
type coldSide struct {
	of    *node // that the branch ends
	taken int
	runs  int
}

// branchFlags tell what the operand of a branch is.
type branchFlags uint8

const (
	negated   branchFlags = 1 << iota // the inverse of the condition
	logical                           // the condition is 0 or 1, whatever the operand is
	handsOver                         // x and y are the operands of the comparison that the Recorder gets
	mirrored                          // the same, y before x
)

// A node is a part of a path without branches. Large codes have more nodes than fit
// the caches of a processor, so a node takes two of their lines of 64 bytes, and what
// only its translation and its first run in a Call need is apart.
type node struct {
	ops   []op
	gas   uint32 // static gas
	steps int32  // instructions, for the cap
	need  int16  // words that must lie below the height at the root
	rise  uint8  // how far the stack rises above it, at most firstTemp
	tells bool   // origin.blocks are not empty
	round uint32 // Machine.round when the blocks were reported last
	next  [2]*node
	quiet *Quiet // of the branch that ends the node; nil: the Recorder is not told of it
	exit  op     // the last operation
	from  *origin
}

// An origin is what a node is translated from. It stays if the node is translated again.
type origin struct {
	start
	spans  []span   // of its code
	path   *path    // where the branch that ends the node goes; nil: no branch ends it
	blocks []uint32 // numbers of the JUMPDESTs before the first operation that is ordered
}

// A start is where a node begins.
type start struct {
	path  *path
	pc    uint64
	steps int32 // instructions that were counted before
	cold  bool  // it ends the path at once
}

// A span is instructions one after the other.
type span struct{ first, end uint32 }

// A path is what is known at a place in the code.
type path struct {
	words  trail[operand] // on top of those at the root, deepest first
	below  int            // words of the root that were consumed
	need   int
	rise   int
	temps  int32
	length int
	came   trail[visit]
	passed passed

	to [2]uint64 // of a branch: where it continues, not taken and taken
	ok bool      // of a branch: the destination is valid
}

// A trail is a list that begins as an earlier one does: what paths know differs little
// from what those know that they continue.
type trail[T comparable] struct {
	before *trail[T]
	shared int // elements of before
	own    []T // that follow them
}

// list appends the elements to a list.
func (t *trail[T]) list(to []T) []T { return t.first(to, t.shared+len(t.own)) }

// first appends the first n elements.
func (t *trail[T]) first(to []T, n int) []T {
	if n <= t.shared {
		if n == 0 {
			return to
		}
		return t.before.first(to, n)
	}
	if t.shared > 0 {
		to = t.before.first(to, t.shared)
	}
	return append(to, t.own[:n-t.shared]...)
}

// then returns the trail of a list that may begin as an earlier one. It keeps in memory
// beside that of the last ones what is its own.
func (t *trail[T]) then(earlier, list []T, spare *[]T, atOnce int) trail[T] {
	n := 0
	for n < len(earlier) && n < len(list) && earlier[n] == list[n] {
		n++
	}
	switch {
	case n == len(list) && n == len(earlier):
		return *t
	case n <= t.shared/2: // a chain of nearly nothing
		return trail[T]{own: beside(spare, list, atOnce)}
	}
	return trail[T]{before: t, shared: n, own: beside(spare, list[n:], atOnce)}
}

// A passed has the pcs of the last JUMPDESTs that a path came by, the latest last.
type passed struct {
	pcs   [2]uint32
	count uint8 // of those that are known, the latest ones
}

// add adds a JUMPDEST.
func (p *passed) add(pc uint32) {
	p.pcs[0], p.pcs[1] = p.pcs[1], pc
	p.count = min(p.count+1, 2)
}

// after returns what a frame passed that had passed something before the path.
func (p *passed) after(last Passed) Passed {
	switch p.count {
	case 0:
	case 1:
		last.Jumpdests = [2]uint32{last.Jumpdests[1], p.pcs[1]}
	default:
		last.Jumpdests = p.pcs
	}
	return last
}

// A visit is a JUMPDEST that a path came by.
type visit struct {
	pc     uint32
	height int32
}

// A translation is the code of a contract as the fast mode executes it.
type translation struct {
	code  *Code
	fork  Fork
	watch *Watch // nil: nothing is recorded
	roots []*node
	nodes []*node // all
	size  int     // operations
	rares int     // those of them that have a rareOp
	spare room    // for further nodes: those of one path lie side by side
	draft draft   // of the node that is translated
	begun beginning

	constants map[uint256.Int]*uint256.Int // one place for each: masks occur many times
	variants  map[uint64][]*variant        // by pc
}

// A room is memory for parts of nodes.
type room struct {
	nodes   []node
	origins []origin
	paths   []path
	spans   []span
	ops     []op
	rares   []rareOp
	moves   []move
	numbers []uint32 // of JUMPDESTs
	items   []operand
	visits  []visit
}

// A draft is a node before it is complete: its operations, what is known of its
// temporaries, and memory for its path.
type draft struct {
	ops    []op
	uses   []int // by temporary: operations that read it
	defs   []int // position of the operation that writes it
	stack  []operand
	passes []visit
	spans  []span
	ends   []operand // of the path, as its end leaves them
	moves  []move
}

// A beginning has the words and visits of a path where a node begins.
type beginning struct {
	items  []operand
	visits []visit
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
		n = t.translate(start{path: &path{}, pc: pc})
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
	words := make([]operand, depth)
	for i := range words {
		words[i] = operand{reg: int32(i - depth)}
	}
	for i, place := range r.places {
		words[int(place)+depth] = r.known[i]
	}
	from := &path{words: trail[operand]{own: words}, below: depth, need: depth}
	v := &variant{r.known, r.places, t.translate(start{path: from, pc: pc})}
	if t.variants == nil {
		t.variants = map[uint64][]*variant{}
	}
	t.variants[pc] = append(t.variants[pc], v)
	return v.tree
}

func (v *variant) same(known []operand, places []int32) bool {
	return slices.Equal(v.places, places) && slices.EqualFunc(v.known, known, func(a, b operand) bool { return a.value.Eq(b.value) })
}

// side returns the node that follows a branch. It continues the path, or, once much
// is translated, ends it as long as few runs come by: there are too many paths
// through several branches to translate each, and many nodes do not fit the caches of
// a processor.
func (t *translation) side(n *node, taken int) *node {
	switch {
	case taken == 1 && !n.from.path.ok:
		n.next[1] = &node{exit: op{kind: opInvalidJump}}
	case t.size < perByte*len(t.code.Bytes):
		t.extend(n, taken)
	default:
		n.next[taken] = t.translate(start{n.from.path, n.from.path.to[taken], t.sideSteps(n, taken), true})
		n.next[taken].exit.rare.cold = &coldSide{of: n, taken: taken}
	}
	return n.next[taken]
}

// extend continues the path at a side of a branch.
func (t *translation) extend(n *node, taken int) {
	n.next[taken] = t.translate(start{n.from.path, n.from.path.to[taken], t.sideSteps(n, taken), false})
}

// sideSteps returns the instructions that a side of a branch counts.
func (t *translation) sideSteps(n *node, taken int) int32 {
	if taken == 1 {
		return 0
	}
	return int32(t.code.ahead(n.from.path.to[0], false))
}

// warm counts a run of a side that ends the path.
func (t *translation) warm(c *coldSide) {
	if c.runs++; c.runs >= hotRuns && t.size < perHot*len(t.code.Bytes) {
		t.extend(c.of, c.taken)
	}
}

// A translator translates one node.
type translator struct {
	*translation
	path
	draft
	items  []operand // of the path, as trails have them
	visits []visit
	node   *node
	before []op       // operations that it had with another Watch
	first  int32      // first temporary of this node
	popped [7]operand // see pops

	arith   *held    // operands of the running instruction, if the Recorder is told of some of its runs; nil: none
	held    *held    // operands for the branch that ends the block; nil: none
	pending []uint32 // numbers of JUMPDESTs to report before the next operation that is ordered
	ordered bool     // the node has such an operation
}

// translate adds a node.
func (t *translation) translate(from start) *node {
	n := &beside(&t.spare.nodes, make([]node, 1), t.atOnce()/8)[0]
	t.fill(n, from)
	t.nodes = append(t.nodes, n)
	return n
}

// fill translates a node.
func (t *translation) fill(n *node, from start) {
	tr := translator{translation: t, path: *from.path, node: n, before: n.ops, first: from.path.temps}
	d := &t.draft
	tr.draft = draft{ops: d.ops[:0], uses: d.uses[:0], defs: d.defs[:0], spans: d.spans[:0], ends: d.ends, moves: d.moves}
	tr.items, tr.visits = tr.words.list(d.stack[:0]), tr.came.list(d.passes[:0])
	if n.from == nil {
		n.from = &beside(&t.spare.origins, []origin{{start: from}}, t.atOnce()/8)[0]
	}
	*n = node{steps: from.steps, from: n.from}
	if from.cold {
		tr.proceed(from.pc)
	} else {
		tr.follow(from.pc)
	}
	tr.finish()
	t.draft = tr.draft
	t.draft.stack, t.draft.passes = tr.items, tr.visits
}

// keepPath copies the path, as it is before a branch that goes to one of two places.
func (tr *translator) keepPath(to [2]uint64, ok bool) *path {
	kept, from := tr.path, tr.node.from.start.path
	kept.to, kept.ok = to, ok
	b := &tr.begun
	b.items, b.visits = from.words.list(b.items[:0]), from.came.list(b.visits[:0])
	kept.words = from.words.then(b.items, tr.items, &tr.spare.items, tr.atOnce())
	kept.came = from.came.then(b.visits, tr.visits, &tr.spare.visits, tr.atOnce())
	return &beside(&tr.spare.paths, []path{kept}, tr.atOnce()/8)[0]
}

// follow translates instructions to the end of the node.
func (tr *translator) follow(pc uint64) {
	first := pc
	for more := true; more; {
		at := pc
		pc, more = tr.instruction(pc, len(tr.spans) == 0 && at == first)
		if end := at + 1 + uint64(bytecode.Ops[tr.code.at(at)].Immediate); !more || pc != end {
			tr.spans = append(tr.spans, span{uint32(first), uint32(end)})
			first = pc
		}
	}
	if from := tr.node.from; from.spans == nil {
		from.spans = beside(&tr.spare.spans, tr.spans, tr.atOnce())
	}
}

// at returns the instruction at pc, STOP beyond the end.
func (c *Code) at(pc uint64) byte {
	if pc >= uint64(len(c.Bytes)) {
		return bytecode.STOP
	}
	return c.Bytes[pc]
}

// rewatch changes what is recorded of a code: it translates again the nodes with
// instructions that this concerns. Paths do not depend on it.
func (t *translation) rewatch(watch *Watch) {
	changes := t.watch.changes(watch)
	t.watch = watch
	for _, n := range t.nodes {
		if !n.contains(changes) {
			continue
		}
		next := n.next
		t.size -= len(n.ops) + 1
		t.rares -= n.rares()
		t.fill(n, n.from.start)
		n.next = next
	}
}

// rares returns how many operations of a node have a rareOp.
func (n *node) rares() (count int) {
	for i := range n.ops {
		if n.ops[i].rare != nil {
			count++
		}
	}
	if n.exit.rare != nil {
		count++
	}
	return count
}

// contains reports whether the code of a node has one of some pcs, which ascend.
func (n *node) contains(pcs []uint32) bool {
	for _, s := range n.from.spans {
		if i, _ := slices.BinarySearch(pcs, s.first); i < len(pcs) && pcs[i] < s.end {
			return true
		}
	}
	return false
}

// finish completes the node.
func (tr *translator) finish() {
	n := tr.node
	n.need, n.rise = int16(tr.need), uint8(tr.rise)
	ops := slices.DeleteFunc(tr.ops, func(o op) bool { return o.kind == opNone })
	for i := range ops {
		ops[i].rest = n.gas - ops[i].rest
		if r := ops[i].rare; r != nil {
			r.steps = n.steps - r.steps
		}
	}
	last := len(ops) - 1
	n.ops, n.exit = tr.keep(ops[:last], tr.before), ops[last]
	tr.translation.size += len(ops)
	tr.translation.rares += n.rares()
}

// keep copies the operations of a node, to the place of those that it had before if
// they fit.
func (t *translation) keep(ops, before []op) []op {
	if len(ops) <= cap(before) {
		return append(before[:0], ops...)
	}
	return beside(&t.spare.ops, ops, t.atOnce())
}

// How many operations a translation reserves memory for at once: few if it is small.
const (
	leastAtOnce = 32
	mostAtOnce  = 512
)

func (t *translation) atOnce() int { return min(leastAtOnce+t.size, mostAtOnce) }

// beside copies parts of nodes to memory that lies beside that of the last ones, which
// it reserves for several at once.
func beside[T any](spare *[]T, parts []T, atOnce int) []T {
	if len(parts) > cap(*spare)-len(*spare) {
		*spare = make([]T, 0, max(atOnce, len(parts)))
	}
	first := len(*spare)
	*spare = append(*spare, parts...)
	return (*spare)[first:len(*spare):len(*spare)]
}

// instruction translates one instruction and returns where the path continues;
// false where it ends.
func (tr *translator) instruction(pc uint64, first bool) (next uint64, more bool) {
	code := tr.code.Bytes
	if pc >= uint64(len(code)) {
		tr.emit(op{kind: opStop})
		return 0, false
	}
	if tr.code.beyond(pc) {
		tr.emit(op{kind: opInexact})
		return 0, false
	}
	o := code[pc]
	if !first && tr.crowded() || o == bytecode.JUMPDEST && tr.returns(pc, first) {
		tr.proceed(pc)
		return 0, false
	}
	row := &bytecode.Ops[o]
	tr.node.gas += uint32(price(o))
	tr.observe(pc, o)
	switch {
	case !tr.fork.defines(o):
		tr.emit(op{kind: opInvalid, code: o})
		return 0, false
	case bytecode.IsPush(o) && tr.code.differs(pc):
		tr.result(op{kind: opImmediate, at: uint32(pc)})
		return pc + 1 + uint64(row.Immediate), true
	case bytecode.IsPush(o):
		tr.push(tr.constant(immediate(code, pc)))
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
		tr.node.steps += int32(tr.code.ahead(pc, true))
		if tr.watch != nil {
			tr.pending = append(tr.pending, tr.watch.Blocks[pc])
			tr.passed.add(uint32(pc))
		}
	case o == bytecode.POP:
		tr.pop()
	case o == bytecode.PC:
		tr.push(tr.constant(*uint256.NewInt(pc)))
	case row.Flow == bytecode.Ends:
		tr.terminal(pc, o)
		return 0, false
	default:
		tr.effect(pc, o)
	}
	return pc + 1, true
}

// constant returns the operand of a known word.
func (t *translation) constant(word uint256.Int) operand {
	known := t.constants[word]
	if known == nil {
		if t.constants == nil {
			t.constants = map[uint256.Int]*uint256.Int{}
		}
		known = &word
		t.constants[word] = known
	}
	return operand{value: known}
}

// price is the static price of an opcode.
func price(o byte) uint64 {
	if o > bytecode.PUSH0 && o <= bytecode.SWAP16 {
		return 3
	}
	return static[o]
}

// immediate returns the word that the PUSH at pc pushes.
func immediate(code []byte, pc uint64) (value uint256.Int) {
	n := int(code[pc] - bytecode.PUSH0)
	var word [32]byte
	if from := int(pc) + 1; from < len(code) {
		copy(word[32-n:], code[from:min(from+n, len(code))])
	}
	return *value.SetBytes32(word[:])
}

// crowded reports whether the path must end before one more instruction.
func (tr *translator) crowded() bool {
	return tr.temps > maxTemps-2*reserve-int32(len(tr.items)) || len(tr.items)-tr.below > firstTemp-2*reserve || tr.need > window-2*mostBelow
}

// returns reports whether the path comes by a JUMPDEST once too often, or is too
// long for another block.
func (tr *translator) returns(pc uint64, first bool) bool {
	here := visit{uint32(pc), int32(len(tr.items) - tr.below)}
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

// compute translates an instruction that depends on its operands alone.
func (tr *translator) compute(pc uint64, o byte) {
	args := tr.pops(int(bytecode.Ops[o].Pops))
	if o == bytecode.EXP && args[1].value != nil {
		tr.node.gas += uint32(priceOfExponent(args[1].value))
	}
	constant := !slices.ContainsFunc(args, func(a operand) bool { return a.value == nil })
	switch {
	case constant:
		if tr.arith != nil {
			tr.tell(tr.arith)
		}
		var z uint256.Int
		switch len(args) {
		case 1:
			unaryOps[o](&z, args[0].value)
		case 2:
			binaryOps[o](&z, args[0].value, args[1].value)
		default:
			ternaryOps[o](&z, args[0].value, args[1].value, args[2].value)
		}
		tr.push(tr.constant(z))
	case tr.arith != nil:
		tr.result(op{kind: told[computes[o]], code: o, at: tr.arith.number}, args...)
	default:
		made := op{kind: computes[o], code: o, at: uint32(pc)}
		args = tr.simplify(&made, args)
		tr.result(made, args...)
	}
	tr.arith = nil
}

// effect translates an instruction that reads or changes more than the stack.
func (tr *translator) effect(pc uint64, o byte) {
	row := &bytecode.Ops[o]
	args := tr.pops(int(row.Pops))
	made := op{kind: effects[o], code: o, at: uint32(pc), watched: tr.watch != nil}
	if o == bytecode.MLOAD {
		args = tr.address(&made, args)
	}
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

// destination returns the pc of a jump; false if it is not a JUMPDEST. Beyond what
// codes have in common only the exact mode can tell.
func (c *Code) destination(to *uint256.Int) (pc uint64, ok bool) {
	pc = to.Uint64()
	return pc, to.IsUint64() && c.beyond(pc) || to.IsUint64() && pc < uint64(len(c.Bytes)) && c.dests[pc/64]&(1<<(pc%64)) != 0
}
