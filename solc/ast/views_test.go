package ast

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// definition returns the only node with a type and a name.
func definition(t testing.TB, u *Unit, kind, name string) *Node {
	t.Helper()
	for _, n := range u.Root.Find(kind) {
		if n.Name() == name {
			return n
		}
	}
	t.Fatalf("no %s %s", kind, name)
	return nil
}

// The text at each span starts as the type of the node requires.
func TestSpansPointAtTheirText(t *testing.T) {
	starts := map[string][]string{
		ContractDefinition: {"contract ", "abstract ", "library ", "interface "},
		FunctionDefinition: {"function", "constructor", "receive", "fallback"},
		ModifierDefinition: {"modifier"}, IfStatement: {"if"}, ForStatement: {"for"}, WhileStatement: {"while"},
		DoWhileStatement: {"do"}, Return: {"return"}, EmitStatement: {"emit"}, RevertStatement: {"revert"},
		UncheckedBlock: {"unchecked"}, InlineAssembly: {"assembly"}, TryStatement: {"try"},
	}
	goldens(t, func(t *testing.T, g golden, u *Unit) {
		u.Root.Walk(func(n *Node) bool {
			text := g.Text[n.Span.Start:n.Span.End()]
			want, listed := starts[n.Type]
			if listed && !slices.ContainsFunc(want, func(s string) bool { return strings.HasPrefix(text, s) }) {
				t.Errorf("%s is %q", line(n), text)
			}
			if n.Type == Identifier && text != n.Name() {
				t.Errorf("%s named %s is %q", line(n), n.Name(), text)
			}
			if (n.Type == BinaryOperation || n.Type == Assignment) && !strings.Contains(text, n.Operator()) {
				t.Errorf("%s with %s is %q", line(n), n.Operator(), text)
			}
			return true
		})
	})
}

func TestNameSpan(t *testing.T) {
	goldens(t, func(t *testing.T, g golden, u *Unit) {
		for _, n := range u.Root.Find(ContractDefinition, FunctionDefinition, ModifierDefinition, EventDefinition, ErrorDefinition, StructDefinition, VariableDeclaration) {
			s := n.NameSpan([]byte(g.Text))
			got := g.Text[s.Start:s.End()]
			if want := n.Name(); want != "" && got != want {
				t.Errorf("%s: name span is %q, want %q", line(n), got, want)
			}
			if n.Type == FunctionDefinition && n.Name() == "" && got != n.Kind() && got != "function" {
				t.Errorf("%s: %s has name span %q", line(n), n.Kind(), got)
			}
		}
	})
}

func TestContractsAndFunctions(t *testing.T) {
	goldens(t, func(t *testing.T, g golden, u *Unit) {
		x := NewIndex(u, nil)
		tour, base := definition(t, u, ContractDefinition, "Tour"), definition(t, u, ContractDefinition, "Base")
		if got := x.Contracts(tour); len(got) != 2 || got[0] != tour || got[1] != base {
			t.Errorf("bases: %v", got)
		}
		if tour.Kind() != "contract" || definition(t, u, ContractDefinition, "Maths").Kind() != "library" || tour.Abstract() {
			t.Errorf("wrong kinds")
		}
		if got, want := base.Abstract(), strings.Contains(g.Text, "abstract contract Base"); got != want {
			t.Errorf("Base: Abstract() = %v", got)
		}
		kinds := map[string]int{}
		for _, f := range x.Functions(tour, false) {
			kinds[f.Kind()+" "+f.Contract().Name()+"."+f.Name()]++
		}
		inherited := "function Base.inherited"
		if strings.Contains(g.Text, "override") {
			inherited = "function Tour.inherited"
		}
		for _, want := range []string{"function Tour.pay", "fallback Tour.", inherited} {
			if kinds[want] != 1 {
				t.Errorf("got %d %s in %v", kinds[want], want, kinds)
			}
		}
		if kinds["constructor Base."]+kinds["constructor Base.Base"] != 1 {
			t.Errorf("the constructor of Base is missing from %v", kinds)
		}
		pay := definition(t, u, FunctionDefinition, "pay")
		if len(pay.Parameters()) != 2 || len(pay.Returns()) != 1 || pay.StateMutability() != "payable" || len(pay.List("modifiers")) != 1 || pay.Child("body") == nil {
			t.Errorf("wrong attributes of pay")
		}
		if m := x.Modifiers(tour); len(m) != 1 || m[0].Name() != "only" {
			t.Errorf("modifiers: %v", m)
		}
		variables := x.StateVariables(tour)
		if variables[0].Name() != "owner" || !variables[1].IsStateVariable() || !variables[1].IsConstant() || variables[2].IsConstant() {
			t.Errorf("state variables: %v", variables)
		}
	})
}

// Signatures and selectors equal those of the compiler.
func TestSignaturesEqualMethodIdentifiers(t *testing.T) {
	goldens(t, func(t *testing.T, g golden, u *Unit) {
		x := NewIndex(u)
		if u.Path() == "" {
			t.Skip("trees before 0.4.12 do not say what type names refer to")
		}
		for _, contracts := range g.Contracts {
			for name, compiled := range contracts {
				contract := definition(t, u, ContractDefinition, name)
				if contract.Kind() == "library" {
					continue
				}
				got := map[string]string{}
				for _, c := range x.Contracts(contract) {
					for _, n := range c.List("nodes") {
						signature, ok := x.Signature(n)
						if selector, external := x.Selector(n); ok && external {
							got[signature] = selector
							n.attrs = slices.DeleteFunc(slices.Clone(n.attrs), func(a attr) bool { return a.key == keyFunctionSelector })
							if own, _ := x.Selector(n); own != selector {
								t.Errorf("selector of %s: got %s, computed %s", signature, selector, own)
							}
						}
					}
				}
				if !maps.Equal(got, compiled.EVM.MethodIdentifiers) {
					t.Errorf("%s: got %v, want %v", name, got, compiled.EVM.MethodIdentifiers)
				}
			}
		}
	})
}

func TestCalls(t *testing.T) {
	goldens(t, func(t *testing.T, g golden, u *Unit) {
		x, pay := NewIndex(u), definition(t, u, FunctionDefinition, "pay")
		if got := u.Root.Builtins("assert"); len(got) != 1 || got[0].Function() != pay {
			t.Errorf("asserts: %v", got)
		}
		if got := u.Root.Builtins("require"); len(got) < 1 || got[0].Function().Name() != "only" {
			t.Errorf("requires: %v", got)
		}
		if u.Path() != "" {
			if got := x.Emits(pay); len(got) != 1 || x.Called(got[0]).Name() != "Moved" {
				t.Errorf("emits: %v", got)
			}
		}
		var got []string
		for _, call := range pay.Find(FunctionCall) {
			if kind := call.LowLevel(); kind != "" {
				got = append(got, fmt.Sprint(kind, " ", call.UsesResult(0)))
			}
		}
		want := []string{"call true", "call false", "send true"}
		if strings.Contains(g.Text, "throw") {
			want = []string{"call false", "send true"}
		}
		if !slices.Equal(got, want) {
			t.Errorf("calls: got %v, want %v", got, want)
		}
	})
}
