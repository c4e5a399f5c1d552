// Package ast reads solc's compact JSON syntax tree into typed nodes and finds
// nodes by offset and declarations by id.
//
// It knows the tree alone: no file system, no bytecode.
package ast

import "leveret/solc/srcmap"

// A Unit is the tree of one source file.
type Unit struct {
	Root *Node
}

// A Node is one node of the tree.
type Node struct {
	ID     int
	Type   string // solc's nodeType, "FunctionDefinition"
	Span   srcmap.Span
	Parent *Node
}
