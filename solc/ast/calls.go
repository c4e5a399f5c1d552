package ast

import "strings"

// IsBuiltin reports whether a call calls a builtin function with one of the
// given names, such as "assert", "require", "revert" or "selfdestruct".
func (n *Node) IsBuiltin(names ...string) bool {
	if n.Type != FunctionCall {
		return false
	}
	callee := n.Callee()
	// Ids do not identify builtins: before 0.6 theirs are positive.
	if callee == nil || callee.Type != Identifier || strings.HasPrefix(callee.TypeIdentifier(), "t_function_internal_") {
		return false
	}
	for _, name := range names {
		if callee.Name() == name {
			return true
		}
	}
	return false
}

// IsSender reports whether an expression is the sender of a call: msg.sender, or
// OpenZeppelin's _msgSender().
func (n *Node) IsSender() bool {
	n = n.Bare()
	if n.Type == FunctionCall {
		callee := n.Callee()
		return callee != nil && callee.Name() == "_msgSender" && len(n.Arguments()) == 0
	}
	return n.Type == MemberAccess && n.Name() == "sender" && n.Child("expression").Name() == "msg"
}

// Builtins returns the calls below n that satisfy IsBuiltin.
func (n *Node) Builtins(names ...string) []*Node {
	var calls []*Node
	for _, call := range n.Find(FunctionCall) {
		if call.IsBuiltin(names...) {
			calls = append(calls, call)
		}
	}
	return calls
}

// Called returns the function, event, error or struct that a call names; nil for
// builtins and for targets known only at run time. For a virtual function it
// returns the statically named declaration.
func (x *Index) Called(call *Node) *Node { return x.Referenced(call.Callee()) }

// Emits returns the calls below n that emit an event, with the keyword emit or,
// before 0.4.21, without.
func (x *Index) Emits(n *Node) []*Node {
	var calls []*Node
	for _, call := range n.Find(FunctionCall) {
		if call.Parent.Type == EmitStatement {
			calls = append(calls, call)
		} else if d := x.Called(call); d != nil && d.Type == EventDefinition {
			calls = append(calls, call)
		}
	}
	return calls
}

// lowLevel lists the members of an address that make calls.
var lowLevel = map[string]bool{
	"call": true, "delegatecall": true, "callcode": true, "staticcall": true, "send": true, "transfer": true,
}

// LowLevel returns the member of an address that a call uses: "call", "send",
// "transfer", "delegatecall", "callcode" or "staticcall"; "" for other calls.
func (n *Node) LowLevel() string {
	if n.Type != FunctionCall {
		return ""
	}
	callee := n.Callee()
	if callee == nil || callee.Type != MemberAccess || !lowLevel[callee.Name()] || callee.Refers() > 0 {
		return ""
	}
	of := callee.Child("expression")
	if of == nil {
		return ""
	}
	kind := of.ValueType().Kind
	// Before 0.5 contracts have the members of addresses.
	if kind == TypeAddress || kind == TypeContract && strings.HasPrefix(of.TypeString(), "contract") {
		return callee.Name()
	}
	return ""
}
