package program

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"leveret/solc/ast"
)

// call follows the arguments of a call.
func (f *dataFlow) call(n *ast.Node) {
	arguments := n.Arguments()
	switch {
	case isDecode(n):
		f.decode(n)
		return
	case n.Kind() == "typeConversion":
		f.converted(n)
		return
	}
	switch n.LowLevel() {
	case "call", "delegatecall", "callcode":
		if len(arguments) == 1 {
			f.use(f.values(arguments[0], 0), use{calls: true, own: isThis(n.Callee().Child("expression"))})
		}
		return
	}
	callee := n.Callee()
	if callee != nil && callee.Type == ast.MemberAccess && callee.Name() == "push" && len(arguments) == 1 {
		f.flows(f.values(arguments[0], 0), f.variable(callee.Child("expression")))
	}
	if d := f.tree.Called(n); d != nil {
		f.pass(n, d)
	}
}

// invoke follows the arguments of a modifier or of a base constructor.
func (f *dataFlow) invoke(n *ast.Node) {
	d := f.tree.Referenced(n.Child("modifierName"))
	if d != nil && d.Type == ast.ContractDefinition {
		d = constructorOf(d)
	}
	if d != nil {
		f.pass(n, d)
	}
}

// constructorOf returns the constructor that a contract defines; nil if there is none.
func constructorOf(contract *ast.Node) *ast.Node {
	i := slices.IndexFunc(contract.List("nodes"), func(n *ast.Node) bool {
		return n.Type == ast.FunctionDefinition && n.Kind() == "constructor"
	})
	if i < 0 {
		return nil
	}
	return contract.List("nodes")[i]
}

// pass assigns arguments to the parameters of a function or a modifier, or to the
// members of a struct.
func (f *dataFlow) pass(n, d *ast.Node) {
	var parameters []*ast.Node
	switch d.Type {
	case ast.FunctionDefinition, ast.ModifierDefinition:
		parameters = d.Parameters()
	case ast.StructDefinition:
		parameters = d.List("members")
	}
	arguments, names := n.Arguments(), n.Strings("names")
	if callee := n.Callee(); len(parameters) == len(arguments)+1 && callee != nil && callee.Type == ast.MemberAccess {
		f.flows(f.values(callee.Child("expression"), 0), parameters[0].ID) // using … for
		parameters = parameters[1:]
	}
	for i, a := range arguments {
		for k, p := range parameters {
			if len(names) == len(arguments) && p.Name() == names[i] || len(names) != len(arguments) && i == k {
				f.flows(f.values(a, 0), p.ID)
			}
		}
	}
}

// isThis reports whether an expression is this contract, or its address.
func isThis(e *ast.Node) bool {
	e = e.Unconverted()
	return e != nil && e.Type == ast.Identifier && e.Name() == "this"
}

// yulCall adds that a contract is called with the bytes that an instruction names.
func (f *dataFlow) yulCall(n *ast.Node) {
	name := n.Child("functionName")
	if name == nil {
		return
	}
	switch name.Name() {
	case "call", "delegatecall", "callcode":
	default:
		return
	}
	for _, e := range n.Find(ast.YulIdentifier) {
		if d := f.tree.Declaration(e.Refers()); d != nil && d.Type == ast.VariableDeclaration && d.ValueType().Kind == ast.TypeBytes {
			f.use([]int{d.ID}, use{calls: true})
		}
	}
}

// converted adds a contract that an address is taken for, or the first bytes of a value, as
// in bytes4(data).
func (f *dataFlow) converted(n *ast.Node) {
	t := n.ValueType()
	if t.Kind == ast.TypeContract && len(n.Arguments()) == 1 && !asksReceiver(n) {
		f.takesFor(t, f.values(n.Arguments()[0], 0), n)
		return
	}
	if t.Kind != ast.TypeFixedBytes || len(n.Arguments()) != 1 {
		return
	}
	from := n.Arguments()[0].Bare()
	if from == nil || from.ValueType().Kind != ast.TypeBytes || from.Type == ast.IndexRangeAccess {
		return
	}
	kind := outermost(n, t.Bits)
	list := f.newParts(n, 1)
	f.use(f.values(from, 0), use{slice: &slice{0, t.Bits / 8, kind, list[0]}})
}

// asksReceiver reports whether a contract is called as one that received tokens, by
// ERC-721, ERC-1155 or ERC-1363. Accounts receive them, too, and are not asked.
func asksReceiver(contract *ast.Node) bool {
	call := contract.Parent
	return call != nil && call.Type == ast.MemberAccess && strings.HasPrefix(call.Name(), "on") && strings.HasSuffix(call.Name(), "Received")
}

// sliced returns the part that is a range of bytes.
func (f *dataFlow) sliced(n *ast.Node) []int {
	if list, known := f.parts[n]; known {
		return list
	}
	start, sure := position(n.Child("startExpression"))
	end, known := position(n.Child("endExpression"))
	base := f.values(n.Child("baseExpression"), 0)
	if !sure || !known || end != 0 && end <= start {
		return base
	}
	if start == 0 && end == 0 {
		return base
	}
	list := f.newParts(n, 1)
	kind := ""
	if conversion := n.Parent; conversion != nil && conversion.Kind() == "typeConversion" && conversion.ValueType().Kind == ast.TypeFixedBytes {
		if bits := conversion.ValueType().Bits; end != 0 && bits <= 8*(end-start) {
			end, kind = start+bits/8, outermost(conversion, bits)
		}
	}
	f.use(base, use{slice: &slice{start, end, kind, list[0]}})
	return list
}

// position returns a constant position in bytes, 0 for none; false if it is not
// constant.
func position(e *ast.Node) (int, bool) {
	if e == nil {
		return 0, true
	}
	n := e.ValueType().Number
	if n == nil && e.Type == ast.Literal {
		n, _ = new(big.Int).SetString(e.Attr("value"), 0)
	}
	if n == nil || !n.IsUint64() || n.Uint64() > 1<<12 {
		return 0, false
	}
	return int(n.Uint64()), true
}

// outermost returns the ABI type of the outermost conversion around one to so many
// bits, as long as none changes the width.
func outermost(conversion *ast.Node, bits int) string {
	kind := ""
	for n := conversion; n != nil && n.Type == ast.FunctionCall && n.Kind() == "typeConversion"; n = n.Parent {
		t := n.ValueType()
		if t.Bits != bits || t.Kind == ast.TypeContract || t.Kind == ast.TypeEnum {
			break
		}
		kind = strings.TrimSuffix(n.TypeString(), " payable")
	}
	return kind
}

// element adds a byte at a constant position of bytes, as in data[0].
func (f *dataFlow) element(n *ast.Node) {
	base := n.Child("baseExpression").Bare()
	if base == nil || base.ValueType().Kind != ast.TypeBytes {
		return
	}
	index := n.Child("indexExpression")
	at, ok := position(index)
	if index == nil || !ok || f.parts[n] != nil {
		return
	}
	kind := "bytes1"
	if p := n.Parent; p != nil && p.Kind() == "typeConversion" {
		if wider := outermost(p, 8); wider != "" {
			kind = wider
		}
	}
	list := f.newParts(n, 1)
	f.use(f.values(base, 0), use{slice: &slice{at, at + 1, kind, list[0]}})
}

func numbers(texts []string) (list []int) {
	for _, text := range texts {
		if n, err := strconv.Atoi(text); err == nil {
			list = append(list, n)
		}
	}
	return list
}
