package shadow

import (
	"leveret/engine/bytecode"

	"github.com/holiman/uint256"
)

// Compute sets z to the result of a pure instruction, whose operands are a, b
// and c, the topmost first. It returns false for any other instruction. z may be
// an operand.
func Compute(z *uint256.Int, op bytecode.Op, a, b, c *uint256.Int) bool {
	if op >= bytecode.LT && op <= bytecode.ISZERO {
		setBit(z, Related(op, a, b))
		return true
	}
	switch op {
	case bytecode.ADD:
		z.Add(a, b)
	case bytecode.MUL:
		z.Mul(a, b)
	case bytecode.SUB:
		z.Sub(a, b)
	case bytecode.AND:
		z.And(a, b)
	case bytecode.OR:
		z.Or(a, b)
	case bytecode.XOR:
		z.Xor(a, b)
	case bytecode.NOT:
		z.Not(a)
	case bytecode.SHL:
		shiftBy(z, a, b, z.Lsh)
	case bytecode.SHR:
		shiftBy(z, a, b, z.Rsh)
	case bytecode.BYTE:
		at := *a
		z.Set(b).Byte(&at)
	case bytecode.SIGNEXTEND:
		z.ExtendSign(b, a)
	default:
		return computeRarely(z, op, a, b, c)
	}
	return true
}

// computeRarely handles the slow pure instructions, and the rare ones.
func computeRarely(z *uint256.Int, op bytecode.Op, a, b, c *uint256.Int) bool {
	switch op {
	case bytecode.DIV:
		z.Div(a, b)
	case bytecode.SDIV:
		z.SDiv(a, b)
	case bytecode.MOD:
		z.Mod(a, b)
	case bytecode.SMOD:
		z.SMod(a, b)
	case bytecode.ADDMOD:
		z.AddMod(a, b, c)
	case bytecode.MULMOD:
		z.MulMod(a, b, c)
	case bytecode.EXP:
		z.Exp(a, b)
	case bytecode.SAR:
		by := uint(256)
		if a.LtUint64(256) {
			by = uint(a.Uint64())
		}
		z.SRsh(b, by)
	case bytecode.CLZ:
		z.SetUint64(uint64(256 - a.BitLen()))
	default:
		return false
	}
	return true
}

// Related returns the result of LT, GT, SLT, SGT, EQ or ISZERO.
func Related(op bytecode.Op, a, b *uint256.Int) bool {
	switch op {
	case bytecode.LT:
		return a.Lt(b)
	case bytecode.GT:
		return a.Gt(b)
	case bytecode.SLT:
		return a.Slt(b)
	case bytecode.SGT:
		return a.Sgt(b)
	case bytecode.EQ:
		return a.Eq(b)
	}
	return a.IsZero()
}

func setBit(z *uint256.Int, b bool) {
	if z.Clear(); b {
		z.SetOne()
	}
}

func shiftBy(z, by, x *uint256.Int, shift func(*uint256.Int, uint) *uint256.Int) {
	if !by.LtUint64(256) {
		z.Clear()
		return
	}
	shift(x, uint(by.Uint64()))
}
