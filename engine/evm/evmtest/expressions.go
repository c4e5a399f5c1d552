package evmtest

import (
	"github.com/ethereum/go-ethereum/core/vm"
)

// Operations without effects, by the number of words that they pop. Each
// pushes one.
var (
	nullaryOps = []vm.OpCode{
		vm.ADDRESS, vm.ORIGIN, vm.CALLER, vm.CALLVALUE, vm.CALLDATASIZE, vm.CODESIZE, vm.GASPRICE, vm.RETURNDATASIZE,
		vm.COINBASE, vm.TIMESTAMP, vm.NUMBER, vm.PREVRANDAO, vm.GASLIMIT, vm.CHAINID, vm.SELFBALANCE, vm.BASEFEE, vm.BLOBBASEFEE,
		vm.PC, vm.MSIZE, vm.GAS, vm.PUSH0,
	}
	unaryOps  = []vm.OpCode{vm.ISZERO, vm.NOT, vm.CLZ}
	binaryOps = []vm.OpCode{
		vm.ADD, vm.MUL, vm.SUB, vm.DIV, vm.SDIV, vm.MOD, vm.SMOD, vm.EXP, vm.SIGNEXTEND,
		vm.LT, vm.GT, vm.SLT, vm.SGT, vm.EQ, vm.AND, vm.OR, vm.XOR, vm.BYTE, vm.SHL, vm.SHR, vm.SAR,
	}
	ternaryOps  = []vm.OpCode{vm.ADDMOD, vm.MULMOD}
	comparisons = []vm.OpCode{vm.LT, vm.GT, vm.SLT, vm.SGT, vm.EQ, vm.SUB, vm.XOR, vm.AND}
)

// expression pushes the value of a random expression, of constants alone in
// one case of three.
func (p *program) expression(depth int) { p.operand(depth, p.r.IntN(3) == 0) }

func (p *program) operand(depth int, constant bool) {
	if depth == 0 || p.r.IntN(5) == 0 {
		switch {
		case constant || p.r.IntN(2) == 0:
			p.word(anyWord(p.r))
		case p.r.IntN(2) == 0:
			p.push(uint64(p.r.IntN(4) * 32))
			p.op(vm.CALLDATALOAD)
		default:
			p.op(pick(p.r, nullaryOps))
		}
		return
	}
	switch p.r.IntN(8) {
	case 0:
		p.operand(depth-1, constant)
		p.op(pick(p.r, unaryOps))
	case 1:
		p.operand(depth-1, constant)
		p.operand(depth-1, constant)
		p.operand(depth-1, constant)
		p.op(pick(p.r, ternaryOps))
	case 2: // an operand twice
		p.operand(depth-1, constant)
		p.op(vm.DUP1, pick(p.r, binaryOps))
	default:
		p.operand(depth-1, constant)
		p.operand(depth-1, constant)
		if p.r.IntN(4) == 0 {
			p.op(vm.SWAP1)
		}
		p.op(pick(p.r, binaryOps))
	}
}

// compare pushes the result of a comparison, negated or not.
func (p *program) compare(depth int) {
	p.expression(depth)
	p.expression(depth)
	p.op(pick(p.r, comparisons))
	for range p.r.IntN(3) {
		p.op(vm.ISZERO)
	}
}
