package ast

import (
	"strconv"
	"strings"

	"leveret/solc/srcmap"
)

// Name returns what the node declares or refers to: the name of a definition,
// variable or identifier, the member of a MemberAccess. Constructors, receive
// and fallback functions have none, but for constructors before 0.5.
func (n *Node) Name() string {
	if n.Type == MemberAccess {
		return n.get(keyMemberName)
	}
	return n.get(keyName)
}

// kindsByType are the attributes that hold a node's kind where it is not
// "kind".
var kindsByType = map[string]key{ContractDefinition: keyContractKind}

// Kind returns what sort of its type a node is: a contract is "contract",
// "interface" or "library"; a function is "function", "constructor",
// "receive", "fallback" or "freeFunction"; a call is "functionCall",
// "typeConversion" or "structConstructorCall"; a literal is "number", "bool",
// "string", "hexString" or "unicodeString".
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

// functionKind works the kind out where the compiler, before 0.5, does not
// say it.
func (n *Node) functionKind() string {
	switch c := n.Contract(); {
	case n.is(keyIsConstructor), c != nil && n.Name() == c.Name():
		return "constructor"
	case n.Name() == "":
		return "fallback"
	}
	return "function"
}

// literalKind works the kind out where the compiler, before 0.4.12, does not
// say it.
func literalKind(typeString string) string {
	switch {
	case strings.HasPrefix(typeString, "literal_string"):
		return "string"
	case typeString == "bool":
		return "bool"
	}
	return "number"
}

// Abstract reports whether a contract cannot be deployed because it lacks
// something; interfaces are not meant. From 0.6 on it must say so itself.
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

// IsStateVariable reports whether n declares a variable of a contract,
// constant and immutable ones included.
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
// "transient" of a variable.
func (n *Node) StorageLocation() string { return n.get(keyStorageLocation) }

// Parameters returns the parameters of a function, modifier, event, error or
// catch clause.
func (n *Node) Parameters() []*Node { return n.Child("parameters").List("parameters") }

// Returns returns the return parameters of a function; of a try statement's
// first clause, Parameters does.
func (n *Node) Returns() []*Node { return n.Child("returnParameters").List("parameters") }

// Operator returns the operator of an assignment, a unary or a binary
// operation: "+", "+=", "++", "delete".
func (n *Node) Operator() string { return n.get(keyOperator) }

// IsPrefix reports whether the operator of a unary operation stands before
// its operand.
func (n *Node) IsPrefix() bool { return n.is(keyPrefix) }

// TypeString returns the type of an expression, variable or type name as
// solc writes it.
func (n *Node) TypeString() string { return n.get(keyTypeString) }

// TypeIdentifier returns the type as solc identifies it; it holds the ids of
// the declarations that the type is made of.
func (n *Node) TypeIdentifier() string { return n.get(keyTypeIdentifier) }

// CommonType returns the type that both operands of a binary operation are
// brought to; in it the operation is done.
func (n *Node) CommonType() string { return n.get(keyCommonType) }

// Refers returns the id of the declaration that a name stands for; negative
// for what the language declares (require, msg, this), which before 0.6 has
// positive ones that nothing declares; 0 if there is none or the compiler,
// before 0.4.12, does not tell.
func (n *Node) Refers() int {
	id, err := strconv.Atoi(n.get(keyReferenced))
	if err != nil {
		return 0
	}
	if id > 1<<31-1 { // negative ones are written unsigned before 0.6
		id -= 1 << 32
	}
	return id
}

// Bases returns the ids of a contract and all it inherits from, most derived
// first.
func (n *Node) Bases() []int {
	var ids []int
	for _, text := range n.Strings("linearizedBaseContracts") {
		if id, err := strconv.Atoi(text); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// Strings returns an attribute that is a list, such as the "names" of a call
// with named arguments or the "literals" of a pragma.
func (n *Node) Strings(name string) []string {
	joined := n.Attr(name)
	if joined == "" {
		return nil
	}
	return strings.Split(joined, listMark)
}

// Text returns the documentation of a definition, without comment signs.
func (n *Node) Text() string {
	if d := n.Child("documentation"); d != nil {
		return d.get(keyText)
	}
	return n.get(keyText)
}

// Contract returns the contract that n is or lies in; nil outside of any.
func (n *Node) Contract() *Node { return n.Enclosing(ContractDefinition) }

// Function returns the function or modifier that n is or lies in; nil
// outside of any.
func (n *Node) Function() *Node { return n.Enclosing(FunctionDefinition, ModifierDefinition) }

// Statement returns the innermost statement that n is or lies in; nil outside
// of any.
func (n *Node) Statement() *Node {
	for ; n != nil; n = n.Parent {
		if n.IsStatement() {
			return n
		}
	}
	return nil
}

// NameSpan returns the span of a declaration's name, or of the keyword that
// stands for it: constructor, receive, fallback, and before 0.6 function. text
// is the source: compilers before 0.8 do not give the position of names. If
// there is no name, NameSpan returns the span of the node.
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

// wordIn returns where word stands alone in text[from:to]; -1 if it does not.
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
