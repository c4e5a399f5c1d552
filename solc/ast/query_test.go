package ast

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"leveret/solc/srcmap"
)

// spanOf returns the first occurrence of part in text.
func spanOf(t testing.TB, u *Unit, text, part string) srcmap.Span {
	t.Helper()
	at := strings.Index(text, part)
	if at < 0 {
		t.Fatalf("no %q in the source", part)
	}
	return srcmap.Span{Source: u.Source(), Start: at, Length: len(part)}
}

// TestQueriesEqualSearch compares At, Innermost and Exact with a search of the
// whole tree.
func TestQueriesEqualSearch(t *testing.T) {
	goldens(t, func(t *testing.T, g golden, u *Unit) {
		var all []*Node
		u.Root.Walk(func(n *Node) bool { all = append(all, n); return true })
		for offset := u.Root.Span.Start; offset < len(g.Text); offset++ {
			smallest := -1
			for _, n := range all {
				if n.Span.Start <= offset && offset < n.Span.End() && (smallest < 0 || n.Span.Length < smallest) {
					smallest = n.Span.Length
				}
			}
			got := -1
			if n := u.At(offset); n != nil {
				got = n.Span.Length
			}
			if got != smallest {
				t.Errorf("node at %d has %d bytes, want %d: %.20q", offset, got, smallest, g.Text[offset:])
			}
		}
		for _, n := range all {
			if n.Span.Length > 0 && !slices.Contains(u.Exact(n.Span), n) {
				t.Errorf("Exact does not find %s", line(n))
			}
			if n.Span.Length > 0 && u.Innermost(n.Span, n.Type) == nil {
				t.Errorf("Innermost does not find %s", line(n))
			}
		}
	})
}

func TestTypesOfArithmetic(t *testing.T) {
	u, text := unit(t, "new-0.8.30")
	x := NewIndex(u)
	for _, row := range []struct {
		part      string
		bits      int
		signed    bool
		unchecked bool
	}{
		{"x * 2", 8, false, false}, {"small + 1", 8, false, false}, {"small - 1", 8, false, true},
		{"a - b", 256, false, true}, {"x + x", 256, false, false}, {"-int256(1)", 256, true, false},
		{"b + 1", 8, false, true}, {"Price.unwrap(price) + 1", 64, false, false},
	} {
		span := spanOf(t, u, text, row.part)
		n := x.Innermost(span, BinaryOperation, UnaryOperation)
		if n == nil || n.Span != span {
			t.Errorf("no operation %q", row.part)
			continue
		}
		if got := n.ValueType(); !got.Integer() || got.Bits != row.bits || got.Signed() != row.signed || n.InUnchecked() != row.unchecked {
			t.Errorf("%q has type %+v, unchecked %v", row.part, got, n.InUnchecked())
		}
	}
	price := definition(t, u, VariableDeclaration, "price")
	if got := x.Underlying(price); got.Kind != TypeUint || got.Bits != 64 || price.ValueType().Name != "Price" {
		t.Errorf("underlying type of price: %+v", got)
	}
}

func TestStatementsLeaveOutBlocks(t *testing.T) {
	goldens(t, func(t *testing.T, g golden, u *Unit) {
		seen := map[string]int{}
		for _, s := range definition(t, u, FunctionDefinition, "pay").Statements() {
			seen[s.Type]++
		}
		for _, want := range []string{IfStatement, ForStatement, WhileStatement, DoWhileStatement, Continue, Break, Return, InlineAssembly, VariableDeclarationStatement} {
			if seen[want] == 0 {
				t.Errorf("%s is missing from %v", want, seen)
			}
		}
		if seen[Block]+seen[YulBlock]+seen[UncheckedBlock] > 0 {
			t.Errorf("statements include blocks: %v", seen)
		}
	})
}

func TestConstants(t *testing.T) {
	u, _ := unit(t, "new-0.8.30")
	numbers, texts, addresses := map[string]bool{}, map[string]bool{}, 0
	for _, c := range u.Root.Constants() {
		if c.Number != nil {
			numbers[c.Number.String()] = true
		} else {
			texts[string(c.Text)] = true
		}
		if c.Address {
			addresses++
		}
	}
	for _, want := range []string{"3000000000000000000", "42", "200", "2000000000", "2", "5000"} {
		if !numbers[want] {
			t.Errorf("%s is missing from %v", want, numbers)
		}
	}
	for _, want := range []string{"not owner", "\x00\xff", "é", "abc", "x"} {
		if !texts[want] {
			t.Errorf("%q is missing from %v", want, texts)
		}
	}
	if addresses != 1 {
		t.Errorf("got %d addresses", addresses)
	}
}

func TestNumber(t *testing.T) {
	for _, row := range []struct{ text, unit, want string }{
		{"1", "", "1"}, {"007", "", "7"}, {"1_000", "", "1000"}, {"0x2A", "", "42"}, {"1e18", "", "1000000000000000000"},
		{"0.5", "ether", "500000000000000000"}, {"25e-1", "gwei", "2500000000"}, {".5", "days", "43200"}, {"0", "", "0"}, {"0e5", "", "0"},
		{"2", "years", "63072000"}, {"1.5", "", ""}, {"1e99999999", "", ""}, {"1", "parsec", ""}, {"", "", ""}, {"1/2", "", ""}, {"0x", "", ""},
		{"1e78", "", ""},
	} {
		got := number(row.text, row.unit)
		want, ok := new(big.Int).SetString(row.want, 10)
		if (got != nil) != ok || ok && got.Cmp(want) != 0 {
			t.Errorf("%q %s: got %v, want %s", row.text, row.unit, got, row.want)
		}
	}
}

func TestAssemblyRefersOutside(t *testing.T) {
	u, _ := unit(t, "new-0.8.30")
	for _, id := range u.Root.Find(YulIdentifier) {
		if id.Name() == "codes.slot" {
			if d := NewIndex(u).Referenced(id); d == nil || d.Name() != "codes" || !id.InAssembly() {
				t.Errorf("codes.slot refers to %v", d)
			}
			return
		}
	}
	t.Error("no codes.slot")
}
