package oracle

import (
	"math/big"

	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/shadow"
	"leveret/solc/ast"
)

// Imprecise reports whether b is a whole contract: via-IR compilers map helper
// functions, which do all arithmetic, only to the contract.
func (b *Blame) Imprecise() bool { return b.Node != nil && b.Node.Type == ast.ContractDefinition }

// maxSearches bounds the source searches per instruction and transaction: a search
// takes far longer than an instruction.
const maxSearches = 4

// searchSteps is how many instructions with taint tracking take as long as a
// source search.
const searchSteps = 12

// searchSource checks arithmetic without a precise source map by searching the last
// statement that ran.
func (o *overflows) searchSource(a *shadow.Arith, imprecise bool) {
	site := Site{a.Frame.Code, a.PC}
	if !o.env.Watched(site) || o.searches[site] >= maxSearches {
		return
	}
	if Masks(a.Op) {
		value, _, ok := narrowed(a)
		if result := a.Result.Value(); !ok || result == value.Value() {
			return
		}
	} else if !imprecise || a.Result.Fixed() {
		return
	}
	o.searches[site]++
	*o.env.steps += searchSteps
	near := o.env.nearest()
	if !imprecise {
		if near != nil {
			o.cut(true, Blame{Node: near}, a)
		}
		return
	}
	for _, n := range o.around(near, a.Frame) {
		known := len(o.wraps)
		if Masks(a.Op) {
			o.cut(true, Blame{Node: n}, a)
		} else if operation, ok := o.env.operationNear(n, a); ok {
			at := Blame{Node: operation.Node, Text: o.env.Text(operation.Node), Whole: true}
			o.operation(true, at, &operation, a)
			return
		}
		if len(o.wraps) > known {
			return
		}
	}
}

// around lists the nodes to search for the source of imprecise code: the
// statement of a node and the called function. Yul's optimiser moves code, so
// the last mapped instruction may belong elsewhere.
func (o *overflows) around(n *ast.Node, f *evm.Frame) (list []*ast.Node) {
	if statement := n.Statement(); statement != nil {
		list = append(list, statement)
	}
	if function := o.env.called(f); function != nil {
		list = append(list, function.Child("body"))
	}
	return list
}

// called returns the function of the contract that a frame was called with; nil
// if unknown or inherited.
func (s *Env) called(f *evm.Frame) *ast.Node {
	contract := s.Contract(f.Self)
	if contract == nil || len(f.Input) < 4 {
		return nil
	}
	return s.Sources.functionCalled(contract, [4]byte(f.Input))
}

// operationNear returns the only Operation below n that a can be.
func (s *Env) operationNear(n *ast.Node, a *shadow.Arith) (found Operation, ok bool) {
	several := false
	for i, list := 0, s.Sources.operationsBelow(n); i < len(list); i++ {
		if o := &list[i]; o.Op == a.Op && o.fits(a) {
			several = ok
			found, ok = o.Operation, true
		}
	}
	return found, ok && !several
}

// nearest returns the node of the last instruction of the running frame that
// stands for an expression or a statement; if there are only whole functions, the
// last one.
func (s *Env) nearest() (function *ast.Node) {
	for site := range s.trails.backward {
		at := s.Sources.At(site)
		switch {
		case !at.Mapped || Inlined(at.Node):
		case !at.Whole || !IsDefinition(at.Node):
			return at.Node
		case function == nil && at.Node.Type != ast.ContractDefinition:
			function = at.Node
		}
	}
	return function
}

// IsDefinition reports whether a node is a whole file, contract, function or
// modifier.
func IsDefinition(n *ast.Node) bool {
	switch n.Type {
	case "SourceUnit", ast.ContractDefinition, ast.FunctionDefinition, ast.ModifierDefinition:
		return true
	}
	return false
}

// A candidate is an Operation and what its operands must be.
type candidate struct {
	Operation
	operands []term
}

// A term is a constant, or anything but a constant.
type term struct {
	constant bool
	value    uint256.Int
}

func newCandidate(o Operation) candidate {
	c := candidate{Operation: o}
	for _, e := range o.Node.Operands() {
		var x term
		if n := e.ValueType().Number; n != nil {
			word, _ := uint256.FromBig(new(big.Int).And(n, mask(256)))
			x = term{true, *word}
		}
		c.operands = append(c.operands, x)
	}
	return c
}

// fits reports whether the operands of an instruction can be those of the
// operation: constants match only constants.
func (c *candidate) fits(a *shadow.Arith) bool {
	if !c.doneBy(a) {
		return false
	}
	switch len(c.operands) {
	case 1:
		return c.Operator == "neg" || unit(a.A) != unit(a.B)
	case 2:
		x, y := &c.operands[0], &c.operands[1]
		return x.fits(a.A) && y.fits(a.B) || x.fits(a.B) && y.fits(a.A)
	}
	return false
}

func (x *term) fits(w shadow.Word) bool {
	return w.Fixed() == x.constant && (!x.constant || w.Value() == x.value)
}

// unit reports whether a word is 1 or -1, as for a counter.
func unit(w shadow.Word) bool {
	v := w.Value()
	return w.Fixed() && (v.IsUint64() && v.Uint64() == 1 || v.Eq(new(uint256.Int).SetAllOne()))
}

// Operations calls visit for the unchecked arithmetic below n (solc 0.8 or
// later), for each instruction that can implement it.
func Operations(n *ast.Node, visit func(Operation)) {
	for _, m := range n.Find(ast.BinaryOperation, ast.UnaryOperation, ast.Assignment) {
		for _, op := range instructions[operatorOf(m)] {
			if o, ok := OperationAt(Blame{Node: m, Whole: true}, op); ok {
				visit(o)
			}
		}
	}
}

// Narrowings calls visit with the widths of the narrowing conversions below n.
func Narrowings(n *ast.Node, visit func(bits int)) {
	for _, call := range n.Find(ast.FunctionCall) {
		if to := call.ValueType(); narrows(call, to.Bits) {
			visit(to.Bits)
		}
	}
}
