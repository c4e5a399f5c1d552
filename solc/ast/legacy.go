package ast

import "strings"

// Trees before 0.4.12 name a node's type "name", keep its scalars in
// "attributes" and all its children in one list. This file converts them to the
// later form. They lack references from names to declarations.

// attribute reads one member of "attributes". It stores the value that later
// trees call the name as the name.
func (r *reader) attribute(key []byte) error {
	if renamed, ok := flagsBefore[string(key)]; ok {
		value := ""
		err := r.scalar(&value)
		if value != "" {
			r.attrs = append(r.attrs, renamed)
		}
		return err
	}
	if string(key) == "token" {
		return r.keep(keyKind, key)
	}
	if f := fields[string(key)]; f.action == keep {
		return r.keep(f.key, key)
	}
	return r.skip()
}

// flagsBefore lists booleans that later versions replaced by other values.
var flagsBefore = map[string]attr{
	"isLibrary":       {keyContractKind, "library"},
	"type_conversion": {keyKind, "typeConversion"},
}

// roles lists, by type, the roles of children in order; the last one repeats.
var roles = map[string][]string{
	SourceUnit: {"nodes"}, Block: {"statements"}, ParameterList: {"parameters"},
	StructDefinition: {"members"}, EnumDefinition: {"members"}, EventDefinition: {"parameters"},
	InheritanceSpecifier: {"baseName", "arguments"}, ModifierInvocation: {"modifierName", "arguments"},
	UsingForDirective: {"libraryName", "typeName"}, VariableDeclaration: {"typeName", "value"},
	Mapping: {"keyType", "valueType"}, ArrayTypeName: {"baseType", "length"}, NewExpression: {"typeName"},
	IfStatement: {"condition", "trueBody", "falseBody"}, WhileStatement: {"condition", "body"},
	DoWhileStatement: {"condition", "body"}, Return: {"expression"}, ExpressionStatement: {"expression"},
	BinaryOperation: {"leftExpression", "rightExpression"}, Assignment: {"leftHandSide", "rightHandSide"},
	UnaryOperation: {"subExpression"}, FunctionCall: {"expression", "arguments"}, MemberAccess: {"expression"},
	IndexAccess: {"baseExpression", "indexExpression"}, TupleExpression: {"components"},
	Conditional: {"condition", "trueExpression", "falseExpression"},
}

// giveRoles sets the roles of n's children to the fields of later trees.
func giveRoles(n *Node) {
	list, count := roles[n.Type], map[string]int{}
	for i, c := range n.Children {
		role := ""
		if len(list) > 0 {
			role = list[min(i, len(list)-1)]
		} else {
			role = roleByType(n, c, count["parameters"] > 0)
		}
		c.Role, c.Index = role, count[role]
		count[role]++
	}
	renameAttributes(n)
	if n.Type == SourceUnit && len(n.Children) > 0 {
		// It has no source location.
		n.Span = n.Children[0].Span
		n.Span.Length = n.Children[len(n.Children)-1].Span.End() - n.Span.Start
	}
}

// roleByType infers roles where children may be missing. parameters is set after
// the first list of parameters.
func roleByType(n, c *Node, parameters bool) string {
	switch {
	case n.Type == ContractDefinition && c.Type == InheritanceSpecifier:
		return "baseContracts"
	case n.Type == ContractDefinition:
		return "nodes"
	case n.Type == VariableDeclarationStatement && c.Type == VariableDeclaration:
		return "declarations"
	case n.Type == VariableDeclarationStatement:
		return "initialValue"
	case n.Type == ForStatement:
		return forRole(n, c)
	case c.Type == ParameterList && parameters:
		return "returnParameters"
	case c.Type == ParameterList:
		return "parameters"
	case c.Type == ModifierInvocation:
		return "modifiers"
	}
	return "body"
}

// forRole infers the roles of the parts of a for statement: the only expression
// is the condition, and statements before it are the initialisation.
func forRole(n, c *Node) string {
	last := n.Children[len(n.Children)-1]
	seen := false
	for _, d := range n.Children {
		if d == c {
			break
		}
		seen = seen || !d.IsStatement()
	}
	switch {
	case c == last:
		return "body"
	case !c.IsStatement():
		return "condition"
	case seen || c.Type == ExpressionStatement && n.Children[0] != c:
		return "loopExpression"
	}
	return "initializationExpression"
}

// renameAttributes gives attributes their names in later trees.
func renameAttributes(n *Node) {
	for i := range n.attrs {
		a := &n.attrs[i]
		switch {
		case a.key == keyValue && n.Type == Identifier:
			a.key = keyName
		case a.key == keyValue && n.Type == ElementaryTypeNameExpression:
			a.key = keyTypeName
		case a.key == keyName && strings.HasSuffix(n.Type, "Type"):
			a.key = keyTypeName
		case a.key == keyConstant && n.Type == FunctionDefinition:
			a.key = keyIsDeclaredConst
		}
	}
}
