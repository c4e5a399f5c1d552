package debug

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/big"
	"strconv"
	"strings"

	"leveret/engine/debug/variables"
)

// maxExpression bounds the bytes of an expression.
const maxExpression = 1000

// CheckExpression reports what is wrong with the form of an expression.
func CheckExpression(text string) error {
	_, err := parseExpression(text)
	return err
}

// parseExpression reads an expression. Those of Solidity that Evaluate knows have the
// syntax of Go.
func parseExpression(text string) (ast.Expr, error) {
	if len(text) > maxExpression {
		return nil, fmt.Errorf("the expression is longer than %d characters", maxExpression)
	}
	e, err := parser.ParseExpr(text)
	if err != nil {
		return nil, fmt.Errorf("%q is not an expression; names, members, indices, numbers, comparisons and arithmetic are known", text)
	}
	return e, nil
}

// Evaluate returns the value of an expression in a function on the stack, 0 the
// innermost one.
func (s *Session) Evaluate(text string, frame int) (Variable, error) {
	text = strings.TrimSpace(text)
	stack, err := s.Stack()
	if err != nil {
		return Variable{}, err
	}
	if frame < 0 || frame >= len(stack) {
		return Variable{}, fmt.Errorf("there is no frame %d", frame)
	}
	v := evaluation{s, &stack[frame]}
	if known, err := v.lookUp(text); err == nil {
		return known, nil // its name may be a word of Go
	}
	e, err := parseExpression(text)
	if err != nil {
		return Variable{}, err
	}
	return v.value(e)
}

// An evaluation has the names that an expression can use.
type evaluation struct {
	*Session
	frame *StackFrame
}

func (v *evaluation) value(e ast.Expr) (Variable, error) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return v.value(e.X)
	case *ast.BasicLit:
		if e.Kind == token.STRING || e.Kind == token.INT || e.Kind == token.FLOAT {
			return Variable{Value: e.Value}, nil
		}
	case *ast.UnaryExpr:
		return v.unary(e)
	case *ast.BinaryExpr:
		return v.binary(e)
	case *ast.Ident:
		if e.Name == "true" || e.Name == "false" {
			return Variable{Value: e.Name, Type: "bool"}, nil
		}
	}
	path, err := v.path(e)
	if err != nil {
		return Variable{}, err
	}
	return v.lookUp(path)
}

// path writes an expression as Variables name it, with values in place of indices.
func (v *evaluation) path(e ast.Expr) (string, error) {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name, nil
	case *ast.SelectorExpr:
		base, err := v.path(e.X)
		return base + "." + e.Sel.Name, err
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.Ident); ok && f.Name == "address" && len(e.Args) == 1 {
			if arg, ok := e.Args[0].(*ast.Ident); ok && arg.Name == "this" {
				return "address(this)", nil
			}
		}
	case *ast.IndexExpr:
		base, err := v.path(e.X)
		if err != nil {
			return "", err
		}
		index, err := v.value(e.Index)
		if err != nil {
			return "", err
		}
		key, _, _ := strings.Cut(index.Value, " (") // the name of an account
		return base + "[" + key + "]", nil
	}
	return "", fmt.Errorf("expressions have names, members, indices, numbers, comparisons and arithmetic")
}

// lookUp returns the variable with a path.
func (v *evaluation) lookUp(path string) (Variable, error) {
	for _, x := range v.transactionVariables(v.frame) {
		if x.Name == path {
			return x, nil
		}
	}
	if index, ok := strings.CutPrefix(path, "stack["); ok {
		words := v.stackWords(v.frame)
		if n, err := strconv.Atoi(strings.TrimSuffix(index, "]")); err == nil && n >= 0 && n < len(words) {
			return words[n], nil
		}
	}
	switch x, ok := v.localPart(v.frame, path); {
	case ok:
		return x, nil
	case x.Value == variables.Unknown:
		return Variable{}, fmt.Errorf("%s is %s", path, x.Value)
	}
	for _, x := range v.stateVariables(v.frame) {
		if x.Path == path {
			return x, nil
		}
	}
	if l := v.layoutOf(v.frame); l != nil {
		if slot, field, ok := l.Locate(path); ok {
			return v.field(v.frame.Frame.Self, slot, field), nil
		}
	}
	return Variable{}, fmt.Errorf("%s has no value here", path)
}

func (v *evaluation) unary(e *ast.UnaryExpr) (Variable, error) {
	x, err := v.value(e.X)
	if err != nil {
		return x, err
	}
	switch n, isNumber := number(x.Value); {
	case e.Op == token.NOT && (x.Value == "true" || x.Value == "false"):
		return boolean(x.Value == "false"), nil
	case e.Op == token.SUB && isNumber:
		return Variable{Value: n.Neg(n).String(), Type: x.Type}, nil
	}
	return x, fmt.Errorf("%s is not defined for %s", e.Op, x.Value)
}

func (v *evaluation) binary(e *ast.BinaryExpr) (Variable, error) {
	x, err := v.value(e.X)
	if err != nil {
		return x, err
	}
	if e.Op == token.LAND && x.Value == "false" || e.Op == token.LOR && x.Value == "true" {
		return x, nil
	}
	y, err := v.value(e.Y)
	if err != nil {
		return y, err
	}
	a, isNumber := number(x.Value)
	b, both := number(y.Value)
	if isNumber && both {
		if r, ok := compute(a, e.Op, b); ok {
			return r, nil
		}
	}
	same := strings.EqualFold(plain(x.Value), plain(y.Value))
	switch {
	case e.Op == token.EQL:
		return boolean(same), nil
	case e.Op == token.NEQ:
		return boolean(!same), nil
	case e.Op == token.LAND || e.Op == token.LOR:
		return y, nil
	}
	return x, fmt.Errorf("%s is not defined for %s and %s", e.Op, x.Value, y.Value)
}

// plain removes the name behind an address.
func plain(value string) string {
	plain, _, _ := strings.Cut(value, " (")
	return plain
}

// number reads a number, also of more than 256 bits.
func number(value string) (*big.Int, bool) {
	value = strings.ReplaceAll(plain(value), "_", "")
	if n, ok := new(big.Int).SetString(value, 0); ok && len(value) < 200 {
		return n, true
	}
	digits, exponent, ok := strings.Cut(value, "e")
	power, err := strconv.Atoi(exponent)
	n, isNumber := new(big.Int).SetString(digits, 10)
	if !ok || err != nil || !isNumber || power < 0 || power > 77 || len(digits) > 80 {
		return nil, false
	}
	return n.Mul(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(power)), nil)), true
}

// compute applies an operator to numbers; false if it is not defined for them.
func compute(a *big.Int, op token.Token, b *big.Int) (Variable, bool) {
	order := a.Cmp(b)
	switch op {
	case token.EQL:
		return boolean(order == 0), true
	case token.NEQ:
		return boolean(order != 0), true
	case token.LSS:
		return boolean(order < 0), true
	case token.LEQ:
		return boolean(order <= 0), true
	case token.GTR:
		return boolean(order > 0), true
	case token.GEQ:
		return boolean(order >= 0), true
	}
	var r big.Int
	switch {
	case op == token.ADD:
		r.Add(a, b)
	case op == token.SUB:
		r.Sub(a, b)
	case op == token.MUL:
		r.Mul(a, b)
	case op == token.QUO && b.Sign() != 0:
		r.Quo(a, b)
	case op == token.REM && b.Sign() != 0:
		r.Rem(a, b)
	default:
		return Variable{}, false
	}
	return Variable{Value: r.String(), Type: "int"}, true
}

func boolean(b bool) Variable { return Variable{Value: strconv.FormatBool(b), Type: "bool"} }
