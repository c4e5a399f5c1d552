package ast

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"leveret/solc/srcmap"
)

// slow reads the tree in a simple way: it describes every object with a nodeType
// by its id, type, span and the id of the closest enclosing node.
func slow(value any, parent string, lines map[string]int) {
	switch v := value.(type) {
	case []any:
		for _, e := range v {
			slow(e, parent, lines)
		}
	case map[string]any:
		kind, _ := v["nodeType"].(string)
		_, attributes := v["attributes"]
		_, children := v["children"]
		if kind == "" && v["id"] != nil && (attributes || children || v["name"] != nil) {
			kind, _ = v["name"].(string)
		}
		if kind != "" && v["src"] != nil {
			self := fmt.Sprintf("%v %s %v", v["id"], kind, v["src"])
			if v["id"] == nil {
				self = fmt.Sprintf("0 %s %v", kind, v["src"])
			}
			lines[self+" in "+parent]++
			parent = self
		}
		for name, member := range v {
			if name != "exportedSymbols" && name != "attributes" {
				slow(member, parent, lines)
			}
		}
	}
}

func line(n *Node) string {
	if n == nil || n.Type == SourceUnit && n.ID == 0 {
		return ""
	}
	return fmt.Sprintf("%d %s %d:%d:%d", n.ID, n.Type, n.Span.Start, n.Span.Length, n.Span.Source)
}

func TestReadEqualsSlowReader(t *testing.T) {
	goldens(t, func(t *testing.T, g golden, u *Unit) {
		decoder := json.NewDecoder(bytes.NewReader(g.tree()))
		decoder.UseNumber()
		var tree any
		if err := decoder.Decode(&tree); err != nil {
			t.Fatal(err)
		}
		want := map[string]int{}
		slow(tree, "", want)
		got, count := map[string]int{}, 0
		u.Root.Walk(func(n *Node) bool {
			count++
			if line(n) != "" {
				got[line(n)+" in "+line(n.Parent)]++
			}
			return true
		})
		for l, n := range want {
			if got[l] != n {
				t.Errorf("read %d times, want %d: %s", got[l], n, l)
			}
		}
		for l := range got {
			if want[l] == 0 {
				t.Errorf("not in the JSON: %s", l)
			}
		}
		if count != u.Count() || count < 100 {
			t.Errorf("got %d nodes, Count returns %d", count, u.Count())
		}
	})
}

func TestChildrenInSourceOrderWithRoles(t *testing.T) {
	goldens(t, func(t *testing.T, g golden, u *Unit) {
		u.Root.Walk(func(n *Node) bool {
			for i, c := range n.Children {
				if c.Parent != n {
					t.Errorf("%s: %s has parent %s", line(n), line(c), line(c.Parent))
				}
				if i > 0 && c.Span.Start < n.Children[i-1].Span.Start {
					t.Errorf("%s: %s is not in source order", line(n), line(c))
				}
				if c.Role == "" {
					t.Errorf("%s: %s has no role", line(n), line(c))
				}
			}
			return true
		})
	})
}

func TestReadErrors(t *testing.T) {
	for _, input := range []string{
		"", "null", "[]", "{}", `{"nodeType":"Block","src":"0:1:0"}`, `{"nodeType":"SourceUnit","src":7}`,
		`{"nodeType":"SourceUnit","src":"x"}`, `{"nodeType":"SourceUnit"`, `{"nodeType":"SourceUnit"}}`,
		`{"nodeType":"SourceUnit","id":"x"}`, `{"nodeType":"SourceUnit" "id":1}`,
		strings.Repeat(`{"a":`, maxDepth+1) + "1" + strings.Repeat("}", maxDepth+1),
	} {
		if u, err := Read([]byte(input)); err == nil {
			t.Errorf("%.60s: accepted as %v", input, line(u.Root))
		}
	}
}

func FuzzRead(f *testing.F) {
	// The inputs are small because the fuzzer is slow with real trees.
	f.Add([]byte(`{"absolutePath":"a.sol","id":9,"nodeType":"SourceUnit","src":"0:90:0","nodes":[{"contractKind":"contract","id":8,
"linearizedBaseContracts":[8],"name":"A","nodeType":"ContractDefinition","src":"0:90:0","nodes":[{"id":7,"kind":"function","name":"f",
"nodeType":"FunctionDefinition","src":"10:70:0","visibility":"public","documentation":{"id":1,"nodeType":"StructuredDocumentation","src":"2:4:0","text":"x"},
"parameters":{"id":2,"nodeType":"ParameterList","src":"11:9:0","parameters":[{"id":3,"name":"x","nodeType":"VariableDeclaration","src":"12:7:0",
"typeDescriptions":{"typeString":"uint8[2] memory"},"typeName":{"id":4,"nodeType":"ArrayTypeName","src":"12:5:0","typeDescriptions":{"typeString":"uint8[2]"},
"baseType":{"id":5,"name":"uint8","nodeType":"ElementaryTypeName","src":"12:4:0"}}}]},"body":{"id":6,"nodeType":"UncheckedBlock","src":"20:50:0","statements":[
{"id":20,"nodeType":"ExpressionStatement","src":"21:9:0","expression":{"id":21,"kind":"functionCall","nodeType":"FunctionCall","src":"21:9:0","arguments":[null,
{"id":22,"nodeType":"Literal","kind":"number","src":"25:2:0","value":"0.5","subdenomination":"ether"}],"expression":{"id":23,"memberName":"send","nodeType":"MemberAccess",
"src":"21:3:0","expression":{"id":24,"name":"\u0061","nodeType":"Identifier","referencedDeclaration":3,"src":"21:1:0","typeDescriptions":{"typeString":"address"}}}}},
{"AST":{"nodeType":"YulBlock","src":"40:9:0","statements":[{"name":"b","nodeType":"YulIdentifier","src":"41:1:0"}]},"externalReferences":[{"declaration":3,"src":"41:1:0"}],
"id":30,"nodeType":"InlineAssembly","src":"39:11:0"}]}}]}]}`))
	f.Add([]byte(`{"children":[{"attributes":{"isLibrary":true,"linearizedBaseContracts":[2],"name":"L"},"children":[{"attributes":{"constant":true,"name":"f","visibility":"public"},
"children":[{"id":3,"name":"ParameterList","src":"1:2:0"},{"id":4,"name":"ParameterList","src":"3:2:0"},{"children":[{"children":[{"attributes":{"operator":"+","type":"uint8"},
"children":[{"attributes":{"type":"uint8","value":"a"},"id":5,"name":"Identifier","src":"6:1:0"}],"id":6,"name":"BinaryOperation","src":"6:3:0"}],"id":7,"name":"ForStatement",
"src":"6:5:0"}],"id":8,"name":"Block","src":"5:9:0"}],"id":9,"name":"FunctionDefinition","src":"1:20:0"}],"id":2,"name":"ContractDefinition","src":"0:30:0"}],"name":"SourceUnit"}`))
	f.Add([]byte(`{"nodeType":"SourceUnit","src":"0:1:0","nodes":[{"nodeType":"Literal","src":"0:1:0","value":"\u0041"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		u, err := Read(data)
		if err != nil {
			return
		}
		again, err := Read(data)
		if err != nil || again.Count() != u.Count() {
			t.Fatalf("second read: %v", err)
		}
		x := NewIndex(u)
		u.Touched(srcmap.Span{Source: u.Source(), Start: 3, Length: 9})
		u.At(5)
		u.Root.Walk(func(n *Node) bool {
			if n.Type == "" {
				t.Errorf("node without a type: %v", n)
			}
			askAll(x, n, data)
			return true
		})
	})
}

// askAll calls every query of a node. The tree may be one that no compiler
// produces.
func askAll(x *Index, n *Node, text []byte) {
	n.Kind()
	n.NameSpan(text)
	n.StateMutability()
	n.IsStateVariable()
	n.Statement()
	n.Statements()
	n.constant()
	n.LowLevel()
	n.IsBuiltin("assert")
	n.UsesResult(0)
	n.InUnchecked()
	n.Bare()
	x.Signature(n)
	x.Selector(n)
	x.Underlying(n)
	x.Functions(n, true)
	x.StateVariables(n)
	x.Modifiers(n)
	if n.Type == FunctionCall {
		x.Called(n)
	}
}
