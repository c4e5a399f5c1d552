package lookahead

import "leveret/engine/bytecode"

// commutes are the opcodes whose operands are sorted, so that a+b and b+a are
// one expression.
var commutes = [256]bool{
	bytecode.ADD: true, bytecode.MUL: true, bytecode.EQ: true,
	bytecode.AND: true, bytecode.OR: true, bytecode.XOR: true,
}

// A law simplifies an opcode with an unknown operand; it returns unknown if it
// does not apply.
type law func(n *nodes, a, b wordID) wordID

// laws are the identities with one constant operand or two equal ones. They
// matter where compilers multiply or mask by flags, and where a loop ends
// because two variables are equal.
var laws = [256]law{
	bytecode.EQ:   same(1),
	bytecode.LT:   same(0),
	bytecode.GT:   same(0),
	bytecode.SLT:  same(0),
	bytecode.SGT:  same(0),
	bytecode.XOR:  either(same(0), neutral),
	bytecode.SUB:  either(same(0), neutralRight),
	bytecode.ADD:  neutral,
	bytecode.MUL:  either(absorbing, one),
	bytecode.AND:  either(idempotent, absorbing, booleanMask),
	bytecode.OR:   either(idempotent, neutral),
	bytecode.SHL:  neutralLeft,
	bytecode.SHR:  neutralLeft,
	bytecode.SAR:  neutralLeft,
	bytecode.MOD:  modulus,
	bytecode.DIV:  quotient,
	bytecode.SDIV: byZero,
	bytecode.SMOD: byZero,
	bytecode.ISZERO: func(n *nodes, a, _ wordID) wordID {
		if x := n.at(a); x != nil && x.op == bytecode.ISZERO && n.boolean(x.args[0]) {
			return x.args[0]
		}
		return unknown
	},
}

func (n *nodes) simplify(op bytecode.Op, args [3]wordID) wordID {
	if l := laws[op]; l != nil {
		return l(n, args[0], args[1])
	}
	return unknown
}

func same(result uint64) law {
	return func(n *nodes, a, b wordID) wordID {
		if a == b {
			return n.number(result)
		}
		return unknown
	}
}

func either(all ...law) law {
	return func(n *nodes, a, b wordID) wordID {
		for _, l := range all {
			if w := l(n, a, b); w != unknown {
				return w
			}
		}
		return unknown
	}
}

func idempotent(_ *nodes, a, b wordID) wordID {
	if a == b {
		return a
	}
	return unknown
}

func neutralLeft(n *nodes, a, b wordID) wordID {
	if n.isZero(a) {
		return b
	}
	return unknown
}

func neutralRight(n *nodes, a, b wordID) wordID { return neutralLeft(n, b, a) }

func neutral(n *nodes, a, b wordID) wordID {
	if n.isZero(a) {
		return b
	}
	return neutralLeft(n, b, a)
}

func absorbing(n *nodes, a, b wordID) wordID {
	if n.isZero(a) || n.isZero(b) {
		return n.number(0)
	}
	return unknown
}

func one(n *nodes, a, b wordID) wordID {
	if v := n.value(a); v != nil && v.IsUint64() && v.Uint64() == 1 {
		return b
	}
	if v := n.value(b); v != nil && v.IsUint64() && v.Uint64() == 1 {
		return a
	}
	return unknown
}

func byZero(n *nodes, _, b wordID) wordID {
	if n.isZero(b) {
		return n.number(0)
	}
	return unknown
}

func modulus(n *nodes, _, b wordID) wordID {
	if v := n.value(b); v != nil && v.LtUint64(2) {
		return n.number(0)
	}
	return unknown
}

func quotient(n *nodes, a, b wordID) wordID {
	if v := n.value(b); v != nil && v.IsUint64() && v.Uint64() == 1 {
		return a
	}
	return byZero(n, a, b)
}

// booleanMask removes a mask that keeps the lowest bit of a boolean.
func booleanMask(n *nodes, a, b wordID) wordID {
	if v := n.value(a); v != nil && n.boolean(b) && v.Uint64()&1 == 1 {
		return b
	}
	if v := n.value(b); v != nil && n.boolean(a) && v.Uint64()&1 == 1 {
		return a
	}
	return unknown
}
