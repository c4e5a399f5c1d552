package present

import (
	"bytes"
	"encoding/hex"
	"strconv"
	"strings"

	"leveret/engine/input"
	"leveret/solc"
	"leveret/solc/ast"
	"leveret/solc/srcmap"
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

// nameSpan returns where the name of a declaration stands; its keyword or
// first line if it has no name.
func nameSpan(n *ast.Node, text []byte) srcmap.Span {
	if at := strings.Split(n.Attr("nameLocation"), ":"); len(at) == 3 {
		start, err1 := strconv.Atoi(at[0])
		length, err2 := strconv.Atoi(at[1])
		if err1 == nil && err2 == nil && start >= 0 && length > 0 {
			return srcmap.Span{Source: n.Span.Source, Start: start, Length: length}
		}
	}
	if n.Span.Start < 0 || n.Span.End() > len(text) {
		return n.Span
	}
	body := text[n.Span.Start:n.Span.End()]
	if name := n.Attr("name"); name != "" {
		if i := wordIndex(body, name); i >= 0 {
			return srcmap.Span{Source: n.Span.Source, Start: n.Span.Start + i, Length: len(name)}
		}
	}
	if i := bytes.IndexAny(body, "({\r\n"); i > 0 {
		body = bytes.TrimRight(body[:i], " \t")
	}
	return srcmap.Span{Source: n.Span.Source, Start: n.Span.Start, Length: len(body)}
}

// wordIndex finds a name that is not part of a longer one.
func wordIndex(text []byte, name string) int {
	for from := 0; ; {
		i := bytes.Index(text[from:], []byte(name))
		if i < 0 {
			return -1
		}
		i += from
		end := i + len(name)
		if (i == 0 || !wordByte(text[i-1])) && (end == len(text) || !wordByte(text[end])) {
			return i
		}
		from = end
	}
}

func wordByte(b byte) bool {
	return b == '_' || b == '$' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
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
