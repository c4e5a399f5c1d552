package oracle

import (
	"math/big"
	"slices"
	"strings"

	"leveret/engine/bytecode"
	"leveret/engine/shadow"
	"leveret/solc/ast"
)

// A cut is a number that a narrowing conversion changed.
type cut struct {
	node          *ast.Node // the conversion
	before, after *big.Int
}

// cutAt finds the conversion behind a mask or sign extension. Compilers clear
// the upper bits where the result is used: cutAt searches there, then at the
// assignment of the variable used. It returns false if ambiguous.
func cutAt(b Blame, a *shadow.Arith, env *Env) (cut, bool) {
	value, bits, ok := narrowed(a)
	if !ok || b.Node == nil {
		return cut{}, false
	}
	result := a.Result.Value()
	if result == value.Value() {
		return cut{}, false
	}
	op, pc, frame := value.Made()
	if packs[byte(op)] {
		return cut{}, false
	}
	if frame == a.Frame.Number {
		// Dirty upper bits of arithmetic in the small type belong to that
		// operation.
		if at := env.Sources.At(Site{a.Frame.Code, pc}); at.Operates && at.Operation.Bits == bits {
			return cut{}, false
		}
	}
	fits := plausible(value, env)
	if unpacks(a, value, env) {
		// The compiler masks words to extract or insert a packed variable.
		fits = func(c *conversion) bool { return c.stored }
	}
	node := only(env.Sources.conversionsAt(b.Node), bits, fits)
	if node == nil {
		return cut{}, false
	}
	from := node.Arguments()[0].ValueType()
	before, after := Operation{Bits: from.Bits, Signed: from.Signed()}, Operation{Bits: bits, Signed: node.ValueType().Signed()}
	v := value.Value()
	c := cut{node, before.typed(&v), after.typed(&v)}
	return c, c.before.Cmp(c.after) != 0
}

// packs are the instructions that insert variables into a packed word; a mask
// of their result extracts one again.
var packs = map[byte]bool{bytecode.OR: true, bytecode.SHL: true, bytecode.XOR: true, bytecode.NOT: true}

// unpacks reports whether a value is a storage word, or one that the compiler
// shifted to the start of a packed variable: the source has no division or
// shift there.
func unpacks(a *shadow.Arith, value shadow.Word, env *Env) bool {
	_, pc, frame := value.Made()
	if frame != a.Frame.Number || pc >= uint64(len(a.Frame.Code.Bytes)) {
		return false
	}
	switch a.Frame.Code.Bytes[pc] {
	case bytecode.SLOAD:
		return true
	case bytecode.DIV, bytecode.SHR:
		at, ok := env.source(Site{a.Frame.Code, pc})
		return !ok || at.Node != nil && !strings.HasPrefix(at.Node.Operator(), "/") && !strings.HasPrefix(at.Node.Operator(), ">>")
	}
	return false
}

// narrowed returns the word that an instruction truncates, and the remaining
// bits.
func narrowed(a *shadow.Arith) (value shadow.Word, bits int, ok bool) {
	first, second := a.A.Value(), a.B.Value()
	switch a.Op {
	case bytecode.AND:
		if a.A.Fixed() {
			return a.B, first.BitLen(), !a.B.Fixed()
		}
		return a.A, second.BitLen(), a.B.Fixed()
	case bytecode.SIGNEXTEND:
		return a.B, 8 * (int(first.Uint64()) + 1), first.LtUint64(31) && !a.B.Fixed()
	}
	return value, 0, false
}

// A conversion is a narrowing conversion that a mask may implement.
type conversion struct {
	node   *ast.Node     // the call
	bits   int           // that it keeps
	stored bool          // it converts a variable that fills a storage word
	reads  []shadow.Kind // of the language's global variables in its argument
}

// only returns the only conversion to a width that fits; nil if there is none or
// several.
func only(list []conversion, bits int, fits func(*conversion) bool) (found *ast.Node) {
	for i := range list {
		if c := &list[i]; c.bits == bits && fits(c) {
			if found != nil {
				return nil
			}
			found = c.node
		}
	}
	return found
}

// conversionsAt lists the conversions at n, and at the assignments of the
// variables used there.
func conversionsAt(n *ast.Node, text func(*ast.Node) string) (list []conversion) {
	if n.Type == ast.FunctionDefinition {
		returns := n.Find(ast.Return)
		if len(returns) != 1 {
			return nil
		}
		n = returns[0]
	}
	if n.InAssembly() {
		return nil
	}
	known := map[*ast.Node]bool{nil: true}
	take := func(call *ast.Node) {
		if !known[call] {
			known[call] = true
			list = append(list, conversion{call, call.ValueType().Bits, stored(call.Arguments()[0]), readsGlobals(call, text)})
		}
	}
	for _, call := range n.Find(ast.FunctionCall) {
		if narrows(call, call.ValueType().Bits) {
			take(call)
		}
	}
	assigned := map[int]bool{}
	for _, id := range n.Find(ast.Identifier) {
		if t := id.ValueType(); t.Integer() && !assigned[id.Refers()] {
			assigned[id.Refers()] = true
			take(conversionOf(id.Refers(), id.Function(), func(v *ast.Node) bool { return narrows(v, t.Bits) }))
		}
	}
	return list
}

// readsGlobals lists the taint kinds of the global variables in an expression.
func readsGlobals(e *ast.Node, text func(*ast.Node) string) (kinds []shadow.Kind) {
	for _, m := range e.Find(ast.MemberAccess, ast.Identifier) {
		if kind, ok := globals[text(m)]; ok && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// plausible accepts conversions of expressions that the word can come from:
// block values and msg.value only if they flowed into it.
func plausible(w shadow.Word, env *Env) func(*conversion) bool {
	sets := env.observer.Sets()
	return func(c *conversion) bool {
		return !slices.ContainsFunc(c.reads, func(kind shadow.Kind) bool { return !sets.HasKind(w.Sources(), kind) })
	}
}

// stored reports whether an expression reads a variable that fills a storage
// word.
func stored(e *ast.Node) bool {
	e = e.Bare()
	if t := e.ValueType(); !t.Integer() || t.Bits != 256 {
		return false
	}
	return e.Type == ast.IndexAccess || e.Type == ast.MemberAccess || e.Type == ast.Identifier && !local(e.Refers(), e.Function())
}

// local reports whether a function declares a variable.
func local(variable int, function *ast.Node) bool {
	found := false
	function.Walk(func(m *ast.Node) bool {
		found = found || m.Type == ast.VariableDeclaration && m.ID == variable
		return !found
	})
	return found
}

// globals are the taint kinds of the language's global variables.
var globals = map[string]shadow.Kind{
	"block.timestamp": shadow.FromTimestamp, "now": shadow.FromTimestamp, "block.number": shadow.FromNumber,
	"msg.value": shadow.FromCallValue, "tx.gasprice": shadow.FromGasPrice, "block.basefee": shadow.FromBaseFee,
}

// narrows reports whether a call converts an integer to a smaller type of so
// many bits, and does not select bits.
func narrows(call *ast.Node, bits int) bool {
	if call.Kind() != "typeConversion" || len(call.Arguments()) != 1 {
		return false
	}
	if p := call.Parent; p != nil && p.Type == ast.FunctionCall && p.Kind() == "typeConversion" && !p.ValueType().Integer() {
		return false // an address from a word
	}
	to, from := call.ValueType(), call.Arguments()[0].ValueType()
	return to.Integer() && to.Bits == bits && from.Integer() && from.Bits > bits && !selects(call)
}

// selects reports whether a conversion selects bits on purpose: from a hash,
// after a shift or mask, or for one.
func selects(call *ast.Node) bool {
	argument := call.Arguments()[0]
	if inBits(call) || ofBits(argument, call.Function()) || parity(call) || unpacked(argument, call.Function()) {
		return true
	}
	picks := false
	argument.Walk(func(m *ast.Node) bool {
		switch {
		case m.Type == ast.BinaryOperation && (m.Operator() == ">>" || m.Operator() == "/" || m.Operator() == "%"):
			picks = true
		case m.Type == ast.FunctionCall && m.Kind() == "typeConversion":
			from := m.Arguments()[0].ValueType()
			picks = picks || !from.Integer() && from.Kind != ast.TypeNumber && from.Kind != ast.TypeUserValue
		}
		return !picks
	})
	return picks
}

// parity reports whether only low bits of a conversion are used, which it keeps:
// its remainder by a power of two.
func parity(call *ast.Node) bool {
	p := call.Parent
	for p != nil && p.Type == ast.TupleExpression {
		p = p.Parent
	}
	if p == nil || p.Operator() != "%" || p.Child("rightExpression") == nil {
		return false
	}
	by := p.Child("rightExpression").ValueType().Number
	return by != nil && powerOfTwo(by)
}

// unpacked reports whether an expression is a variable that the function also
// shifts to the right, so that it holds several numbers.
func unpacked(e, function *ast.Node) bool {
	variable := e.Bare()
	if variable == nil || variable.Type != ast.Identifier || variable.Refers() <= 0 || function == nil {
		return false
	}
	return slices.ContainsFunc(function.Find(ast.BinaryOperation, ast.Assignment), func(m *ast.Node) bool {
		if m.Operator() != ">>" && m.Operator() != ">>=" {
			return false
		}
		shifted := m.Operands()
		return len(shifted) == 2 && refersTo(shifted[0], variable.Refers())
	})
}

// drawn reports whether the name of what is converted says that it is random, so
// that any part of it serves.
func drawn(call *ast.Node) bool {
	names := call.Arguments()[0].Find(ast.Identifier, ast.MemberAccess)
	return slices.ContainsFunc(names, func(n *ast.Node) bool {
		name := strings.ToLower(n.Name())
		return slices.ContainsFunc([]string{"hash", "seed", "salt", "random", "entropy", "digest"}, func(part string) bool { return strings.Contains(name, part) })
	})
}

// conversionOf returns the conversion that is the only value assigned to a local
// variable, if it is accepted.
func conversionOf(variable int, function *ast.Node, accepts func(*ast.Node) bool) (found *ast.Node) {
	if variable <= 0 || function == nil || !local(variable, function) {
		return nil
	}
	count := 0
	take := func(value *ast.Node) {
		count++
		if v := value.Bare(); v != nil && v.Type == ast.FunctionCall && accepts(v) {
			found = v
		}
	}
	function.Walk(func(m *ast.Node) bool {
		switch m.Type {
		case ast.Assignment:
			if refersTo(m.Child("leftHandSide"), variable) {
				take(m.Child("rightHandSide"))
			}
		case ast.VariableDeclarationStatement:
			if d := m.List("declarations"); len(d) == 1 && d[0].ID == variable && m.Child("initialValue") != nil {
				take(m.Child("initialValue"))
			}
		}
		return true
	})
	if count != 1 {
		return nil
	}
	return found
}

// Masks reports whether an opcode can truncate a number.
func Masks(op byte) bool { return op == bytecode.AND || op == bytecode.SIGNEXTEND }
