package present

import (
	"encoding/hex"
	"strconv"
	"strings"

	"leveret/engine/input"
	"leveret/solc"
	"leveret/solc/ast"
)

// bases returns a contract and the contracts it inherits, in the order of
// linearization.
func bases(c *solc.Contract) []*ast.Node {
	if c == nil || c.Node == nil {
		return nil
	}
	nodes := []*ast.Node{c.Node}
	for _, text := range strings.Split(c.Node.Attr("linearizedBaseContracts"), "\x00") {
		id, err := strconv.Atoi(text)
		if err != nil || id == c.Node.ID {
			continue
		}
		if node := declaration(c.Build, id); node != nil {
			nodes = append(nodes, node)
		}
	}
	return nodes
}

func declaration(b *solc.Build, id int) *ast.Node {
	for _, source := range b.Sources {
		if source != nil && source.Unit != nil {
			if node := source.Unit.Declaration(id); node != nil {
				return node
			}
		}
	}
	return nil
}

// calledNode returns the declaration of a function of a contract: a function
// or the state variable of a getter; nil if the source has none.
func calledNode(c *solc.Contract, f *input.Function) *ast.Node {
	if f == nil {
		return nil
	}
	for _, base := range bases(c) {
		for _, member := range base.Children {
			if declares(member, f) {
				return member
			}
		}
	}
	return nil
}

func declares(n *ast.Node, f *input.Function) bool {
	switch n.Type {
	case ast.FunctionDefinition:
		switch kind := n.Kind(); {
		case f.Constructor || f.Raw:
			return kind == f.Name || f.Constructor && kind == "constructor"
		case kind != "function":
			return false
		}
	case ast.VariableDeclaration:
		if n.Attr("visibility") != "public" {
			return false
		}
	default:
		return false
	}
	if selector := n.Attr("functionSelector"); selector != "" { // newer compilers
		return selector == hex.EncodeToString(f.Selector[:])
	}
	if n.Attr("name") != f.Name {
		return false
	}
	return n.Type == ast.VariableDeclaration || len(n.Child("parameters").List("parameters")) == len(f.Inputs)
}

// reachable returns the public and external functions that a contract declares
// in one source.
func reachable(c *solc.Contract, source int) []*ast.Node {
	if c.Node == nil {
		return nil
	}
	var functions []*ast.Node
	for _, n := range c.Node.Children {
		if n.Type != ast.FunctionDefinition || n.Span.Source != source || n.Kind() == "constructor" || n.Child("body") == nil {
			continue
		}
		if v := n.Attr("visibility"); v == "public" || v == "external" {
			functions = append(functions, n)
		}
	}
	return functions
}
