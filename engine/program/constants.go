package program

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"leveret/solc"
	"leveret/solc/ast"
)

// A Constant is one of the source of a contract.
type Constant struct {
	ast.Constant
	Function string // signature of the function that it, or what the function calls, has; empty: of the contract
}

// Constants lists the constants of a contract's source: all of its own, and then those of
// each function and of what it calls. Callers do not change the list.
func (p *Program) Constants(c *solc.Contract) []Constant {
	if c.Node == nil {
		return nil
	}
	if list, ok := p.constants.Load(c); ok {
		return list.([]Constant)
	}
	list := p.constantsOf(c)
	p.constants.Store(c, list)
	return list
}

func (p *Program) constantsOf(c *solc.Contract) (list []Constant) {
	add := func(function string, n *ast.Node) {
		for _, constant := range n.Constants() {
			list = append(list, Constant{constant, function})
		}
	}
	tree := c.Build.Trees()
	signatures := map[string]string{} // by selector
	for _, f := range p.ABI(c).Functions {
		signatures[common.Bytes2Hex(f.Selector[:])] = f.Signature
	}
	for _, n := range tree.Contracts(c.Node) {
		add("", n)
	}
	for _, f := range tree.Functions(c.Node, false) {
		selector, ok := tree.Selector(f)
		if !ok || signatures[selector] == "" {
			continue
		}
		for _, n := range reachedBy(tree, f) {
			add(signatures[selector], n)
		}
	}
	return list
}

// maxReached bounds the functions and modifiers that one function is followed
// through.
const maxReached = 32

// reachedBy returns f and the functions and modifiers that it names, and so on.
func reachedBy(tree *ast.Index, f *ast.Node) []*ast.Node {
	list := []*ast.Node{f}
	for i := 0; i < len(list); i++ {
		for _, n := range list[i].Find(ast.FunctionCall, ast.ModifierInvocation) {
			called := tree.Called(n)
			if n.Type == ast.ModifierInvocation {
				called = tree.Referenced(n.Child("modifierName"))
			}
			if called != nil && (called.Type == ast.FunctionDefinition || called.Type == ast.ModifierDefinition) &&
				len(list) < maxReached && !slices.Contains(list, called) {
				list = append(list, called)
			}
		}
	}
	return list
}
