package variables

import (
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"leveret/solc"
	"leveret/solc/ast"
	"leveret/solc/srcmap"
)

// unassigned stands for the value of an immutable that no code has yet.
const unassigned = "known after the constructor"

// Constants returns the constants and immutables of a contract. code is its deployed
// code; nil while the constructor runs. Of a constant whose expression is not evaluated
// here, it shows the expression.
func (r *Reader) Constants(contract *solc.Contract, code []byte) (list []Value) {
	for _, d := range contract.Build.Trees().StateVariables(contract.Node) {
		switch {
		case d.IsConstant():
			list = append(list, r.Constant(d))
		case d.IsImmutable():
			list = append(list, r.immutable(d, &contract.Runtime, code))
		}
	}
	return list
}

// Constant returns the value of a constant.
func (r *Reader) Constant(declaration *ast.Node) Value {
	t := r.Types.Of(declaration)
	v := Value{Name: declaration.Name(), Type: t.label(), Memory: -1}
	e := declaration.Child("value")
	c, ok := r.Types.constant(e, 0)
	if ok {
		c, ok = c.convert(e.ValueType(), t.Type)
	}
	switch {
	case !ok:
		v.Text = r.Types.source(e)
	case t.value():
		v.Text = r.elementary(t, c.word(t.Type))
	default:
		v.Text = text(t, c.text[:min(len(c.text), maxText)], *uint256.NewInt(uint64(len(c.text))))
	}
	return v
}

// source returns the text of an expression, on one line.
func (x *Types) source(e *ast.Node) string {
	s := x.build.SpanSource(e.Span)
	if s == nil || e.Span.End() > len(s.Text) || e.Span.Start < 0 {
		return Unknown
	}
	return srcmap.Excerpt(s.Text[e.Span.Start:e.Span.End()])
}

// immutable returns the value of an immutable, which the deployed code has wherever it
// uses it.
func (r *Reader) immutable(declaration *ast.Node, compiled *solc.Code, code []byte) Value {
	t := r.Types.Of(declaration)
	v := Value{Name: declaration.Name(), Type: t.label(), Memory: -1, Text: Unknown}
	places := compiled.Immutables[declaration.ID]
	switch {
	case code == nil:
		v.Text = unassigned
	case len(places) > 0 && places[0].Length == 32 && places[0].Start+32 <= len(code) && t.Kind != ast.TypeFunction && t.value():
		var word uint256.Int
		v.Text = r.elementary(t, *word.SetBytes(code[places[0].Start : places[0].Start+32]))
	}
	return v
}

// A constant is the value of an expression that needs no execution.
type constant struct {
	number *big.Int // of booleans 0 or 1; of fixed bytes aligned to the right
	text   []byte   // if number is nil
}

// maxConstant bounds the depth of expressions of constants.
const maxConstant = 50

// constant evaluates an expression; false if it is not known how.
func (x *Types) constant(e *ast.Node, depth int) (c constant, ok bool) {
	e = e.Bare()
	if e == nil || depth > maxConstant {
		return c, false
	}
	if n := e.ValueType().Number; n != nil {
		return constant{number: n}, true
	}
	switch e.Type {
	case ast.Literal:
		return literal(e)
	case ast.Identifier:
		return x.reference(e, depth)
	case ast.MemberAccess:
		return x.member(e, depth)
	case ast.FunctionCall:
		return x.call(e, depth)
	case ast.UnaryOperation, ast.BinaryOperation:
		return x.operation(e, depth)
	}
	return c, false
}

func literal(e *ast.Node) (c constant, ok bool) {
	if e.Kind() == "bool" {
		return boolean(e.Attr("value") == "true"), true
	}
	list := e.Constants()
	if len(list) == 0 {
		return c, false
	}
	return constant{list[0].Number, list[0].Text}, true
}

func boolean(b bool) constant {
	if b {
		return constant{number: big.NewInt(1)}
	}
	return constant{number: new(big.Int)}
}

// reference evaluates a name of another constant.
func (x *Types) reference(e *ast.Node, depth int) (c constant, ok bool) {
	d := x.build.Trees().Referenced(e)
	if d == nil || d.Type != ast.VariableDeclaration || !d.IsConstant() {
		return c, false
	}
	value := d.Child("value")
	if c, ok = x.constant(value, depth+1); !ok {
		return c, false
	}
	return c.convert(value.ValueType(), x.Of(d).Type)
}

// member evaluates type(T).max, Enum.Member and Library.CONSTANT.
func (x *Types) member(e *ast.Node, depth int) (c constant, ok bool) {
	of := e.Child("expression").Bare()
	if of == nil {
		return c, false
	}
	if of.Type == ast.FunctionCall && of.ValueType().Kind == ast.TypeOfTypes && e.ValueType().Integer() {
		t := of.ValueType().Elem
		f := Form{Kind: kinds[t.Kind], Width: t.Bits / 8}
		low, high := f.limits()
		switch {
		case !t.Integer():
		case e.Name() == "max":
			return constant{number: high}, true
		case e.Name() == "min":
			return constant{number: low}, true
		}
		return c, false
	}
	if d := x.build.Trees().Referenced(of); d != nil && d.Type == ast.EnumDefinition {
		for i, m := range d.List("members") {
			if m.Name() == e.Name() {
				return constant{number: big.NewInt(int64(i))}, true
			}
		}
	}
	return x.reference(e, depth)
}

// call evaluates a conversion, T.wrap, a hash or the encoding of one word.
func (x *Types) call(e *ast.Node, depth int) (c constant, ok bool) {
	callee, arguments := e.Callee(), e.Arguments()
	if callee == nil || len(arguments) != 1 {
		return c, false
	}
	argument := arguments[0]
	if c, ok = x.constant(argument, depth+1); !ok {
		return c, false
	}
	encodes := callee.Type == ast.MemberAccess && strings.HasPrefix(callee.Child("expression").TypeString(), "abi")
	switch {
	case e.Kind() == "typeConversion":
		return c.convert(argument.ValueType(), e.ValueType())
	case callee.Type == ast.MemberAccess && callee.Name() == "wrap" && e.ValueType().Kind == ast.TypeUserValue:
		return c.convert(argument.ValueType(), x.build.Trees().Underlying(e))
	case e.IsBuiltin("keccak256") && c.number == nil:
		return constant{number: new(big.Int).SetBytes(crypto.Keccak256(c.text))}, true
	case encodes && callee.Name() == "encodePacked" && c.number == nil:
		return c, true
	case encodes && callee.Name() == "encode" && c.number != nil:
		if t := argument.ValueType(); t.Kind != ast.TypeNumber && t.Kind != ast.TypeOther {
			word := c.word(t)
			return constant{text: word.PaddedBytes(32)}, true
		}
	}
	return c, false
}

// word returns a value of a type as it is on the stack.
func (c *constant) word(t ast.Type) (word uint256.Int) {
	word.SetFromBig(c.number)
	if t.Kind == ast.TypeFixedBytes {
		word.Lsh(&word, uint(256-t.Bits))
	}
	return word
}

// convert converts a value between types.
func (c constant) convert(from, to ast.Type) (constant, bool) {
	switch {
	case c.number == nil && (to.Kind == ast.TypeString || to.Kind == ast.TypeBytes || to.Kind == ast.TypeText):
		return c, true
	case c.number == nil && to.Kind == ast.TypeFixedBytes && len(c.text) <= to.Bits/8:
		return constant{number: new(big.Int).SetBytes(common.RightPadBytes(c.text, to.Bits/8))}, true
	case c.number == nil:
		return c, false
	case from.Kind == ast.TypeFixedBytes && to.Kind == ast.TypeFixedBytes:
		n := new(big.Int)
		if to.Bits >= from.Bits {
			return constant{number: n.Lsh(c.number, uint(to.Bits-from.Bits))}, true
		}
		return constant{number: n.Rsh(c.number, uint(from.Bits-to.Bits))}, true
	}
	switch to.Kind {
	case ast.TypeUint, ast.TypeInt, ast.TypeAddress, ast.TypeContract, ast.TypeFixedBytes:
		return constant{number: wrapped(c.number, to)}, true
	case ast.TypeBool, ast.TypeEnum, ast.TypeNumber:
		return c, true
	}
	return c, false
}

// wrapped returns the value of a type that has the lower bits of a number.
func wrapped(n *big.Int, t ast.Type) *big.Int {
	bits := uint(t.Bits)
	if t.Kind == ast.TypeAddress || t.Kind == ast.TypeContract {
		bits = 160
	}
	size := new(big.Int).Lsh(big.NewInt(1), bits)
	r := new(big.Int).Mod(n, size)
	if t.Kind == ast.TypeInt && r.Bit(int(bits)-1) == 1 {
		r.Sub(r, size)
	}
	return r
}

// operation evaluates an operator. What overflows is not known.
func (x *Types) operation(e *ast.Node, depth int) (c constant, ok bool) {
	operands := e.Operands()
	var values [2]*big.Int
	if len(operands) > 2 {
		return c, false
	}
	for i, o := range operands {
		v, known := x.constant(o, depth+1)
		if !known || v.number == nil {
			return c, false
		}
		if i == 1 && o.ValueType().Kind != ast.TypeNumber && operands[0].ValueType().Kind == ast.TypeFixedBytes && o.ValueType().Kind == ast.TypeFixedBytes {
			v, _ = v.convert(o.ValueType(), operands[0].ValueType())
		}
		values[i] = v.number
	}
	t := e.ValueType()
	var n *big.Int
	if len(operands) == 1 {
		n = unary(e.Operator(), values[0])
	} else {
		n = binary(e.Operator(), values[0], values[1])
	}
	if n == nil {
		return c, false
	}
	switch t.Kind {
	case ast.TypeBool, ast.TypeNumber:
		return constant{number: n}, true
	case ast.TypeUint, ast.TypeInt, ast.TypeFixedBytes:
		w := wrapped(n, t)
		cuts := e.Operator() == "<<" || e.Operator() == "~"
		return constant{number: w}, cuts || w.Cmp(n) == 0
	}
	return c, false
}

func unary(operator string, n *big.Int) *big.Int {
	switch operator {
	case "-":
		return new(big.Int).Neg(n)
	case "~":
		return new(big.Int).Not(n)
	case "!":
		return boolean(n.Sign() == 0).number
	}
	return nil
}

// maxShift bounds shifts and powers.
const maxShift = 256

// binary applies an operator; nil if it is not known for the operands.
func binary(operator string, a, b *big.Int) *big.Int {
	var r big.Int
	small := b.Sign() >= 0 && b.Cmp(big.NewInt(maxShift)) <= 0
	divides := b.Sign() != 0
	switch {
	case operator == "+":
		return r.Add(a, b)
	case operator == "-":
		return r.Sub(a, b)
	case operator == "*":
		return r.Mul(a, b)
	case operator == "/" && divides:
		return r.Quo(a, b)
	case operator == "%" && divides:
		return r.Rem(a, b)
	case operator == "**" && small && a.BitLen()*int(b.Int64()) <= 2*maxShift:
		return r.Exp(a, b, nil)
	case operator == "<<" && small:
		return r.Lsh(a, uint(b.Uint64()))
	case operator == ">>" && small:
		return r.Rsh(a, uint(b.Uint64()))
	case operator == "&":
		return r.And(a, b)
	case operator == "|":
		return r.Or(a, b)
	case operator == "^":
		return r.Xor(a, b)
	}
	return compare(operator, a.Cmp(b))
}

// compare applies a comparison to an order; nil if it is none.
func compare(operator string, order int) *big.Int {
	holds, known := map[string]bool{
		"==": order == 0, "!=": order != 0, "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0,
	}[operator]
	if !known {
		return nil
	}
	return boolean(holds).number
}
