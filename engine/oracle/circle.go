package oracle

import (
	"slices"

	"leveret/solc/ast"
)

// A circle is a set of variables that count in a circle, as the hand of a clock
// does: they only grow or shrink, are copied, and are compared for equality.
// Only their differences say something, and these are right however often the
// variables wrapped (cumulative prices and growth of fees in Uniswap).
type circle struct {
	trees     *ast.Index
	uses      map[int][]*ast.Node // by declaration
	wraps     bool                // arithmetic wraps outside of unchecked blocks
	members   map[int]bool        // declarations
	next      []int               // members whose uses were not visited yet
	waiting   []*ast.Node         // subtractions of or from what is no member so far
	read      bool                // a difference of members, or the place in a ring, is used
	violation bool                // a use needs the exact value
}

// circular reports whether what an operation or conversion wraps to belongs to a
// circle. overTime says that it adds what depends on the time: nobody has to read
// a sum over time in the project, because its readers come later.
func (s *Sources) circular(n *ast.Node, wraps, overTime bool) bool {
	if s.trees == nil || n.InAssembly() {
		return false
	}
	trees := s.trees()
	if r := root(n); trees.Declaration(r.ID) != r { // of another compilation
		return false
	}
	try := func(start func(c *circle), then *ast.Node) bool {
		c := &circle{trees: trees, uses: s.uses.get(trees, trees.Uses), wraps: wraps, members: map[int]bool{}}
		start(c)
		c.follow()
		return !c.violation && len(c.members) > 0 && (c.read || overTime) && (then == nil || c.member(then))
	}
	operands := n.Operands()
	if n.Operator() == "-" && len(operands) == 2 {
		for from, i := operands[0], 0; from != nil && i < maxOrigin; i++ {
			if try(func(c *circle) { c.join(from) }, operands[1]) {
				return true
			}
			from = s.origin(from)
		}
	}
	return try(func(c *circle) {
		if n.Type == ast.Assignment || n.Operator() == "++" || n.Operator() == "--" {
			c.join(operands[0])
		} else {
			c.use(n)
		}
	}, nil)
}

// maxOrigin bounds the copies between a variable and where its value comes from.
const maxOrigin = 4

// origin returns what a local variable was made of, or what the last call of the
// function passes for a parameter; nil if there is none.
func (s *Sources) origin(e *ast.Node) (from *ast.Node) {
	trees := s.trees()
	d := trees.Referenced(e.Bare())
	if d == nil {
		return nil
	}
	if f := d.Function(); f != nil && slices.Contains(f.Parameters(), d) && f.Visibility() != "external" {
		for _, name := range s.uses.get(trees, trees.Uses)[f.ID] {
			from = at(name.Parent.Arguments(), d.Index)
		}
		return from
	}
	return d.Parent.Child("initialValue")
}

// follow visits all uses of the members. Differences come last: what is taken
// from a member may become one by a copy elsewhere.
func (c *circle) follow() {
	for !c.violation {
		switch {
		case len(c.next) > 0:
			id := c.next[0]
			c.next = c.next[1:]
			for _, e := range c.uses[id] {
				c.use(e)
			}
			c.followResult(c.trees.Declaration(id))
		case len(c.waiting) > 0:
			difference := c.waiting[0]
			c.waiting = c.waiting[1:]
			sides := difference.Operands()
			if c.counter(sides[0]) && c.counter(sides[1]) {
				c.join(sides[0])
				c.join(sides[1])
			}
			if c.member(sides[0]) && c.member(sides[1]) {
				c.read = true
			} else {
				c.use(difference)
			}
		default:
			return
		}
	}
}

// add makes a variable a member.
func (c *circle) add(variable *ast.Node) {
	if variable == nil || variable.Type != ast.VariableDeclaration {
		c.violation = true
		return
	}
	t := variable.ValueType()
	for element := &t; element.Elem != nil; {
		element = element.Elem
		t = *element
	}
	if !t.Integer() {
		c.violation = true
	} else if !c.members[variable.ID] {
		c.members[variable.ID] = true
		c.next = append(c.next, variable.ID)
	}
}

// join makes the variable that an expression names a member.
func (c *circle) join(e *ast.Node) {
	for e = e.Bare(); e != nil && e.Type == ast.IndexAccess; {
		e = e.Child("baseExpression").Bare()
	}
	c.add(c.trees.Referenced(e))
}

// counter reports whether an expression is a state variable that changes by steps
// of a fixed size only, as the ends of a queue do.
func (c *circle) counter(e *ast.Node) bool {
	d := c.trees.Referenced(e.Bare())
	return d != nil && d.IsStateVariable() && !slices.ContainsFunc(c.uses[d.ID], func(use *ast.Node) bool {
		p := use.Parent
		return p.Type == ast.Assignment && use.Role == "leftHandSide" && (p.Operator() == "=" || p.Child("rightHandSide").ValueType().Number == nil)
	})
}

// member reports whether an expression has the value of a member, or of one that
// something was added to or taken from.
func (c *circle) member(e *ast.Node) bool {
	if e = e.Bare(); e == nil {
		return false
	}
	switch e.Type {
	case ast.Identifier, ast.MemberAccess:
		return c.members[e.Refers()]
	case ast.IndexAccess:
		return c.member(e.Child("baseExpression"))
	case ast.Conditional:
		return c.member(e.Child("trueExpression")) || c.member(e.Child("falseExpression"))
	case ast.BinaryOperation:
		sides := e.Operands()
		first, second := c.member(sides[0]), c.member(sides[1])
		return e.Operator() == "+" && (first || second) || e.Operator() == "-" && first != second
	case ast.FunctionCall:
		if e.Kind() == "typeConversion" && len(e.Arguments()) == 1 {
			return c.member(e.Arguments()[0])
		}
		if f := c.trees.Called(e); f != nil && f.Type == ast.FunctionDefinition {
			return len(f.Returns()) == 1 && c.members[f.Returns()[0].ID]
		}
		return c.member(e.Callee())
	}
	return false
}

// use follows the value of an expression: to a new member, or to its end.
func (c *circle) use(e *ast.Node) {
	for e != nil && !c.violation {
		p := e.Parent
		switch p.Type {
		case ast.ExpressionStatement:
			return
		case ast.Conditional:
			e = p
		case ast.BinaryOperation, ast.UnaryOperation:
			e = c.operate(e, p)
		case ast.Assignment:
			e = c.assign(e, p)
		case ast.IndexAccess:
			e = c.index(e, p)
		case ast.FunctionCall:
			e = c.call(e, p)
		case ast.TupleExpression:
			if p.Bare() == p {
				c.give(p.Parent, e.Index)
				return
			}
			e = p
		case ast.MemberAccess: // of an array
			c.violation = !slices.Contains([]string{"push", "pop", "length"}, p.Name())
			return
		default:
			c.give(p, 0)
			return
		}
	}
}

// operate follows a value through an operator.
func (c *circle) operate(e, p *ast.Node) *ast.Node {
	wraps := c.wraps || p.InUnchecked()
	switch operator := p.Operator(); {
	case operator == "==" || operator == "!=" || operator == "&" || operator == "delete":
		return nil
	case operator == "%" && e.Role == "leftExpression" && circumference(e, p.Child("rightExpression")):
		c.read = true
		return nil
	case operator == "-" && wraps && p.Type == ast.BinaryOperation:
		c.waiting = append(c.waiting, p)
		return nil
	case (operator == "+" || operator == "-" || operator == "++" || operator == "--") && wraps:
		return p
	}
	c.violation = true
	return nil
}

// circumference reports whether a number divides that of the values of an
// integer's type.
func circumference(e, by *ast.Node) bool {
	n := by.Bare().ValueType().Number
	return n != nil && powerOfTwo(n) && n.BitLen() <= e.ValueType().Bits+1
}

// assign follows a value through an assignment: to its target, and on.
func (c *circle) assign(e, p *ast.Node) *ast.Node {
	switch operator := p.Operator(); {
	case operator != "=" && (operator != "+=" && operator != "-=" || !c.wraps && !p.InUnchecked()):
		c.violation = true
	case e.Role == "rightHandSide":
		c.join(p.Child("leftHandSide"))
	}
	return p
}

// index follows a value through an index: an array with an element for each value
// of the type is a ring.
func (c *circle) index(e, p *ast.Node) *ast.Node {
	if e.Role == "baseExpression" {
		return p
	}
	base, t := p.Child("baseExpression").ValueType(), e.ValueType()
	c.read = c.read || base.Kind == ast.TypeArray && t.Bits < 64 && base.Length == 1<<t.Bits
	c.violation = base.Kind != ast.TypeArray || t.Bits >= 64 || base.Length != 1<<t.Bits
	return nil
}

// call follows a value into a call.
func (c *circle) call(e, p *ast.Node) *ast.Node {
	callee, d := p.Callee(), c.trees.Called(p)
	switch {
	case e.Role == "expression": // the getter of a variable
		return p
	case p.Kind() == "typeConversion":
		to := p.ValueType()
		c.violation = !to.Integer() || to.Bits > e.ValueType().Bits
		return p
	case p.IsBuiltin("keccak256", "sha3", "sha256", "ripemd160") || callee.Type == ast.MemberAccess && callee.Child("expression").TypeString() == "abi":
	case callee.Type == ast.MemberAccess && callee.Name() == "push":
		c.join(callee.Child("expression"))
	case d == nil || len(p.Strings("names")) > 0:
		c.violation = true
	case d.Type == ast.EventDefinition || d.Type == ast.ErrorDefinition:
	case d.Type == ast.StructDefinition:
		c.add(at(d.List("members"), e.Index))
	case d.Type == ast.FunctionDefinition && d.Child("body") != nil: // a bound function has its object first
		c.add(at(d.Parameters(), e.Index+len(d.Parameters())-len(p.Arguments())))
	default:
		c.violation = true
	}
	return nil
}

// give makes what takes the ith value of an expression a member.
func (c *circle) give(to *ast.Node, i int) {
	switch to.Type {
	case ast.VariableDeclarationStatement:
		for _, d := range to.List("declarations") {
			if d.Index == i {
				c.add(d)
			}
		}
	case ast.Assignment:
		left := to.Child("leftHandSide").Bare()
		for _, component := range left.List("components") {
			if component.Index == i {
				c.join(component)
			}
		}
	case ast.Return:
		c.add(at(to.Function().Returns(), i))
	case ast.ExpressionStatement:
	default:
		c.violation = true
	}
}

// followResult follows a result of a function to its calls.
func (c *circle) followResult(result *ast.Node) {
	if result.Parent.Role != "returnParameters" {
		return
	}
	function := result.Parent.Parent
	for _, name := range c.uses[function.ID] {
		call := name.Parent
		switch {
		case call.Type != ast.FunctionCall || name.Role != "expression":
		case len(function.Returns()) == 1:
			c.use(call)
		default:
			c.give(call.Parent, result.Index)
		}
	}
}

// at returns the ith node of a list; nil if there is none.
func at(list []*ast.Node, i int) *ast.Node {
	if i < 0 || i >= len(list) {
		return nil
	}
	return list[i]
}
