package program

import (
	"slices"
	"strings"

	"leveret/solc/ast"
)

// A dataFlow says where the bytes in variables of a program's sources go: to other
// variables, and to code that takes them for more than bytes. It is of names, not
// of executions: all values of one variable, or of one member of a struct, are one.
//
// A variable is known by the id of its declaration. Parts of bytes, such as the
// components of what abi.decode returns and slices, have ids below zero.
type dataFlow struct {
	tree  *ast.Index
	next  map[int][]int // variables that a variable is assigned to
	uses  map[int][]use
	parts map[*ast.Node][]int
	names map[int]string // of parts: the variable that is declared with it
	last  int            // id of the latest part

	contracts map[int][]contractUse
}

// A contractUse is a type of a contract that a variable has or is converted to.
type contractUse struct {
	name string
	by   *ast.Node // contract whose code it is; nil: none
}

// A use is what code takes bytes for: one of the fields is set.
type use struct {
	decoded []decoded // abi.decode: the values
	calls   bool      // a contract is called with them
	own     bool      // with calls: it calls itself
	slice   *slice    // a part of them is used
}

// A decoded is a value that abi.decode returns.
type decoded struct {
	kind      string    // ABI type
	structure *ast.Node // in it; nil: none
	part      int
}

// A slice is a part of bytes.
type slice struct {
	start, end int    // end 0: to the end
	kind       string // ABI type that it is converted to; empty: bytes
	part       int
}

// newDataFlow follows the bytes in all sources of a build.
func newDataFlow(tree *ast.Index, roots []*ast.Node) *dataFlow {
	f := &dataFlow{
		tree: tree, next: map[int][]int{}, uses: map[int][]use{}, parts: map[*ast.Node][]int{}, names: map[int]string{},
		contracts: map[int][]contractUse{},
	}
	for _, root := range roots {
		root.Walk(func(n *ast.Node) bool {
			f.visit(n)
			return true
		})
	}
	return f
}

func (f *dataFlow) visit(n *ast.Node) {
	switch n.Type {
	case ast.VariableDeclaration:
		if t := heldBy(n); t.Kind == ast.TypeContract {
			f.takesFor(t, []int{n.ID}, n)
		}
	case ast.VariableDeclarationStatement:
		f.declare(n)
	case ast.Assignment:
		if n.Operator() == "=" {
			f.assign(f.targets(n.Child("leftHandSide")), n.Child("rightHandSide"))
		}
	case ast.FunctionCall:
		f.call(n)
	case ast.ModifierInvocation:
		f.invoke(n)
	case ast.FunctionDefinition:
		f.override(n)
	case ast.Return:
		if fn := n.Enclosing(ast.FunctionDefinition); fn != nil {
			f.assign(idsOf(fn.Returns()), n.Child("expression"))
		}
	case ast.YulFunctionCall:
		f.yulCall(n)
	case ast.IndexAccess:
		f.element(n)
	case ast.IndexRangeAccess:
		f.sliced(n)
	}
}

// heldBy returns the type of a variable, or of the elements of a list or a mapping.
func heldBy(variable *ast.Node) ast.Type {
	if !strings.Contains(variable.TypeString(), "contract ") {
		return ast.Type{}
	}
	t := variable.ValueType()
	for t.Kind == ast.TypeArray || t.Kind == ast.TypeSlice || t.Kind == ast.TypeMapping {
		t = *t.Elem
	}
	return t
}

// takesFor adds that code takes variables for contracts.
func (f *dataFlow) takesFor(t ast.Type, variables []int, code *ast.Node) {
	for _, id := range variables {
		f.contracts[id] = append(f.contracts[id], contractUse{t.Name, code.Contract()})
	}
}

// flows adds that the values of some variables go to another one.
func (f *dataFlow) flows(from []int, to int) {
	for _, id := range from {
		if to != 0 && id != to && !slices.Contains(f.next[id], to) {
			f.next[id] = append(f.next[id], to)
		}
	}
}

// reaches lists a variable and those accepted ones that its value goes to by way of such,
// the nearest first.
func (f *dataFlow) reaches(variable int, accepts func(int) bool) []int {
	list := []int{variable}
	for i := 0; i < len(list); i++ {
		for _, to := range f.next[list[i]] {
			if !slices.Contains(list, to) && accepts(to) {
				list = append(list, to)
			}
		}
	}
	return list
}

// anyVariable accepts all variables.
func anyVariable(int) bool { return true }

func (f *dataFlow) use(of []int, u use) {
	for _, id := range of {
		f.uses[id] = append(f.uses[id], u)
	}
}

func (f *dataFlow) declare(n *ast.Node) {
	var targets []int
	value := n.Child("initialValue")
	for _, d := range n.List("declarations") {
		targets = put(targets, d.Index, d.ID)
	}
	f.assign(targets, value)
	for _, d := range n.List("declarations") {
		for _, part := range f.values(value, d.Index) {
			if part < 0 && f.names[part] == "" {
				f.names[part] = d.Name()
			}
		}
	}
}

// put writes the ith element of a list that may be shorter.
func put(list []int, i, id int) []int {
	for len(list) <= i {
		list = append(list, 0)
	}
	list[i] = id
	return list
}

// targets lists the variables that an assignment writes; 0 where it writes none.
func (f *dataFlow) targets(left *ast.Node) (list []int) {
	left = left.Bare()
	if left == nil {
		return nil
	}
	if left.Type != ast.TupleExpression {
		return put(nil, 0, f.variable(left))
	}
	for _, c := range left.List("components") {
		list = put(list, c.Index, f.variable(c))
	}
	return list
}

// variable returns the variable that an expression is, or is an element of; 0 for
// others.
func (f *dataFlow) variable(e *ast.Node) int {
	for e = e.Bare(); e != nil && (e.Type == ast.IndexAccess || e.Type == ast.IndexRangeAccess); {
		e = e.Child("baseExpression").Bare()
	}
	if e == nil || e.Type != ast.Identifier && e.Type != ast.MemberAccess {
		return 0
	}
	if d := f.tree.Referenced(e); d != nil && d.Type == ast.VariableDeclaration {
		return d.ID
	}
	return 0
}

// assign assigns the values of an expression to variables.
func (f *dataFlow) assign(targets []int, value *ast.Node) {
	if value == nil {
		return
	}
	for i, to := range targets {
		if to != 0 {
			f.flows(f.values(value, i), to)
		}
	}
}

// values lists the variables that the ith value of an expression may come from.
func (f *dataFlow) values(e *ast.Node, i int) []int {
	switch e = e.Bare(); {
	case e == nil:
		return nil
	case e.Type == ast.TupleExpression:
		for _, c := range e.List("components") {
			if c.Index == i {
				return f.values(c, 0)
			}
		}
		return nil
	case e.Type == ast.Conditional:
		return slices.Concat(f.values(e.Child("trueExpression"), i), f.values(e.Child("falseExpression"), i))
	case e.Type == ast.FunctionCall:
		return f.returned(e, i)
	case i > 0:
		return nil
	case e.Type == ast.IndexRangeAccess:
		return f.sliced(e)
	}
	if id := f.variable(e); id != 0 {
		return []int{id}
	}
	return nil
}

// returned lists where the ith value of a call may come from.
func (f *dataFlow) returned(call *ast.Node, i int) []int {
	if isDecode(call) {
		if list := f.decode(call); i < len(list) {
			return list[i : i+1]
		}
		return nil
	}
	arguments := call.Arguments()
	if call.Kind() == "typeConversion" {
		if i > 0 || len(arguments) != 1 {
			return nil
		}
		return f.values(arguments[0], 0)
	}
	d := f.tree.Called(call)
	if d == nil || d.Type != ast.FunctionDefinition {
		return nil
	}
	if ids := idsOf(d.Returns()); i < len(ids) {
		return ids[i : i+1]
	}
	return nil
}

func idsOf(variables []*ast.Node) (list []int) {
	for _, v := range variables {
		list = append(list, v.ID)
	}
	return list
}

// newParts adds parts for a node.
func (f *dataFlow) newParts(n *ast.Node, count int) []int {
	var list []int
	for range count {
		f.last--
		list = append(list, f.last)
	}
	f.parts[n] = list
	return list
}

func isDecode(call *ast.Node) bool {
	callee := call.Callee()
	if callee == nil || callee.Type != ast.MemberAccess || callee.Name() != "decode" || len(call.Arguments()) != 2 {
		return false
	}
	of := callee.Child("expression").Bare()
	return of != nil && of.Type == ast.Identifier && of.Name() == "abi"
}

// decode returns the parts that are the values of abi.decode.
func (f *dataFlow) decode(call *ast.Node) []int {
	if list, known := f.parts[call]; known {
		return list
	}
	kinds := call.Arguments()[1]
	named := []*ast.Node{kinds}
	if kinds.Type == ast.TupleExpression {
		named = kinds.List("components")
	}
	list := f.newParts(call, len(named))
	u := use{decoded: []decoded{}}
	for i, n := range named {
		kind, structure, ok := f.tree.NamedABIType(n)
		if !ok {
			return list
		}
		u.decoded = append(u.decoded, decoded{kind, structure, list[i]})
	}
	f.use(f.values(call.Arguments()[0], 0), u)
	return list
}

// override passes the arguments of a function to those that override it, and their
// results back.
func (f *dataFlow) override(n *ast.Node) {
	for _, id := range numbers(n.Strings("baseFunctions")) {
		base := f.tree.Declaration(id)
		if base == nil || base.Type != ast.FunctionDefinition {
			continue
		}
		pass := func(from, to []*ast.Node) {
			for i := range min(len(from), len(to)) {
				f.flows([]int{from[i].ID}, to[i].ID)
			}
		}
		pass(base.Parameters(), n.Parameters())
		pass(n.Returns(), base.Returns())
	}
}
