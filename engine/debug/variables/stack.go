// Package variables finds parameters, return variables and locals in running code of
// the legacy code generator without the optimiser, and decodes their values from the
// stack, memory, calldata and storage.
//
// The compiler keeps them on the stack, in an order that follows from the syntax tree
// (libsolidity/codegen/ContractCompiler.cpp): the destination of the return, parameters,
// return variables, then for each modifier its parameters and the locals in scope at its
// placeholder, then the locals in scope. Before 0.5.0, locals of the whole function come
// before the modifiers. A claim on where a variable is holds only if the height of the
// stack is the predicted one; else there is none.
//
// It knows no recordings, and executes nothing.
package variables

import (
	"slices"

	"leveret/solc"
	"leveret/solc/ast"
	"leveret/solc/version"
)

// A Slot is where a variable is on the stack.
type Slot struct {
	Declaration *ast.Node // VariableDeclaration; YulTypedName in inline assembly
	At          int       // first word, from the base of the frame: the word with the return destination
	Words       int
}

// Stacks knows the frames on the stack of a contract's code.
type Stacks struct {
	trees    *ast.Index
	contract *ast.Node
	early    bool // before 0.5.0: locals exist from the beginning to the end of the function
	known    bool // the code is the legacy code generator's, and not optimised
}

// NewStacks returns the Stacks of a contract.
func NewStacks(c *solc.Contract) *Stacks {
	s := &c.Build.Settings
	v, ok := version.Parse(c.Build.Version)
	return &Stacks{
		trees: c.Build.Trees(), contract: c.Node, early: ok && !v.AtLeast(0, 5, 0),
		known: ok && c.Node != nil && !s.Optimizer && !s.ViaIR && len(s.Details) == 0,
	}
}

// Slots returns the variables in scope at the beginning of a statement, a part of one,
// or a ModifierInvocation: those of the innermost scope last, and in a modifier those of
// the function after its own. words is the height of the stack there, from the base of
// the frame. It returns false if that is not what the compiler would have left there.
func (s *Stacks) Slots(function, at *ast.Node, words int) ([]Slot, bool) {
	if !s.known || function == nil || at == nil {
		return nil, false
	}
	head, ok := s.head(function)
	if !ok {
		return nil, false
	}
	switch root := at.Function(); {
	case root == function:
		return s.inFunction(function, at, words, head)
	case root != nil && root.Type == ast.ModifierDefinition:
		return s.inModifier(function, root, at, words, head)
	}
	return nil, false
}

// Entered returns how many words of its frame are on the stack when a function is
// entered; -1 if that is not known.
func (s *Stacks) Entered(function *ast.Node) int {
	g := group{words: 1} // the return destination
	if function == nil || function.Type != ast.FunctionDefinition || !g.add(function.Parameters()...) {
		return -1
	}
	return g.words
}

// Constructing returns the variables in scope at the beginning of a statement as Slots
// does, in the code of constructors, which begins at the bottom of the stack.
func (s *Stacks) Constructing(at *ast.Node, words int) (slots []Slot, ok bool) {
	if !s.known || at == nil {
		return nil, false
	}
	for _, c := range s.trees.Contracts(s.contract) {
		for _, f := range c.List("nodes") {
			if f.Type != ast.FunctionDefinition || f.Kind() != "constructor" {
				continue
			}
			found, fits := s.Slots(f, at, words)
			if fits && ok {
				return nil, false // of the modifier of which one?
			}
			if fits {
				slots, ok = found, true
			}
		}
	}
	return slots, ok
}

// A group is a list of variables, one after another on the stack. Those without a name
// are values that the compiler keeps there.
type group struct {
	slots []Slot
	words int
}

// add appends variables, and a word for nil; false if the size of one is unknown.
func (g *group) add(declarations ...*ast.Node) bool {
	for _, d := range declarations {
		if d == nil {
			g.words++
			continue
		}
		n, ok := wordsOf(d)
		if !ok {
			return false
		}
		g.slots = append(g.slots, Slot{d, g.words, n})
		g.words += n
	}
	return true
}

// behind appends variables that follow those of g on the stack after other words.
func (g *group) behind(other group, at int) []Slot {
	list := slices.Clone(g.slots)
	for _, slot := range other.slots {
		slot.At += at
		list = append(list, slot)
	}
	return list
}

// head returns the variables that a function has before its modifiers and its body.
func (s *Stacks) head(function *ast.Node) (group, bool) {
	var g group
	if function.Kind() == "constructor" {
		if !s.derived(&g, function) {
			return g, false
		}
	} else {
		g.words = 1 // the return destination
	}
	return g, s.ownHead(&g, function)
}

func (s *Stacks) ownHead(g *group, function *ast.Node) bool {
	return g.add(function.Parameters()...) && g.add(function.Returns()...) && (!s.early || g.add(localsOf(function)...))
}

// body appends the locals that exist at a node of a function or a modifier, without
// those that its head has.
func (s *Stacks) body(g *group, at, function *ast.Node) bool {
	list, ok := s.locals(at, function)
	if ok && s.early && function.Type == ast.FunctionDefinition {
		list = list[len(localsOf(function)):]
	}
	return ok && g.add(list...)
}

// derived leaves room for the constructors of derived contracts, which call those of
// their bases first.
func (s *Stacks) derived(g *group, constructor *ast.Node) bool {
	for _, c := range s.trees.Contracts(s.contract) {
		for _, f := range c.List("nodes") {
			switch {
			case f == constructor:
				g.slots = nil
				return true
			case f.Type == ast.FunctionDefinition && f.Kind() == "constructor" && !s.ownHead(g, f):
				return false
			}
		}
	}
	return false
}

func (s *Stacks) inFunction(function, at *ast.Node, words int, head group) ([]Slot, bool) {
	modifiers := s.modifiersOf(function)
	if call := at.Enclosing(ast.ModifierInvocation); call != nil {
		i := slices.IndexFunc(modifiers, func(m invocation) bool { return m.call == call })
		if i < 0 {
			return nil, false
		}
		sums, ok := s.sums(modifiers[:i])
		return head.slots, ok && sums[words-head.words]
	}
	var own group
	if !s.body(&own, at, function) {
		return nil, false
	}
	sums, ok := s.sums(modifiers)
	return head.behind(own, words-own.words), ok && sums[words-head.words-own.words]
}

func (s *Stacks) inModifier(function, modifier, at *ast.Node, words int, head group) ([]Slot, bool) {
	modifiers := s.modifiersOf(function)
	var own group
	if !own.add(modifier.Parameters()...) || !s.body(&own, at, modifier) {
		return nil, false
	}
	for i, m := range modifiers {
		if m.modifier != modifier {
			continue
		}
		if sums, ok := s.sums(modifiers[:i]); ok && sums[words-head.words-own.words] {
			return head.behind(own, words-own.words), true
		}
	}
	return nil, false
}

// An invocation is a use of a modifier.
type invocation struct {
	call, modifier *ast.Node
}

// modifiersOf returns the modifiers of a function in their order, without calls of
// constructors. An unknown modifier is nil.
func (s *Stacks) modifiersOf(function *ast.Node) (list []invocation) {
	for _, call := range function.List("modifiers") {
		name := call.Child("modifierName")
		d := s.trees.Referenced(name)
		if d != nil && d.Type == ast.ContractDefinition || d == nil && s.isBase(name) {
			continue
		}
		list = append(list, invocation{call, s.modifier(name, d)})
	}
	return list
}

// isBase reports whether a name without a reference is that of a base.
func (s *Stacks) isBase(name *ast.Node) bool {
	return name != nil && slices.ContainsFunc(s.trees.Contracts(s.contract), func(c *ast.Node) bool { return c.Name() == name.Name() })
}

// modifier returns the modifier that a name means: modifiers are virtual.
func (s *Stacks) modifier(name, static *ast.Node) *ast.Node {
	if name == nil {
		return nil
	}
	if static != nil && (static.Contract() == nil || static.Contract().Kind() == string(solc.KindLibrary)) {
		return static
	}
	if static != nil && static.Name() != name.Name() {
		return static // "Base.modifier"
	}
	for _, m := range s.trees.Modifiers(s.contract) {
		if m.Name() == name.Name() {
			return m
		}
	}
	return static
}

// maxSums bounds the heights that modifiers can leave the stack at.
const maxSums = 64

// sums returns how many words modifiers may hold at their placeholders together.
func (s *Stacks) sums(modifiers []invocation) (map[int]bool, bool) {
	sums := map[int]bool{0: true}
	for _, m := range modifiers {
		if m.modifier == nil {
			return nil, false
		}
		next := map[int]bool{}
		for _, at := range m.modifier.Find(ast.PlaceholderStatement) {
			var g group
			if !g.add(m.modifier.Parameters()...) || !s.body(&g, at, m.modifier) {
				return nil, false
			}
			for sum := range sums {
				next[sum+g.words] = true
			}
		}
		if sums = next; len(sums) > maxSums {
			return nil, false
		}
	}
	return sums, true
}

// localsOf returns the variables that the statements of a function declare, in order.
func localsOf(function *ast.Node) (list []*ast.Node) {
	for _, statement := range function.Find(ast.VariableDeclarationStatement) {
		list = append(list, declared(statement)...)
	}
	return list
}

// declared returns the variables that a statement declares.
func declared(statement *ast.Node) (list []*ast.Node) {
	for _, c := range statement.Children {
		if c.Type == ast.VariableDeclaration && statement.Type == ast.VariableDeclarationStatement ||
			c.Type == ast.YulTypedName && statement.Type == ast.YulVariableDeclaration {
			list = append(list, c)
		}
	}
	return list
}

// scope returns the locals that are in scope at a node below a function, those of the
// outermost scope first, and nil for a word that the compiler keeps among them. It
// returns false in functions of inline assembly, which have frames of their own.
func scope(at, function *ast.Node) (list []*ast.Node, ok bool) {
	parent := at.Parent
	if at == function || parent == nil {
		return nil, at == function
	}
	if list, ok = scope(parent, function); !ok {
		return nil, false
	}
	switch parent.Type {
	case ast.Block, ast.UncheckedBlock, ast.YulBlock:
		list = append(list, before(parent, at)...)
	case ast.ForStatement:
		if first := parent.Child("initializationExpression"); first != nil && first != at {
			list = append(list, declared(first)...)
		}
	case ast.YulForLoop:
		if first := parent.Child("pre"); first != nil && first != at {
			list = append(list, before(first, nil)...)
		}
	case ast.TryCatchClause:
		if at.Role == "block" {
			list = append(list, parent.Parameters()...)
		}
	case ast.YulSwitch:
		if at.Type == ast.YulCase {
			list = append(list, nil) // what it compares with
		}
	case ast.YulFunctionDefinition:
		return nil, false
	}
	return list, true
}

// before returns the variables that the statements of a block before one declare.
func before(block, end *ast.Node) (list []*ast.Node) {
	for _, c := range block.Children {
		if c == end {
			break
		}
		list = append(list, declared(c)...)
	}
	return list
}

// Visible returns the variables of the function or modifier around a node that can be
// used there; nil in functions of inline assembly.
func (s *Stacks) Visible(at *ast.Node) (list []*ast.Node) {
	function := at.Function()
	if function == nil {
		return nil
	}
	locals, ok := s.locals(at, function)
	if !ok {
		return nil
	}
	for _, d := range slices.Concat(function.Parameters(), function.Returns(), locals) {
		if d != nil && d.Name() != "" {
			list = append(list, d)
		}
	}
	return list
}

// locals returns the locals of a function that exist at a node.
func (s *Stacks) locals(at, function *ast.Node) ([]*ast.Node, bool) {
	if !s.early {
		return scope(at, function)
	}
	list := localsOf(function)
	if code := at.Enclosing(ast.InlineAssembly); code != nil {
		inner, ok := scope(at, code)
		return append(list, inner...), ok
	}
	return list, true
}

// wordsOf returns how many words a variable has on the stack.
func wordsOf(declaration *ast.Node) (int, bool) {
	if declaration.Type == ast.YulTypedName {
		return 1, true
	}
	t := declaration.ValueType()
	switch t.Kind {
	case ast.TypeOther, ast.TypeTuple, ast.TypeNumber, ast.TypeText, ast.TypeOfTypes:
		return 0, false
	case ast.TypeFunction:
		if external(declaration.TypeString()) {
			return 2, true // address and selector
		}
	case ast.TypeSlice, ast.TypeBytes, ast.TypeString:
		if location(declaration) == "calldata" {
			return 2, true // offset and length
		}
	}
	return 1, true
}

// external reports whether a function type is external: "function (uint256) external".
func external(typeString string) bool {
	depth := 0
	for i := 0; i < len(typeString); i++ {
		switch c := typeString[i]; {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ' ' && depth == 0:
			word := typeString[i+1:]
			if len(word) >= 7 && word[:7] == "returns" {
				return false
			}
			if len(word) >= 8 && word[:8] == "external" {
				return true
			}
		}
	}
	return false
}
