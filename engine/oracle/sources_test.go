package oracle

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/solc"
	"leveret/solc/ast"
	"leveret/solc/compiler"
	projects "leveret/solc/project"
	"leveret/solc/solctest"
	"leveret/solc/srcmap"
)

// A compiled is a code of a labelled contract with its source.
type compiled struct {
	name  string
	build *solc.Build
	code  *evm.Code
	pcs   *srcmap.Instructions
}

// toolchain returns the compilers of the tests.
func toolchain(t *testing.T) *compiler.Toolchain {
	t.Helper()
	tools := compiler.NewToolchain(compiler.Env{Path: os.Getenv("PATH"), ToolDirs: []string{solctest.Tools(t)}, CacheDir: solctest.Cache(t)})
	t.Cleanup(func() { tools.Close() })
	return tools
}

// compile compiles a file with the settings of its project.
func compile(t *testing.T, tools *compiler.Toolchain, file string) *solc.Build {
	t.Helper()
	p, err := projects.Open(tools, file)
	if err != nil {
		t.Fatal(err)
	}
	b, err := p.Compile(t.Context(), []string{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// labelled compiles all contracts for the oracles, and those with unchecked
// arithmetic via IR too.
func labelled(t *testing.T) (list []compiled) {
	t.Helper()
	tools := toolchain(t)
	codes := evm.NewCodes()
	add := func(file string) {
		b := compile(t, tools, file)
		for _, c := range b.Contracts {
			if code := codes.Runtime(c.Runtime.Object); code != nil {
				list = append(list, compiled{c.Name, b, code, srcmap.NewInstructions(code.Bytes, c.Runtime.Map)})
			}
		}
	}
	root := t.TempDir()
	yul := "[profile.default]\nsrc = \".\"\noptimizer = true\nvia_ir = true\n"
	if err := os.WriteFile(filepath.Join(root, "foundry.toml"), []byte(yul), 0o600); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/*/*.sol")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		add(file)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(filepath.Dir(file)) == Overflow.Name && strings.Contains(string(text), "pragma solidity ^0.8") {
			copied := filepath.Join(root, filepath.Base(file))
			if err := os.WriteFile(copied, text, 0o600); err != nil {
				t.Fatal(err)
			}
			add(copied)
		}
	}
	return list
}

// walk finds the smallest node of an instruction in the tree.
func (c *compiled) walk(site Site) (b Blame, ok bool) {
	entry, ok := c.pcs.PCEntry(int(site.PC))
	if !ok || entry.Source < 0 || entry.Source >= len(c.build.Sources) || c.build.Sources[entry.Source] == nil {
		return b, false
	}
	c.build.Sources[entry.Source].Unit.Root.Walk(func(m *ast.Node) bool {
		if m.Span.Contains(entry.Span) {
			b.Node, b.Whole = m, m.Span == entry.Span
		}
		return m.Span.Contains(entry.Span)
	})
	b.Wraps = !strings.HasPrefix(c.build.Version, "0.8.")
	return b, b.Node != nil
}

func (c *compiled) text(n *ast.Node) string {
	source := c.build.SpanSource(n.Span)
	return string(source.Text[n.Span.Start:n.Span.End()])
}

// The answers about each instruction of the labelled contracts equal a walk over
// the syntax tree.
func TestSourcesEqualWalks(t *testing.T) {
	instructions, unmapped, operations, below := 0, 0, 0, 0
	for _, c := range labelled(t) {
		s := NewSources(c.walk, c.text, c.build.Trees)
		nodes := map[*ast.Node]bool{}
		for pc := range uint64(len(c.code.Bytes)) {
			instructions++
			site := Site{c.code, pc}
			want, mapped := c.walk(site)
			does, operates := OperationAt(want, c.code.Bytes[pc])
			for range 2 { // the second answer is remembered
				if got := *s.At(site); got != (Instruction{want, mapped, operates, does}) {
					t.Fatalf("%s, pc %d: %+v, not %+v with %+v", c.name, pc, got, want, does)
				}
			}
			if mapped {
				nodes[want.Node] = true
			} else {
				unmapped++
			}
			if operates {
				operations++
			}
		}
		for n := range nodes {
			below += compareNode(t, s, n)
		}
	}
	t.Logf("%d instructions, %d without a source, %d operations, %d conversions and checks", instructions, unmapped, operations, below)
	if unmapped == 0 || operations == 0 || below == 0 {
		t.Error("too little was compared")
	}
}

// compareNode compares the answers about what is below a node with walks, and
// returns how many conversions and checks there are.
func compareNode(t *testing.T, s *Sources, n *ast.Node) (count int) {
	t.Helper()
	for bits := 8; bits < 256; bits += 8 {
		compare := func(fits func(*ast.Node) bool) {
			got := only(s.conversionsAt(n), bits, func(c *conversion) bool { return fits(c.node) })
			if want := walkConversions(bits, n, fits); got != want {
				t.Fatalf("conversion to %d bits at %s: %v, not %v", bits, s.text(n), got, want)
			}
		}
		compare(func(*ast.Node) bool { return true })
		walkConversions(bits, n, func(c *ast.Node) bool {
			count++
			compare(func(other *ast.Node) bool { return other != c })
			return true
		})
	}
	if got := s.MayCut(&Instruction{Blame: Blame{Node: n}}, bytecode.AND); got != (count > 0) {
		t.Fatalf("%s may cut: %v, but has %d conversions", s.text(n), got, count)
	}
	for _, c := range s.conversionsAt(n) {
		if c.stored != stored(c.node.Arguments()[0]) {
			t.Fatalf("%s converts a stored variable: %v", s.text(c.node), c.stored)
		}
		for name, kind := range globals {
			named := false
			for _, m := range c.node.Find(ast.MemberAccess, ast.Identifier) {
				named = named || globals[s.text(m)] == kind
			}
			if reads := strings.Contains(string(kindBytes(c)), string([]byte{byte(kind)})); reads != named {
				t.Fatalf("%s reads %s: %v", s.text(c.node), name, reads)
			}
		}
	}
	for _, code := range []uint64{panicAssert, panicArithmetic, panicDivision, panicEnum, panicPop, panicBounds, panicUnknown} {
		got := s.hasCheck(n, code)
		if got != contains(n, fails(code)) || s.checked(n.Function(), code) != cmp.Or(sole([]*ast.Node{n.Function()}, fails(code)), n.Function()) {
			t.Fatalf("the checks for %#x in %s differ", code, s.text(n))
		}
		if got {
			count++
		}
	}
	return count
}

func kindBytes(c conversion) (list []byte) {
	for _, kind := range c.reads {
		list = append(list, byte(kind))
	}
	return list
}

// walkConversions finds the only conversion with a width that fits, by a walk for
// each question.
func walkConversions(bits int, n *ast.Node, fits func(*ast.Node) bool) (found *ast.Node) {
	if n.Type == ast.FunctionDefinition {
		returns := n.Find(ast.Return)
		if len(returns) != 1 {
			return nil
		}
		n = returns[0]
	}
	if n.InAssembly() {
		return nil
	}
	several := false
	take := func(c *ast.Node) {
		if c != nil && c != found && fits(c) {
			several = several || found != nil
			found = c
		}
	}
	for _, call := range n.Find(ast.FunctionCall) {
		if narrows(call, bits) {
			take(call)
		}
	}
	for _, id := range n.Find(ast.Identifier) {
		if t := id.ValueType(); t.Integer() && t.Bits == bits {
			take(conversionOf(id.Refers(), id.Function(), func(v *ast.Node) bool { return narrows(v, bits) }))
		}
	}
	if several {
		return nil
	}
	return found
}

// Several goroutines get the same answers.
func TestSourcesAreSafeForConcurrentUse(t *testing.T) {
	for _, c := range labelled(t)[:3] {
		s := NewSources(c.walk, c.text, c.build.Trees)
		var wait sync.WaitGroup
		answers := make([][]Instruction, 4)
		for g := range answers {
			wait.Go(func() {
				for pc := range uint64(len(c.code.Bytes)) {
					at := s.At(Site{c.code, pc})
					s.MayCut(at, bytecode.AND)
					answers[g] = append(answers[g], *at)
				}
			})
		}
		wait.Wait()
		for g := range answers {
			for pc := range answers[g] {
				if answers[g][pc] != answers[0][pc] {
					t.Fatalf("pc %d: %+v and %+v", pc, answers[0][pc], answers[g][pc])
				}
			}
		}
	}
}

// Code beyond the limit of interned codes is not remembered: many codes have its
// ID.
func TestSourcesOfOverflowingCodes(t *testing.T) {
	asked := 0
	s := NewSources(func(Site) (Blame, bool) { asked++; return Blame{}, true }, nil, nil)
	for _, row := range []struct{ id, asked int }{{evm.Overflow, 3}, {1, 4}} {
		code := &evm.Code{ID: row.id, Bytes: []byte{1, 2}}
		for range 3 {
			if at := s.At(Site{code, 1}); !at.Mapped {
				t.Error("not mapped")
			}
		}
		if asked != row.asked {
			t.Errorf("asked %d times, not %d", asked, row.asked)
		}
	}
}
