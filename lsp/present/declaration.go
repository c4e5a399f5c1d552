package present

import (
	"encoding/hex"
	"strconv"
	"strings"

	"leveret/engine/input"
	"leveret/solc"
	"leveret/solc/ast"
)

// bases returns the contracts whose code is part of a contract's, the contract
// itself first, each with the source it stands in.
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

// calledNode returns what declares the function that a Tx calls on a contract:
// a function or the state variable behind a getter; nil if it is not in the
// source.
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
		switch kind := functionKind(n); {
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
	if selector := n.Attr("functionSelector"); selector != "" { // since 0.5.?
		return selector == hex.EncodeToString(f.Selector[:])
	}
	if n.Attr("name") != f.Name {
		return false
	}
	return n.Type == ast.VariableDeclaration || len(n.Child("parameters").List("parameters")) == len(f.Inputs)
}

// functionKind tells constructors and unnamed functions from the others, in
// all versions of the tree.
func functionKind(n *ast.Node) string {
	switch {
	case n.Attr("kind") != "":
		return n.Attr("kind")
	case n.Attr("isConstructor") == "true":
		return "constructor"
	case n.Attr("name") == "":
		return "fallback"
	}
	return "function"
}

// reachable returns the functions of a contract declared in one source that
// can be called from outside.
func reachable(c *solc.Contract, source int) []*ast.Node {
	if c.Node == nil {
		return nil
	}
	var functions []*ast.Node
	for _, n := range c.Node.Children {
		if n.Type != ast.FunctionDefinition || n.Span.Source != source || functionKind(n) == "constructor" || n.Child("body") == nil {
			continue
		}
		if v := n.Attr("visibility"); v == "public" || v == "external" {
			functions = append(functions, n)
		}
	}
	return functions
}
