package bytecode

import "github.com/holiman/uint256"

// shift224 is the divisor by which old compilers shift the selector down.
var shift224 = new(uint256.Int).Lsh(uint256.NewInt(1), 224)

// derive returns the abstract result of op; args are in stack order, the first
// operand last.
func derive(op Op, args []value) value {
	var a, b value
	if n := len(args); n > 0 {
		a = args[n-1]
		if n > 1 {
			b = args[n-2]
		}
	}
	switch op {
	case CALLDATALOAD:
		if a.token == constant && a.word.IsZero() {
			return value{token: head}
		}
	case SHR:
		if a.token == constant && b.token == head && a.word.Eq(uint256.NewInt(224)) {
			return value{token: selector}
		}
	case DIV:
		if a.token == head && b.token == constant && b.word.Eq(shift224) {
			return value{token: selector}
		}
	case AND:
		if mask(a, b) || mask(b, a) {
			return value{token: selector}
		}
	case ISZERO:
		return negate(a)
	case EQ:
		return against(a, b, equal)
	case SUB, XOR:
		if v := against(a, b, unequal); v.token != opaque {
			return v
		}
	}
	return fold(op, a, b)
}

// mask reports whether sel AND m still contains the whole selector.
func mask(sel, m value) bool {
	return sel.token == selector && m.token == constant && m.word.Eq(uint256.NewInt(1<<32-1))
}

// negate is ISZERO; compilers also use it for selector == 0.
func negate(a value) value {
	switch a.token {
	case selector:
		return value{token: equal}
	case equal:
		return value{token: unequal, word: a.word}
	case unequal:
		return value{token: equal, word: a.word}
	}
	return fold(ISZERO, a, value{})
}

// against is a comparison of the selector with a constant.
func against(a, b value, result token) value {
	switch {
	case a.token == selector && b.token == constant:
		return value{token: result, word: b.word}
	case b.token == selector && a.token == constant:
		return value{token: result, word: a.word}
	}
	return value{}
}

// folds are the operations by which dispatchers compute shifts and masks from
// constants.
var folds = map[Op]func(z, a, b *uint256.Int){
	ADD: func(z, a, b *uint256.Int) { z.Add(a, b) },
	SUB: func(z, a, b *uint256.Int) { z.Sub(a, b) },
	MUL: func(z, a, b *uint256.Int) { z.Mul(a, b) },
	EXP: func(z, a, b *uint256.Int) { z.Exp(a, b) },
	AND: func(z, a, b *uint256.Int) { z.And(a, b) },
	OR:  func(z, a, b *uint256.Int) { z.Or(a, b) },
	SHL: func(z, a, b *uint256.Int) {
		if z.Clear(); a.LtUint64(256) {
			z.Lsh(b, uint(a.Uint64()))
		}
	},
}

func fold(op Op, a, b value) value {
	f := folds[op]
	if f == nil || a.token != constant || b.token != constant {
		return value{}
	}
	v := value{token: constant}
	f(&v.word, &a.word, &b.word)
	return v
}
