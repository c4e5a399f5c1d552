package ast

import (
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/crypto"
)

// Signature returns the canonical signature of a function, event, error or
// public state variable, such as "transfer(address,uint256)". ok is false for
// nodes without one, such as constructors or functions with a mapping parameter.
func (x *Index) Signature(n *Node) (signature string, ok bool) {
	var parameters []*Node
	switch n.Type {
	case FunctionDefinition:
		if k := n.Kind(); k != "function" {
			return "", false
		}
		parameters = n.Parameters()
	case EventDefinition, ErrorDefinition:
		parameters = n.Parameters()
	case VariableDeclaration:
		return x.getter(n)
	default:
		return "", false
	}
	list := make([]string, len(parameters))
	for i, p := range parameters {
		if list[i], ok = x.canonical(p.Child("typeName"), 0); !ok {
			return "", false
		}
	}
	return n.Name() + "(" + strings.Join(list, ",") + ")", true
}

// getter returns the signature of a public variable's getter. Its parameters are
// the keys and indices that lead to a value.
func (x *Index) getter(n *Node) (string, bool) {
	if !n.IsStateVariable() || n.Visibility() != "public" {
		return "", false
	}
	var list []string
	for t := n.Child("typeName"); t != nil; {
		switch t.Type {
		case Mapping:
			key, ok := x.canonical(t.Child("keyType"), 0)
			if !ok {
				return "", false
			}
			list = append(list, key)
			t = t.Child("valueType")
		case ArrayTypeName:
			list = append(list, "uint256")
			t = t.Child("baseType")
		default:
			t = nil
		}
	}
	return n.Name() + "(" + strings.Join(list, ",") + ")", true
}

// canonical returns the ABI form of a type name.
func (x *Index) canonical(t *Node, depth int) (string, bool) {
	if t == nil || depth > maxTypeDepth {
		return "", false
	}
	switch t.Type {
	case ElementaryTypeName:
		return elementary(t), true
	case FunctionTypeName:
		return "function", true
	case ArrayTypeName:
		base, ok := x.canonical(t.Child("baseType"), depth+1)
		length := ""
		if parsed := t.ValueType(); parsed.Kind == TypeArray {
			length = strconv.FormatUint(parsed.Length, 10)
		}
		return base + "[" + length + "]", ok
	case UserDefinedTypeName:
		return x.canonicalUser(x.Referenced(t), depth+1)
	}
	return "", false
}

// elementary returns the full name of an elementary type: uint is uint256.
func elementary(t *Node) string {
	name := strings.TrimSuffix(t.TypeString(), " payable")
	if name == "" {
		name = strings.TrimSuffix(t.Name(), " payable")
	}
	switch parsed := ParseType(name); {
	case parsed.Kind == TypeUint:
		return "uint" + strconv.Itoa(parsed.Bits)
	case parsed.Kind == TypeInt:
		return "int" + strconv.Itoa(parsed.Bits)
	case name == "byte":
		return "bytes1"
	}
	word, _, _ := strings.Cut(name, " ")
	return word
}

// canonicalUser returns the ABI type of a user-defined type.
func (x *Index) canonicalUser(d *Node, depth int) (string, bool) {
	if d == nil || depth > maxTypeDepth {
		return "", false
	}
	switch d.Type {
	case ContractDefinition:
		return "address", true
	case UserDefinedValueTypeDefinition:
		return x.canonical(d.Child("underlyingType"), depth+1)
	case EnumDefinition:
		if len(d.List("members")) > 256 { // no limit before 0.8
			return "uint16", true
		}
		return "uint8", true
	case StructDefinition:
		members := d.List("members")
		list := make([]string, len(members))
		for i, m := range members {
			ok := false
			if list[i], ok = x.canonical(m.Child("typeName"), depth+1); !ok {
				return "", false
			}
		}
		return "(" + strings.Join(list, ",") + ")", true
	}
	return "", false
}

// ABIType returns the ABI type of a variable, a parameter or a member of a struct;
// false if there is none.
func (x *Index) ABIType(variable *Node) (string, bool) {
	return x.canonical(variable.Child("typeName"), 0)
}

// Selector returns the four-byte selector of a function, a public state variable
// or an error in hex. It prefers solc's own value and else computes it from the
// signature.
func (x *Index) Selector(n *Node) (string, bool) {
	for _, k := range []key{keyFunctionSelector, keyErrorSelector} {
		if selector := n.get(k); selector != "" {
			return selector, true
		}
	}
	external := n.Visibility() == "public" || n.Visibility() == "external" || n.Type == ErrorDefinition
	signature, ok := x.Signature(n)
	if !ok || !external || n.Type == EventDefinition {
		return "", false
	}
	return hex.EncodeToString(crypto.Keccak256([]byte(signature))[:4]), true
}

// NamedABIType returns the ABI type that an expression names, as in the second
// argument of abi.decode, and the struct in it, if there is one; false if it names
// none.
func (x *Index) NamedABIType(e *Node) (name string, structure *Node, ok bool) {
	switch e = e.Bare(); {
	case e == nil:
		return "", nil, false
	case e.Type == ElementaryTypeNameExpression:
		t := e.ValueType()
		if t.Kind != TypeOfTypes {
			return "", nil, false
		}
		text := strings.TrimSuffix(strings.TrimPrefix(e.TypeString(), "type("), ")")
		word, _, _ := strings.Cut(text, " ") // without the location
		return word, nil, true
	case e.Type == IndexAccess:
		base, structure, ok := x.NamedABIType(e.Child("baseExpression"))
		length := ""
		if t := e.ValueType(); t.Kind == TypeOfTypes && t.Elem.Kind == TypeArray {
			length = strconv.FormatUint(t.Elem.Length, 10)
		}
		return base + "[" + length + "]", structure, ok
	}
	d := x.Referenced(e)
	name, ok = x.canonicalUser(d, 0)
	if ok && d.Type == StructDefinition {
		structure = d
	}
	return name, structure, ok
}
