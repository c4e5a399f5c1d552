package debug

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"

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
// syntax of Go, but for units.
func parseExpression(text string) (ast.Expr, error) {
	if len(text) > maxExpression {
		return nil, fmt.Errorf("the expression is longer than %d characters", maxExpression)
	}
	e, err := parser.ParseExpr(united.ReplaceAllStringFunc(text, inUnits))
	if err != nil {
		return nil, fmt.Errorf("%q is not an expression; names, members, indices, numbers, comparisons and arithmetic are known", text)
	}
	return e, nil
}

// SplitAssignment splits "name = value"; false if the text is none.
func SplitAssignment(text string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(text, "=")
	last := strings.TrimRight(name, " ")
	if !ok || strings.HasPrefix(value, "=") || last == "" || strings.ContainsRune("!<>=+-*/%&|^~", rune(last[len(last)-1])) {
		return "", "", false
	}
	return strings.TrimSpace(name), strings.TrimSpace(value), true
}

// units are those of Solidity, in wei and seconds.
var units = map[string]string{
	"wei": "1", "gwei": "1e9", "ether": "1e18", "seconds": "1", "minutes": "60", "hours": "3600", "days": "86400", "weeks": "604800",
}

// united matches a number with a unit.
var united = regexp.MustCompile(`\b([0-9][0-9_]*(?:\.[0-9]+)?(?:e[0-9]+)?)\s+(wei|gwei|ether|seconds|minutes|hours|days|weeks)\b`)

// inUnits writes a number with a unit as a whole number; if it is none, as it was.
func inUnits(text string) string {
	parts := united.FindStringSubmatch(text)
	digits, exponent, _ := strings.Cut(parts[1], "e")
	whole, fraction, _ := strings.Cut(digits, ".")
	power, err := strconv.Atoi("0" + exponent)
	if err != nil || power > 77 || len(fraction) > 77 {
		return text
	}
	unit, _ := variables.ParseNumber(units[parts[2]])
	n, ok := variables.ParseNumber(fmt.Sprintf("%s%se%d", whole, fraction, power))
	if !ok {
		return text
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(len(fraction))), nil)
	rest := new(big.Int)
	if n.DivMod(n.Mul(n, unit), scale, rest); rest.Sign() != 0 {
		return text
	}
	return n.String()
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
	known := Variable{}
	if err == nil {
		known, err = v.lookUp(path)
	}
	if err != nil {
		if derived, ok := v.derived(e); ok {
			return derived, nil
		}
	}
	return known, err
}

// derived returns what no variable has: address(x), and the balance or the length of
// something.
func (v *evaluation) derived(e ast.Expr) (Variable, bool) {
	switch e := e.(type) {
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.Ident); !ok || f.Name != "address" || len(e.Args) != 1 {
			return Variable{}, false
		}
		if x, err := v.value(e.Args[0]); err == nil && common.IsHexAddress(plain(x.Value)) {
			return Variable{Value: v.account(common.HexToAddress(plain(x.Value))), Type: "address"}, true
		}
	case *ast.SelectorExpr:
		x, err := v.value(e.X)
		length, isArray := strings.CutPrefix(x.Value, "length ")
		switch {
		case err != nil:
		case e.Sel.Name == "balance" && common.IsHexAddress(plain(x.Value)):
			a := common.HexToAddress(plain(x.Value))
			return v.balanceOf(a, v.name(a)), true
		case e.Sel.Name == "length" && isArray:
			return Variable{Value: length, Type: "uint256"}, true
		}
	}
	return Variable{}, false
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
	if st := v.storageOf(v.frame); st != nil {
		if slot, field, ok := st.layout.Locate(path); ok {
			return st.field(slot, field), nil
		}
	}
	for _, x := range v.constants(v.frame) {
		if x.Name == path {
			return x, nil
		}
	}
	if x, ok := v.member(path); ok {
		return x, nil
	}
	if a, ok := v.accountNamed(path); ok {
		return Variable{Value: v.account(a), Type: "address"}, nil
	}
	return Variable{}, fmt.Errorf("%s has no value here", path)
}

// member returns a member of an enum, "State.Open" or "Vault.State.Open".
func (v *evaluation) member(path string) (Variable, bool) {
	c := v.contractAt(v.frame.Frame.Code)
	if c == nil {
		return Variable{}, false
	}
	x, ok := v.typesOf(c.Build).EnumMember(c, path)
	return Variable{Value: x.Text, Type: x.Type}, ok
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
func number(value string) (*big.Int, bool) { return variables.ParseNumber(plain(value)) }

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
