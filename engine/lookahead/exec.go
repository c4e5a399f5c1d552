package lookahead

import (
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// execute runs a pure opcode on constants, top of the stack first, with the
// methods of uint256 that go-ethereum's instructions call. It returns false for
// other opcodes.
func execute(op bytecode.Op, args []uint256.Int) (uint256.Int, bool) {
	run := pure[op]
	if run == nil {
		return uint256.Int{}, false
	}
	a := [3]*uint256.Int{&none, &none, &none}
	for i := range args {
		a[i] = &args[i]
	}
	var z uint256.Int
	run(&z, a[0], a[1], a[2])
	return z, true
}

// none stands for an operand that an opcode does not have.
var none uint256.Int

type operation func(z, a, b, c *uint256.Int)

var pure = validatePure([256]operation{
	bytecode.ADD:    func(z, a, b, _ *uint256.Int) { z.Add(a, b) },
	bytecode.MUL:    func(z, a, b, _ *uint256.Int) { z.Mul(a, b) },
	bytecode.SUB:    func(z, a, b, _ *uint256.Int) { z.Sub(a, b) },
	bytecode.DIV:    func(z, a, b, _ *uint256.Int) { z.Div(a, b) },
	bytecode.SDIV:   func(z, a, b, _ *uint256.Int) { z.SDiv(a, b) },
	bytecode.MOD:    func(z, a, b, _ *uint256.Int) { z.Mod(a, b) },
	bytecode.SMOD:   func(z, a, b, _ *uint256.Int) { z.SMod(a, b) },
	bytecode.ADDMOD: func(z, a, b, c *uint256.Int) { z.AddMod(a, b, c) },
	bytecode.MULMOD: func(z, a, b, c *uint256.Int) { z.MulMod(a, b, c) },
	bytecode.EXP:    func(z, a, b, _ *uint256.Int) { z.Exp(a, b) },
	bytecode.SIGNEXTEND: func(z, a, b, _ *uint256.Int) {
		z.ExtendSign(b, a)
	},
	bytecode.LT:     func(z, a, b, _ *uint256.Int) { flag(z, a.Lt(b)) },
	bytecode.GT:     func(z, a, b, _ *uint256.Int) { flag(z, a.Gt(b)) },
	bytecode.SLT:    func(z, a, b, _ *uint256.Int) { flag(z, a.Slt(b)) },
	bytecode.SGT:    func(z, a, b, _ *uint256.Int) { flag(z, a.Sgt(b)) },
	bytecode.EQ:     func(z, a, b, _ *uint256.Int) { flag(z, a.Eq(b)) },
	bytecode.ISZERO: func(z, a, _, _ *uint256.Int) { flag(z, a.IsZero()) },
	bytecode.AND:    func(z, a, b, _ *uint256.Int) { z.And(a, b) },
	bytecode.OR:     func(z, a, b, _ *uint256.Int) { z.Or(a, b) },
	bytecode.XOR:    func(z, a, b, _ *uint256.Int) { z.Xor(a, b) },
	bytecode.NOT:    func(z, a, _, _ *uint256.Int) { z.Not(a) },
	bytecode.BYTE:   func(z, a, b, _ *uint256.Int) { z.Set(b).Byte(a) },
	bytecode.SHL: func(z, a, b, _ *uint256.Int) {
		if a.LtUint64(256) {
			z.Lsh(b, uint(a.Uint64()))
		}
	},
	bytecode.SHR: func(z, a, b, _ *uint256.Int) {
		if a.LtUint64(256) {
			z.Rsh(b, uint(a.Uint64()))
		}
	},
	bytecode.SAR: func(z, a, b, _ *uint256.Int) {
		shift := uint(256) // only the sign remains
		if a.LtUint64(256) {
			shift = uint(a.Uint64())
		}
		z.SRsh(b, shift)
	},
	bytecode.CLZ: func(z, a, _, _ *uint256.Int) { z.SetUint64(uint64(256 - a.BitLen())) },
})

func flag(z *uint256.Int, v bool) {
	if z.Clear(); v {
		z.SetOne()
	}
}

// validatePure panics unless exactly the pure opcodes have a row.
func validatePure(table [256]operation) [256]operation {
	for op, row := range table {
		if bytecode.Ops[op].Pure != (row != nil) {
			panic("lookahead: no meaning, or too much, for " + bytecode.Ops[op].Name)
		}
	}
	return table
}
