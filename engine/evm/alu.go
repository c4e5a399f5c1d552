package evm

import (
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// The instructions that depend on nothing but their operands. The result may not
// be an operand.

// unaryOps are the functions of one operand, by opcode.
var unaryOps = [256]func(z, x *uint256.Int){
	bytecode.ISZERO: func(z, x *uint256.Int) { setBool(z, x.IsZero()) },
	bytecode.NOT:    func(z, x *uint256.Int) { z.Not(x) },
	bytecode.CLZ:    func(z, x *uint256.Int) { z.SetUint64(256 - uint64(x.BitLen())) },
}

// binaryOps are the functions of two operands, the topmost first, by opcode.
var binaryOps = [256]func(z, x, y *uint256.Int){
	bytecode.ADD:        func(z, x, y *uint256.Int) { z.Add(x, y) },
	bytecode.SUB:        func(z, x, y *uint256.Int) { z.Sub(x, y) },
	bytecode.MUL:        func(z, x, y *uint256.Int) { z.Mul(x, y) },
	bytecode.DIV:        func(z, x, y *uint256.Int) { z.Div(x, y) },
	bytecode.SDIV:       func(z, x, y *uint256.Int) { z.SDiv(x, y) },
	bytecode.MOD:        func(z, x, y *uint256.Int) { z.Mod(x, y) },
	bytecode.SMOD:       func(z, x, y *uint256.Int) { z.SMod(x, y) },
	bytecode.EXP:        func(z, x, y *uint256.Int) { z.Exp(x, y) },
	bytecode.SIGNEXTEND: func(z, x, y *uint256.Int) { z.ExtendSign(y, x) },
	bytecode.LT:         func(z, x, y *uint256.Int) { setBool(z, x.Lt(y)) },
	bytecode.GT:         func(z, x, y *uint256.Int) { setBool(z, x.Gt(y)) },
	bytecode.SLT:        func(z, x, y *uint256.Int) { setBool(z, x.Slt(y)) },
	bytecode.SGT:        func(z, x, y *uint256.Int) { setBool(z, x.Sgt(y)) },
	bytecode.EQ:         func(z, x, y *uint256.Int) { setBool(z, x.Eq(y)) },
	bytecode.AND:        func(z, x, y *uint256.Int) { z.And(x, y) },
	bytecode.OR:         func(z, x, y *uint256.Int) { z.Or(x, y) },
	bytecode.XOR:        func(z, x, y *uint256.Int) { z.Xor(x, y) },
	bytecode.BYTE:       func(z, x, y *uint256.Int) { *z = *y; z.Byte(x) },
	bytecode.SHL:        shl,
	bytecode.SHR:        shr,
	bytecode.SAR:        sar,
}

// ternaryOps are the functions of three operands, by opcode. A Machine multiplies
// by its reciprocalCache instead.
var ternaryOps = [256]func(z, x, y, n *uint256.Int){
	bytecode.ADDMOD: func(z, x, y, n *uint256.Int) { z.AddMod(x, y, n) },
	bytecode.MULMOD: func(z, x, y, n *uint256.Int) { z.MulMod(x, y, n) },
}

func setBool(z *uint256.Int, b bool) {
	z.Clear()
	if b {
		z[0] = 1
	}
}

func shl(z, by, x *uint256.Int) {
	if by.LtUint64(256) {
		z.Lsh(x, uint(by[0]))
	} else {
		z.Clear()
	}
}

func shr(z, by, x *uint256.Int) {
	if by.LtUint64(256) {
		z.Rsh(x, uint(by[0]))
	} else {
		z.Clear()
	}
}

func sar(z, by, x *uint256.Int) {
	n := uint(256)
	if by.LtUint64(256) {
		n = uint(by[0])
	}
	z.SRsh(x, n)
}
