package evmtest

import (
	"math/rand/v2"

	"github.com/ethereum/go-ethereum/core/vm"
)

// compiledProgram has the shape of compiled Solidity: a dispatcher, external
// functions that decode arguments and encode results, internal functions that
// return by a jump to a place on the stack, checked arithmetic, mappings, loops
// and calls of other contracts.
//
// Selectors are 0, 1, 2 …
func compiledProgram(r *rand.Rand, depth int) []byte {
	c := &compiled{program: program{r: r, depth: depth}}
	c.panics = c.newLabel()
	for range 2 + r.IntN(4) {
		c.functions = append(c.functions, function{c.newLabel(), r.IntN(4)})
	}
	c.dispatch()
	for i := range c.functions {
		c.body(i)
	}
	c.place(c.panics) // panic(uint256), as the compiler encodes it
	c.push(0x4e487b71)
	c.push(224)
	c.op(vm.SHL)
	c.push(0)
	c.op(vm.MSTORE)
	c.push(0x11)
	c.push(4)
	c.op(vm.MSTORE)
	c.push(36)
	c.push(0)
	c.op(vm.REVERT)
	return c.finish()
}

// A function is internal: its arguments lie above the place to return to, and
// it replaces both by one word.
type function struct {
	label
	arguments int
}

// A compiled is a program under construction, within one function.
type compiled struct {
	program
	functions []function
	panics    label
	height    int // words on the stack above the place to return to
	locals    int // arguments and variables at the bottom of them
	running   int // index of the function
	nested    int // statements within statements
}

// dispatch adds the dispatcher and the external functions.
func (c *compiled) dispatch() {
	c.push(0x80)
	c.push(0x40)
	c.op(vm.MSTORE)
	fallback := c.newLabel()
	c.push(4)
	c.op(vm.CALLDATASIZE, vm.LT)
	c.jumpIf(fallback)
	c.push(0)
	c.op(vm.CALLDATALOAD)
	c.push(224)
	c.op(vm.SHR)
	external := make([]label, len(c.functions))
	for i := range external {
		external[i] = c.newLabel()
	}
	if c.r.IntN(2) == 0 { // a tree
		upper := c.newLabel()
		half := len(external) / 2
		c.op(vm.DUP1)
		c.push(uint64(half))
		c.op(vm.GT, vm.ISZERO)
		c.jumpIf(upper)
		c.choose(external, 0, half)
		c.jump(fallback)
		c.place(upper)
		c.choose(external, half, len(external))
	} else {
		c.choose(external, 0, len(external))
	}
	c.place(fallback)
	c.push(0)
	c.op(vm.DUP1, pick(c.r, []vm.OpCode{vm.REVERT, vm.REVERT, vm.RETURN}))
	for i, l := range external {
		c.external(l, c.functions[i])
	}
}

// choose compares the selector with those from first on.
func (c *compiled) choose(external []label, first, end int) {
	for i := first; i < end; i++ {
		c.op(vm.DUP1)
		c.push(uint64(i))
		c.op(vm.EQ)
		c.jumpIf(external[i])
	}
}

// external decodes the arguments of f, calls it and returns its result.
func (c *compiled) external(l label, f function) {
	c.place(l)
	c.op(vm.POP)
	if c.r.IntN(2) == 0 { // not payable
		c.op(vm.CALLVALUE, vm.DUP1, vm.ISZERO)
		paid := c.newLabel()
		c.jumpIf(paid)
		c.push(0)
		c.op(vm.DUP1, vm.REVERT)
		c.place(paid)
		c.op(vm.POP)
	}
	back := c.newLabel()
	c.pushLabel(back)
	for i := range f.arguments {
		c.push(uint64(4 + 32*i))
		c.op(vm.CALLDATALOAD)
		if c.r.IntN(3) == 0 { // a narrow type
			c.push(0xff)
			c.op(vm.AND)
		}
	}
	c.jump(f.label)
	c.place(back)
	c.push(0x40)
	c.op(vm.MLOAD, vm.SWAP1, vm.DUP2, vm.MSTORE)
	c.push(32)
	c.op(vm.SWAP1, vm.RETURN)
}

// body adds an internal function.
func (c *compiled) body(i int) {
	f := c.functions[i]
	c.place(f.label)
	c.running, c.height, c.locals = i, f.arguments, f.arguments
	for range 1 + c.r.IntN(3) {
		c.value(1)
		c.locals++
	}
	for range 1 + c.r.IntN(4) {
		c.assign()
	}
	// the result replaces the place to return to, which ends on top
	c.value(2)
	for c.height > 1 {
		c.op(vm.SWAP1, vm.POP)
		c.height--
	}
	c.op(vm.SWAP1, vm.JUMP)
}

// dup pushes a copy of a variable.
func (c *compiled) dup(variable int) {
	if c.height-variable > 16 {
		c.push(uint64(variable))
	} else {
		c.op(vm.DUP1 + vm.OpCode(c.height-variable-1))
	}
	c.height++
}

// store pops the word on top into a variable.
func (c *compiled) store(variable int) {
	if n := c.height - 1 - variable; n <= 16 {
		c.op(vm.SWAP1 + vm.OpCode(n-1))
	}
	c.op(vm.POP)
	c.height--
}

// popped notes that an instruction popped n words and pushed one.
func (c *compiled) popped(n int) { c.height += 1 - n }

// value pushes the value of an expression.
func (c *compiled) value(depth int) {
	n := c.r.IntN(20)
	if depth <= 0 {
		n %= 6
	}
	switch {
	case n < 3 && c.locals > 0:
		c.dup(c.r.IntN(c.locals))
	case n < 4:
		c.word(anyWord(c.r))
		c.height++
	case n < 5:
		c.push(uint64(c.r.IntN(3)))
		c.height++
		c.op(vm.SLOAD)
	case n < 6:
		c.op(pick(c.r, []vm.OpCode{vm.CALLER, vm.TIMESTAMP, vm.CALLVALUE, vm.GAS, vm.PUSH0, vm.ADDRESS}))
		c.height++
	case n < 9:
		c.checked(depth)
	case n < 11:
		c.slot(depth)
		c.op(vm.SLOAD)
	case n < 13:
		c.internal(depth)
	case n < 14:
		c.value(depth - 1)
		c.op(pick(c.r, unaryOps))
	default:
		c.value(depth - 1)
		c.value(depth - 1)
		c.op(pick(c.r, binaryOps))
		c.popped(2)
	}
}

// checked adds or multiplies and panics on overflow.
func (c *compiled) checked(depth int) {
	c.value(depth - 1)
	c.value(depth - 1)
	if c.r.IntN(2) == 0 {
		c.op(vm.DUP2, vm.ADD, vm.DUP1, vm.SWAP2, vm.GT)
	} else {
		c.op(vm.DUP1, vm.DUP3, vm.MUL, vm.SWAP2, vm.DUP1, vm.DUP4, vm.DIV, vm.DUP3, vm.EQ, vm.DUP2, vm.ISZERO, vm.OR, vm.ISZERO)
		c.op(vm.SWAP2, vm.POP, vm.POP)
	}
	c.jumpIf(c.panics)
	c.popped(2)
}

// slot pushes the place of a mapping's value.
func (c *compiled) slot(depth int) {
	c.value(depth - 1)
	c.push(0)
	c.op(vm.MSTORE)
	c.push(uint64(c.r.IntN(3)))
	c.push(32)
	c.op(vm.MSTORE)
	c.push(64)
	c.push(0)
	c.op(vm.KECCAK256)
}

// internal calls a later function; rarely the running one or an earlier one,
// which need not end.
func (c *compiled) internal(depth int) {
	i := c.running + 1
	if c.r.IntN(20) == 0 {
		i = 0
	}
	if i >= len(c.functions) {
		c.value(depth - 1)
		return
	}
	f := c.functions[i+c.r.IntN(len(c.functions)-i)]
	back := c.newLabel()
	c.pushLabel(back)
	c.height++
	for range f.arguments {
		c.value(depth - 2)
	}
	c.jump(f.label)
	c.place(back)
	c.popped(f.arguments + 1)
}
