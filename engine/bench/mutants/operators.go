package main

import (
	"math/big"
	"regexp"
	"slices"
	"strings"

	"leveret/solc/ast"
)

// An edit replaces bytes of a source.
type edit struct {
	start, end int
	text       string
}

// A place is a node in its source, and the names of the functions of the build.
type place struct {
	*ast.Node
	text      []byte
	functions map[string]bool
}

// source is the text of a node.
func (p *place) source(n *ast.Node) string { return string(p.text[n.Span.Start:n.Span.End()]) }

// whole replaces a node.
func (p *place) whole(n *ast.Node, text string) edit {
	return edit{n.Span.Start, n.Span.End(), text}
}

// gone leaves out a statement of Solidity, with its semicolon, which is not part of
// the node.
func (p *place) gone() edit {
	end := p.Span.End()
	if rest := strings.TrimLeft(string(p.text[end:]), " \t\r\n"); strings.HasPrefix(rest, ";") {
		end = len(p.text) - len(rest) + 1
	}
	return edit{p.Span.Start, end, "{}"}
}

// An operator changes nodes of the given types.
type operator struct {
	name  string
	types []string
	edits func(p *place) []edit
}

// operators are what mutants are planted by. Sources in assembly have the same
// ones.
var operators = []operator{
	{"comparison", []string{ast.BinaryOperation, ast.YulFunctionCall}, func(p *place) []edit {
		if p.Type == ast.YulFunctionCall {
			return p.instruction(map[string][]string{"lt": {"gt"}, "gt": {"lt"}, "slt": {"sgt", "lt"}, "sgt": {"slt", "gt"}, "eq": {"lt", "gt"}})
		}
		return p.operator(map[string][]string{"<": {"<=", ">"}, "<=": {"<"}, ">": {">=", "<"}, ">=": {">"}, "==": {"!="}, "!=": {"=="}})
	}},
	{"arithmetic", []string{ast.BinaryOperation, ast.YulFunctionCall}, func(p *place) []edit {
		if p.Type == ast.YulFunctionCall {
			return p.instruction(map[string][]string{
				"add": {"sub"}, "sub": {"add"}, "mul": {"div"}, "div": {"mul"}, "shl": {"shr"}, "shr": {"shl"}, "and": {"or"}, "or": {"and", "xor"}, "mod": {"div"},
				"sdiv": {"div"}, "smod": {"mod"}, "sar": {"shr"},
			})
		}
		return p.operator(map[string][]string{"+": {"-"}, "-": {"+"}, "*": {"/"}, "/": {"*"}, "%": {"/"}, "<<": {">>"}, ">>": {"<<"}, "&": {"|"}, "|": {"&"}})
	}},
	{"bound", []string{ast.Literal, ast.YulLiteral}, (*place).bound},
	{"logic", []string{ast.BinaryOperation, ast.UnaryOperation, ast.YulFunctionCall}, func(p *place) []edit {
		switch {
		case p.Type == ast.YulFunctionCall && p.Child("functionName").Name() == "iszero":
			return []edit{p.whole(p.Node, p.source(p.List("arguments")[0]))}
		case p.Type == ast.UnaryOperation && p.Operator() == "!":
			return []edit{p.whole(p.Node, p.source(p.Operands()[0]))}
		}
		return p.operator(map[string][]string{"&&": {"||"}, "||": {"&&"}})
	}},
	{"assignment", []string{ast.Assignment}, func(p *place) []edit {
		return p.operator(map[string][]string{"+=": {"=", "-="}, "-=": {"=", "+="}, "*=": {"/="}, "|=": {"="}, "&=": {"|="}})
	}},
	{"check", []string{ast.ExpressionStatement, ast.IfStatement, ast.ModifierInvocation, ast.YulIf}, (*place).check},
	{"statement", []string{ast.ExpressionStatement, ast.YulExpressionStatement}, (*place).statement},
	{"operands", []string{ast.BinaryOperation, ast.FunctionCall, ast.YulFunctionCall}, (*place).operands},
	{"rounding", []string{ast.Identifier, ast.MemberAccess}, (*place).rounding},
}

// operator replaces the operator between the operands of p.
func (p *place) operator(by map[string][]string) (list []edit) {
	operands := p.Operands()
	if len(operands) != 2 {
		return nil
	}
	from := operands[0].Span.End()
	at := strings.Index(string(p.text[from:operands[1].Span.Start]), p.Operator())
	if at < 0 {
		return nil
	}
	for _, other := range by[p.Operator()] {
		list = append(list, edit{from + at, from + at + len(p.Operator()), other})
	}
	return list
}

// instruction replaces the name of a call in assembly.
func (p *place) instruction(by map[string][]string) (list []edit) {
	name := p.Child("functionName")
	for _, other := range by[name.Name()] {
		list = append(list, p.whole(name, other))
	}
	return list
}

// wholeNumber matches literals that one can be added to as they stand.
var wholeNumber = regexp.MustCompile(`^(0x[0-9a-fA-F]+|[0-9]+)$`)

// bound adds one to a number, or takes one away.
func (p *place) bound() (list []edit) {
	text := p.source(p.Node)
	digits := strings.ReplaceAll(text, "_", "")
	n, ok := new(big.Int).SetString(digits, 0)
	if !ok || !wholeNumber.MatchString(digits) || p.Type == ast.Literal && len(digits) == 42 {
		return nil // units, fractions, text; addresses
	}
	for _, by := range []int64{1, -1} {
		if other := new(big.Int).Add(n, big.NewInt(by)); other.Sign() >= 0 {
			list = append(list, p.whole(p.Node, other.String()))
		}
	}
	return list
}

// check leaves out what reverts on a condition.
func (p *place) check() []edit {
	switch p.Type {
	case ast.ExpressionStatement:
		if call := p.Child("expression"); call != nil && call.Type == ast.FunctionCall && call.IsBuiltin("require", "assert") {
			return []edit{p.gone()}
		}
	case ast.IfStatement:
		if p.Child("falseBody") == nil && reverts(p.Child("trueBody")) {
			return []edit{p.gone()}
		}
	case ast.YulIf:
		if strings.Contains(p.source(p.Node), "revert(") {
			return []edit{p.whole(p.Node, "")}
		}
	case ast.ModifierInvocation:
		if p.Attr("kind") == "modifierInvocation" {
			return []edit{p.whole(p.Node, "")}
		}
	}
	return nil
}

// reverts reports whether a body does nothing but revert.
func reverts(body *ast.Node) bool {
	if body != nil && body.Type == ast.Block {
		if len(body.Statements()) != 1 {
			return false
		}
		body = body.Statements()[0]
	}
	if body == nil {
		return false
	}
	if body.Type == ast.RevertStatement {
		return true
	}
	call := body.Child("expression")
	return body.Type == ast.ExpressionStatement && call.Type == ast.FunctionCall && call.IsBuiltin("revert")
}

// statement leaves out an assignment, a call or a write.
func (p *place) statement() []edit {
	expression := p.Child("expression")
	switch {
	case p.Type == ast.YulExpressionStatement:
		if name := expression.Child("functionName"); name != nil && slices.Contains([]string{"sstore", "mstore", "tstore"}, name.Name()) {
			return []edit{p.whole(p.Node, "")}
		}
	case expression.Type == ast.Assignment, expression.Type == ast.UnaryOperation,
		expression.Type == ast.FunctionCall && !expression.IsBuiltin("require", "assert", "revert"):
		return []edit{p.gone()}
	}
	return nil
}

// operands swaps two operands whose order matters, or two arguments of one type.
func (p *place) operands() []edit {
	var pair []*ast.Node
	switch p.Type {
	case ast.BinaryOperation:
		if slices.Contains([]string{"-", "/", "%"}, p.Operator()) {
			pair = p.Operands()
		}
	case ast.YulFunctionCall:
		if slices.Contains([]string{"sub", "div", "mod", "sdiv"}, p.Child("functionName").Name()) {
			pair = p.List("arguments")
		}
	case ast.FunctionCall:
		if list := p.Arguments(); p.Kind() == "functionCall" && len(list) >= 2 && list[0].TypeString() == list[1].TypeString() {
			pair = list[:2]
		}
	}
	if len(pair) != 2 || p.source(pair[0]) == p.source(pair[1]) {
		return nil
	}
	between := string(p.text[pair[0].Span.End():pair[1].Span.Start])
	return []edit{{pair[0].Span.Start, pair[1].Span.End(), p.source(pair[1]) + between + p.source(pair[0])}}
}

// roundings are names of the directions that functions and constants round in.
var roundings = [][2]string{{"Up", "Down"}, {"Ceil", "Floor"}, {"Ceil", ""}, {"Up", ""}, {"RoundingUp", ""}}

// rounding names the function or constant that rounds the other way.
func (p *place) rounding() (list []edit) {
	name := p.Name()
	end := p.Span.End()
	if name == "" || !strings.HasSuffix(string(p.text[:end]), name) {
		return nil
	}
	seen := map[string]bool{name: true}
	for _, pair := range roundings {
		for i := range pair {
			if other, ok := strings.CutSuffix(name, pair[i]); ok && pair[i] != "" && !seen[other+pair[1-i]] && p.functions[other+pair[1-i]] {
				seen[other+pair[1-i]] = true
				list = append(list, edit{end - len(name), end, other + pair[1-i]})
			}
		}
		if pair[1] == "" && p.functions[name+pair[0]] && !seen[name+pair[0]] {
			seen[name+pair[0]] = true
			list = append(list, edit{end - len(name), end, name + pair[0]})
		}
	}
	return list
}
