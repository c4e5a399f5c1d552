package ast

import (
	"strconv"
	"strings"

	"leveret/solc/srcmap"
)

// Name returns the declared or referenced name: that of a definition, variable
// or identifier, or the member of a MemberAccess. Receive and fallback functions
// have none, and constructors only before 0.5.
func (n *Node) Name() string {
	if n.Type == MemberAccess {
		return n.get(keyMemberName)
	}
	return n.get(keyName)
}

// kindsByType lists the attribute with a node's kind, unless it is "kind".
var kindsByType = map[string]key{ContractDefinition: keyContractKind}

// Kind returns the kind of a node: "contract", "interface" or "library" of a
// contract; "function", "constructor", "receive", "fallback" or "freeFunction"
// of a function; "functionCall", "typeConversion" or "structConstructorCall" of
// a call; "number", "bool", "string", "hexString" or "unicodeString" of a
// literal.
func (n *Node) Kind() string {
	k, other := kindsByType[n.Type]
	if !other {
		k = keyKind
	}
	if kind := n.get(k); kind != "" {
		return kind
	}
	switch n.Type {
	case ContractDefinition:
		return "contract"
	case FunctionDefinition:
		return n.functionKind()
	case FunctionCall:
		return "functionCall"
	case Literal:
		return literalKind(n.TypeString())
	}
	return ""
}

// functionKind infers the kind in trees before 0.5, which lack it.
func (n *Node) functionKind() string {
	switch c := n.Contract(); {
	case n.is(keyIsConstructor), c != nil && n.Name() == c.Name():
		return "constructor"
	case n.Name() == "":
		return "fallback"
	}
	return "function"
}

// literalKind infers the kind in trees before 0.4.12, which lack it.
func literalKind(typeString string) string {
	switch {
	case strings.HasPrefix(typeString, "literal_string"):
		return "string"
	case typeString == "bool":
		return "bool"
	}
	return "number"
}

// Abstract reports whether a contract is abstract; interfaces are not. From 0.6
// on the source has to declare it.
func (n *Node) Abstract() bool {
	return n.Type == ContractDefinition && n.Kind() == "contract" && (n.is(keyAbstract) || !n.is(keyFullyImplemented))
}

// Visibility returns "external", "public", "internal" or "private".
func (n *Node) Visibility() string { return n.get(keyVisibility) }

// StateMutability returns a function's "pure", "view", "nonpayable" or
// "payable".
func (n *Node) StateMutability() string {
	switch {
	case n.get(keyStateMutability) != "":
		return n.get(keyStateMutability)
	case n.is(keyPayable):
		return "payable"
	case n.is(keyIsDeclaredConst):
		return "view"
	}
	return "nonpayable"
}

// IsStateVariable reports whether n declares a variable of a contract, constants
// and immutables included.
func (n *Node) IsStateVariable() bool {
	return n.Type == VariableDeclaration && n.Parent != nil && n.Parent.Type == ContractDefinition
}

// IsConstant reports whether n declares a constant.
func (n *Node) IsConstant() bool {
	return n.Type == VariableDeclaration && (n.is(keyConstant) || n.get(keyMutability) == "constant")
}

// IsImmutable reports whether n declares an immutable.
func (n *Node) IsImmutable() bool { return n.get(keyMutability) == "immutable" }

// StorageLocation returns "default", "storage", "memory", "calldata" or
// "transient" for a variable.
func (n *Node) StorageLocation() string { return n.get(keyStorageLocation) }

// Parameters returns the parameters of a function, modifier, event, error or
// catch clause.
func (n *Node) Parameters() []*Node { return n.Child("parameters").List("parameters") }

// Returns returns the return parameters of a function. The first clause of a try
// statement has its return parameters in Parameters.
func (n *Node) Returns() []*Node { return n.Child("returnParameters").List("parameters") }

// Operator returns the operator of an assignment, a unary or a binary
// operation: "+", "+=", "++", "delete".
func (n *Node) Operator() string { return n.get(keyOperator) }

// IsPrefix reports whether the operator of a unary operation precedes its
// operand.
func (n *Node) IsPrefix() bool { return n.is(keyPrefix) }

// TypeString returns solc's name for the type of an expression, variable or type
// name.
func (n *Node) TypeString() string { return n.get(keyTypeString) }

// TypeIdentifier returns solc's type identifier, which contains the ids of the
// declarations in the type.
func (n *Node) TypeIdentifier() string { return n.get(keyTypeIdentifier) }

// CommonType returns the type to which both operands of a binary operation are
// converted.
func (n *Node) CommonType() string { return n.get(keyCommonType) }

// Refers returns the id of the declaration that a name refers to. Builtins
// (require, msg, this) have negative ids, before 0.6 positive ones without a
// declaration. It is 0 if there is none, and in trees before 0.4.12.
func (n *Node) Refers() int {
	id, err := strconv.Atoi(n.get(keyReferenced))
	if err != nil {
		return 0
	}
	if id > 1<<31-1 { // before 0.6 negative ids are written unsigned
		id -= 1 << 32
	}
	return id
}

// Bases returns the ids of a contract and its bases, most derived first.
func (n *Node) Bases() []int {
	var ids []int
	for _, text := range n.Strings("linearizedBaseContracts") {
		if id, err := strconv.Atoi(text); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// Strings returns a list attribute, such as the "names" of a call with named
// arguments or the "literals" of a pragma.
func (n *Node) Strings(name string) []string {
	joined := n.Attr(name)
	if joined == "" {
		return nil
	}
	return strings.Split(joined, listMark)
}

// Text returns the documentation of a definition, without comment markers.
func (n *Node) Text() string {
	if d := n.Child("documentation"); d != nil {
		return d.get(keyText)
	}
	return n.get(keyText)
}

// Contract returns n or the enclosing contract, or nil.
func (n *Node) Contract() *Node { return n.Enclosing(ContractDefinition) }

// Function returns n or the enclosing function or modifier, or nil.
func (n *Node) Function() *Node { return n.Enclosing(FunctionDefinition, ModifierDefinition) }

// Statement returns n or the innermost enclosing statement, or nil.
func (n *Node) Statement() *Node {
	for ; n != nil; n = n.Parent {
		if n.IsStatement() {
			return n
		}
	}
	return nil
}

// NameSpan returns the span of a declaration's name, or of the keyword in its
// place: constructor, receive, fallback, and before 0.6 function. text is the
// source, because compilers before 0.8 do not give the position of names.
// Without a name, NameSpan returns the span of the node.
func (n *Node) NameSpan(text []byte) srcmap.Span {
	if s, err := srcmap.ParseSpan(n.get(keyNameLocation)); err == nil && s.Source >= 0 && s.Length > 0 {
		return s
	}
	from := n.Span.Start
	if t := n.Child("typeName"); t != nil && t.Span.Start >= from {
		from = t.Span.End()
	}
	words := []string{n.Name()}
	if n.Type == FunctionDefinition && (n.Name() == "" || n.Name() == n.Kind()) {
		words = []string{n.Kind(), "function"}
	}
	for _, word := range words {
		if at := wordIn(text, from, n.Span.End(), word); at >= 0 {
			return srcmap.Span{Source: n.Span.Source, Start: at, Length: len(word)}
		}
	}
	return n.Span
}

// wordIn returns the index of word as a separate word in text[from:to], or -1.
func wordIn(text []byte, from, to int, word string) int {
	to = min(to, len(text))
	for at := max(from, 0); word != "" && at+len(word) <= to; at++ {
		end := at + len(word)
		if string(text[at:end]) == word && (at == 0 || !isWord(text[at-1])) && (end == len(text) || !isWord(text[end])) {
			return at
		}
	}
	return -1
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
