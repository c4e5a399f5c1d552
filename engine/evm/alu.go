package evm

import (
	"math/bits"

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
	bytecode.DIV:        div,
	bytecode.SDIV:       func(z, x, y *uint256.Int) { z.SDiv(x, y) },
	bytecode.MOD:        mod,
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

func div(z, x, y *uint256.Int) {
	switch {
	case y[1]|y[2]|y[3] != 0 || y[0] == 0:
		z.Div(x, y)
	case x[1]|x[2]|x[3] == 0:
		z.SetUint64(x[0] / y[0])
	default:
		divSmall(z, x, y[0])
	}
}

func mod(z, x, y *uint256.Int) {
	switch {
	case y[1]|y[2]|y[3] != 0 || y[0] == 0:
		z.Mod(x, y)
	case x[1]|x[2]|x[3] == 0:
		z.SetUint64(x[0] % y[0])
	default:
		var quotient uint256.Int
		z.SetUint64(divSmall(&quotient, x, y[0]))
	}
}

// divSmall sets z to x/y and returns the remainder.
func divSmall(z, x *uint256.Int, y uint64) (rest uint64) {
	for i := 3; i >= 0; i-- {
		if rest == 0 && x[i] < y {
			z[i], rest = 0, x[i]
		} else {
			z[i], rest = bits.Div64(rest, x[i], y)
		}
	}
	return rest
}

// index sets z to x*factor + y + more. The factor fits 64 bits.
func index(z, x, y, factor, more *uint256.Int) {
	if x[1]|x[2]|x[3] != 0 {
		z.Mul(x, factor)
		z.Add(z, y)
		z.Add(z, more)
		return
	}
	high, low := bits.Mul64(x[0], factor[0])
	var carry uint64
	low, carry = bits.Add64(low, more[0], 0)
	high, carry = bits.Add64(high, more[1], carry)
	third, carry := bits.Add64(more[2], 0, carry)
	fourth := more[3] + carry
	z[0], carry = bits.Add64(low, y[0], 0)
	z[1], carry = bits.Add64(high, y[1], carry)
	z[2], carry = bits.Add64(third, y[2], carry)
	z[3] = fourth + y[3] + carry
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
