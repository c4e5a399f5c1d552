package program

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/solc"
	"leveret/solc/ast"
	"leveret/solc/srcmap"
)

// A NamedContract is a contract of which the code has the address, as of one on the main
// chain, with the types that it calls there, such as "contract IPool".
type NamedContract struct {
	Address common.Address
	Types   []string
}

// NamedContracts lists the contracts of which the code of a contract has the address,
// sorted by address. They are conversions of constants in the sources of its code, and in
// constants that these refer to.
func NamedContracts(c *solc.Contract) []NamedContract {
	type key struct{ of *solc.Contract }
	return c.Build.Derived(key{c}, func() any { return namedContracts(c) }).([]NamedContract)
}

func namedContracts(c *solc.Contract) (list []NamedContract) {
	trees := c.Build.Trees()
	var conversions []*ast.Node
	seen := map[*ast.Node]bool{} // constants
	var collect func(n *ast.Node) bool
	collect = func(n *ast.Node) bool {
		switch n.Type {
		case ast.FunctionCall:
			conversions = append(conversions, n)
		case ast.Identifier, ast.MemberAccess:
			if d := trees.Referenced(n); d != nil && d.IsConstant() && !seen[d] {
				seen[d] = true
				d.Child("value").Walk(collect)
			}
		}
		return true
	}
	for _, source := range c.Build.Sources {
		if source == nil || source.Unit == nil {
			continue
		}
		for _, n := range source.Unit.Root.Children {
			if Inherits(c, n) || contributes(c, n) {
				n.Walk(collect)
			}
		}
	}
	pushes := pushedBy(c)
	for _, n := range conversions {
		if n.Kind() != "typeConversion" || !IsContractType(n.TypeString()) || len(n.Arguments()) != 1 {
			continue
		}
		if address, ok := addressOf(trees, n.Arguments()[0], 0); ok && pushes(address) {
			list = withType(list, address, n.TypeString())
		}
	}
	slices.SortFunc(list, func(a, b NamedContract) int { return a.Address.Cmp(b.Address) })
	for i := range list {
		slices.SortFunc(list[i].Types, cmp.Compare[string])
	}
	return list
}

// contributes reports whether code of a contract is from n: a library, or a function of a file.
func contributes(c *solc.Contract, n *ast.Node) bool {
	if n.Type != ast.FunctionDefinition && (n.Type != ast.ContractDefinition || n.Kind() != "library") {
		return false
	}
	of := func(e srcmap.Entry) bool { return n.Span.Contains(e.Span) }
	return slices.ContainsFunc(c.Creation.Map, of) || slices.ContainsFunc(c.Runtime.Map, of)
}

// maxAddressDepth bounds the constants and conversions on the way to an address.
const maxAddressDepth = 4

// addressOf returns the address that an expression is: a literal, a constant, or a
// conversion of these.
func addressOf(trees *ast.Index, n *ast.Node, depth int) (a common.Address, ok bool) {
	n = n.Bare()
	switch {
	case n == nil || depth > maxAddressDepth:
		return a, false
	case n.Type == ast.FunctionCall && n.Kind() == "typeConversion" && len(n.Arguments()) == 1:
		return addressOf(trees, n.Arguments()[0], depth+1)
	case n.Type == ast.Identifier, n.Type == ast.MemberAccess:
		if d := trees.Referenced(n); d != nil && d.IsConstant() {
			return addressOf(trees, d.Child("value"), depth+1)
		}
		return a, false
	}
	for _, constant := range n.Constants() {
		if constant.Node == n && constant.Address && constant.Number.Sign() > 0 && constant.Number.BitLen() <= 160 {
			return common.BigToAddress(constant.Number), true
		}
	}
	return a, false
}

// pushedBy returns whether the code of a contract pushes an address, or computes it from what it
// pushes, as the optimizer writes addresses with many zeros.
func pushedBy(c *solc.Contract) func(common.Address) bool {
	computed := sync.OnceValue(func() map[uint256.Int]bool {
		words := bytecode.New(c.Creation.Object).Computed()
		maps.Copy(words, bytecode.New(c.Runtime.Object).Computed())
		return words
	})
	return func(a common.Address) bool {
		return bytes.Contains(c.Creation.Object, bytes.TrimLeft(a[:], "\x00")) || computed()[*new(uint256.Int).SetBytes(a[:])]
	}
}

// withType adds a type at an address.
func withType(list []NamedContract, at common.Address, internal string) []NamedContract {
	i := slices.IndexFunc(list, func(n NamedContract) bool { return n.Address == at })
	switch {
	case i < 0:
		return append(list, NamedContract{at, []string{internal}})
	case !slices.Contains(list[i].Types, internal):
		list[i].Types = append(list[i].Types, internal)
	}
	return list
}
