package evmtest

import (
	"github.com/ethereum/go-ethereum/core/vm"
)

// assign adds a statement, which leaves the stack as it was.
func (c *compiled) assign() {
	n := c.r.IntN(14)
	if c.nested >= 2 {
		n %= 7
	}
	c.nested++
	switch n {
	case 0, 1:
		c.value(2)
		c.store(c.r.IntN(c.locals))
	case 2:
		c.value(2)
		c.push(uint64(c.r.IntN(3)))
		c.op(vm.SSTORE)
		c.height--
	case 3:
		c.value(1)
		c.slot(1)
		c.op(vm.SSTORE)
		c.height -= 2
	case 4:
		c.require()
	case 5:
		c.emit()
	case 6:
		c.array()
	case 7, 8:
		c.branch(false)
	case 9, 10:
		c.branch(true)
	case 11, 12:
		c.loop()
	case 13:
		c.message()
	}
	c.nested--
}

// condition pushes a comparison, often negated as compilers do for jumps.
func (c *compiled) condition() {
	c.value(1)
	c.value(1)
	c.op(pick(c.r, comparisons))
	c.popped(2)
	for range c.r.IntN(3) {
		c.op(vm.ISZERO)
	}
}

// require reverts with the free memory's contents unless a condition holds.
func (c *compiled) require() {
	c.condition()
	c.height--
	if c.r.IntN(3) > 0 { // mostly false
		c.push(uint64(c.r.IntN(8)))
		c.op(vm.OR)
	}
	holds := c.newLabel()
	c.jumpIf(holds)
	c.push(4)
	c.push(0x40)
	c.op(vm.MLOAD, vm.REVERT)
	c.place(holds)
}

// emit emits a value with an indexed one.
func (c *compiled) emit() {
	c.value(1)
	c.push(0x40)
	c.op(vm.MLOAD, vm.MSTORE)
	c.height--
	c.value(1)
	c.push(0xe7)
	c.push(32)
	c.push(0x40)
	c.op(vm.MLOAD, vm.LOG2)
	c.height--
}

// array allocates memory, writes a word into it and hashes it.
func (c *compiled) array() {
	c.value(1)
	c.push(0x40)
	c.op(vm.MLOAD, vm.DUP1)
	c.push(uint64(32 * (1 + c.r.IntN(3))))
	c.op(vm.ADD)
	c.push(0x40)
	c.op(vm.MSTORE, vm.SWAP1, vm.DUP2, vm.MSTORE)
	c.push(uint64(c.r.IntN(65)))
	c.op(vm.SWAP1, vm.KECCAK256)
	c.store(c.r.IntN(c.locals))
}

// branch adds an if, with an else or without.
func (c *compiled) branch(both bool) {
	c.condition()
	c.height--
	after, otherwise := c.newLabel(), c.newLabel()
	c.jumpIf(otherwise)
	c.assign()
	if both {
		c.jump(after)
		c.place(otherwise)
		c.assign()
		c.place(after)
		return
	}
	c.place(otherwise)
}

// loop adds a for statement: for (i = 0; i < n; i++).
func (c *compiled) loop() {
	c.push(0)
	c.height++
	i := c.height - 1
	start, end := c.newLabel(), c.newLabel()
	c.place(start)
	if c.r.IntN(2) == 0 {
		c.push(uint64(1 + c.r.IntN(6)))
	} else {
		c.value(0)
		c.height--
		c.push(7)
		c.op(vm.AND)
	}
	c.height++
	c.dup(i)
	c.op(vm.LT, vm.ISZERO)
	c.height -= 2
	c.jumpIf(end)
	for range 1 + c.r.IntN(2) {
		c.assign()
	}
	c.push(1)
	c.op(vm.ADD)
	c.jump(start)
	c.place(end)
	c.op(vm.POP)
	c.height--
}

// message calls a function of a contract, checks that the contract has code,
// passes its revert on, and keeps the result.
func (c *compiled) message() {
	c.push(0x40)
	c.op(vm.MLOAD)
	c.push(uint64(c.r.IntN(4)))
	c.push(224)
	c.op(vm.SHL, vm.DUP2, vm.MSTORE)
	c.height++
	c.value(1)
	c.op(vm.DUP2)
	c.push(4)
	c.op(vm.ADD, vm.MSTORE)
	c.height--
	to := ContractAddress(c.r.IntN(contracts))
	op := pick(c.r, []vm.OpCode{vm.CALL, vm.CALL, vm.STATICCALL, vm.DELEGATECALL})
	c.push(32)
	c.op(vm.DUP2)
	c.push(36)
	c.op(vm.DUP2)
	if op == vm.CALL {
		c.push(0)
	}
	c.pushAddress(to)
	c.gas()
	c.op(op, vm.ISZERO, vm.DUP1, vm.ISZERO)
	succeeded := c.newLabel()
	c.jumpIf(succeeded)
	if c.r.IntN(2) == 0 {
		c.op(vm.RETURNDATASIZE)
		c.push(0)
		c.op(vm.DUP1, vm.RETURNDATACOPY, vm.RETURNDATASIZE)
		c.push(0)
		c.op(vm.REVERT)
	}
	c.place(succeeded)
	c.op(vm.POP, vm.MLOAD)
	c.store(c.r.IntN(c.locals))
}
