package program

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"leveret/solc"
	"leveret/solc/ast"
)

// A NamedContract is a contract of which the code has the address, as of one on the main
// chain, with the types that it calls there, such as "contract IPool".
type NamedContract struct {
	Address common.Address
	Types   []string
}

// NamedContracts lists the contracts of which the code of a contract has the address,
// sorted by address. They are conversions of constants in its sources.
func NamedContracts(c *solc.Contract) (list []NamedContract) {
	values := map[int]*ast.Node{} // of constants
	var conversions []*ast.Node
	for _, source := range c.Build.Sources {
		if source == nil || source.Unit == nil {
			continue
		}
		for _, definition := range source.Unit.Root.Children {
			if definition.Type != ast.ContractDefinition || !Inherits(c, definition) {
				continue
			}
			for _, v := range definition.Find(ast.VariableDeclaration) {
				if v.IsConstant() {
					values[v.ID] = v.Child("value")
				}
			}
			conversions = append(conversions, definition.Find(ast.FunctionCall)...)
		}
	}
	for _, n := range conversions {
		if n.Kind() != "typeConversion" || !IsContractType(n.TypeString()) || len(n.Arguments()) != 1 {
			continue
		}
		if address, ok := addressOf(n.Arguments()[0], values, 0); ok && mentions(c, address) {
			list = withType(list, address, n.TypeString())
		}
	}
	slices.SortFunc(list, func(a, b NamedContract) int { return a.Address.Cmp(b.Address) })
	for i := range list {
		slices.SortFunc(list[i].Types, cmp.Compare[string])
	}
	return list
}

// maxAddressDepth bounds the constants and conversions on the way to an address.
const maxAddressDepth = 4

// addressOf returns the address that an expression is: a literal, a constant, or a
// conversion of these.
func addressOf(n *ast.Node, values map[int]*ast.Node, depth int) (a common.Address, ok bool) {
	n = n.Bare()
	switch {
	case n == nil || depth > maxAddressDepth:
		return a, false
	case n.Type == ast.FunctionCall && n.Kind() == "typeConversion" && len(n.Arguments()) == 1:
		return addressOf(n.Arguments()[0], values, depth+1)
	case n.Type == ast.Identifier:
		return addressOf(values[n.Refers()], values, depth+1)
	}
	for _, constant := range n.Constants() {
		if constant.Node == n && constant.Address && constant.Number.Sign() > 0 && constant.Number.BitLen() <= 160 {
			return common.BigToAddress(constant.Number), true
		}
	}
	return a, false
}

// mentions reports whether the code of a contract contains an address, as PUSH has it.
func mentions(c *solc.Contract, a common.Address) bool {
	return bytes.Contains(c.Creation.Object, bytes.TrimLeft(a[:], "\x00"))
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
