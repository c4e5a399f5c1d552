package bytecode

import (
	"slices"

	"github.com/holiman/uint256"
)

// A Selector is a function of the dispatcher.
type Selector struct {
	ID    [4]byte
	Entry uint32 // pc of the function's code
	Test  uint32 // pc of the JUMPI to it
}

// dispatchSteps bounds the work of Selectors. A dispatcher takes some twenty
// instructions per function; the code after it may loop forever.
const dispatchSteps = 50_000

// Selectors follows the dispatcher and returns its functions in order. It
// tracks the first four bytes of the calldata, so it reads the linear and
// binary-search dispatchers of both code generators of solc, and comparisons
// with msg.sig in fallback functions.
func (c *Code) Selectors() []Selector {
	if len(c.Instructions) == 0 {
		return nil
	}
	w := walk{code: c, seen: map[string]bool{}, known: map[[4]byte]bool{}}
	w.queue = []walker{{}}
	for len(w.queue) > 0 && w.steps < dispatchSteps {
		next := w.queue[0]
		w.queue = w.queue[1:]
		w.run(next)
	}
	return w.found
}

// A token is the abstract value of a stack word.
type token uint8

const (
	opaque   token = iota
	constant       // word
	head           // the first word of the calldata
	selector       // its first four bytes, as a number
	equal          // non-zero iff selector == word
	unequal        // non-zero iff selector != word
)

type value struct {
	token
	word uint256.Int
}

// A walker is one path through the dispatcher.
type walker struct {
	at    int // index in Instructions
	stack []value
}

type walk struct {
	code  *Code
	queue []walker
	seen  map[string]bool // positions and stacks already queued
	known map[[4]byte]bool
	found []Selector
	steps int
}

// run follows one path to a conditional jump or its end.
func (w *walk) run(r walker) {
	for r.at < len(w.code.Instructions) && w.steps < dispatchSteps {
		w.steps++
		in := w.code.Instructions[r.at]
		info := &Ops[in.Op]
		n := len(r.stack) - int(info.Pops)
		if n < 0 || info.Flow == Ends {
			return
		}
		args := r.stack[n:]
		switch info.Flow {
		case Jumps:
			to := args[0]
			r.stack = r.stack[:n]
			if !w.jump(&r, to) {
				return
			}
			continue
		case Branches:
			w.branch(r, in.PC)
			return
		}
		r.step(w.code, in.Op)
		r.at++
	}
}

// branch queues both outcomes of a conditional jump, except the one that enters
// a function, which is a result.
func (w *walk) branch(r walker, pc uint32) {
	n := len(r.stack) - 2
	cond, to := r.stack[n], r.stack[n+1]
	r.stack = r.stack[:n]
	taken, missed := r, r
	missed.at++
	open := w.jump(&taken, to)
	switch {
	case cond.token == equal && open:
		w.add(cond.word, taken, pc)
		open = false
	case cond.token == unequal && missed.at < len(w.code.Instructions):
		w.add(cond.word, missed, pc)
		missed.at = len(w.code.Instructions)
	}
	w.push(missed)
	if open {
		w.push(taken)
	}
}

func (w *walk) add(word uint256.Int, entry walker, test uint32) {
	b := word.Bytes32()
	id := [4]byte(b[28:])
	if !word.IsUint64() || word.Uint64()>>32 != 0 || w.known[id] {
		return
	}
	w.known[id] = true
	w.found = append(w.found, Selector{id, w.code.Instructions[entry.at].PC, test})
}

func (w *walk) push(r walker) {
	if r.at >= len(w.code.Instructions) {
		return
	}
	key := []byte{byte(r.at), byte(r.at >> 8), byte(r.at >> 16)}
	for _, v := range r.stack {
		b := v.word.Bytes32()
		key = append(append(key, byte(v.token)), b[:]...)
	}
	if !w.seen[string(key)] {
		w.seen[string(key)] = true
		r.stack = slices.Clone(r.stack)
		w.queue = append(w.queue, r)
	}
}

// jump moves r to the destination; false if it is unknown or invalid.
func (w *walk) jump(r *walker, to value) bool {
	if to.token != constant || !to.word.IsUint64() || !w.code.IsJumpdest(to.word.Uint64()) {
		return false
	}
	r.at = int(w.code.at[to.word.Uint64()])
	return true
}

// step executes an instruction that does not jump.
func (r *walker) step(c *Code, op Op) {
	n := len(r.stack)
	switch {
	case IsPush(op):
		v := value{token: constant}
		c.Push(r.at, &v.word)
		r.stack = append(r.stack, v)
	case IsDup(op):
		r.stack = append(r.stack, r.stack[n-1-int(op-DUP1)])
	case IsSwap(op):
		other := n - 2 - int(op-SWAP1)
		r.stack[n-1], r.stack[other] = r.stack[other], r.stack[n-1]
	default:
		info := &Ops[op]
		base := n - int(info.Pops)
		var v value
		if info.Pushes == 1 {
			v = derive(op, r.stack[base:])
		}
		r.stack = r.stack[:base]
		if info.Pushes == 1 {
			r.stack = append(r.stack, v)
		}
	}
}
