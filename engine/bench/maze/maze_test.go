package maze

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// seeds are the seeds of the mazes in tests of the generator alone.
const seeds = 8

// eachMaze calls f with mazes of all sizes.
func eachMaze(t *testing.T, f func(t *testing.T, size Size, seed uint64, m *Maze)) {
	for _, name := range SizeNames() {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(seeds) {
				f(t, Sizes[name], seed, New(seed, Sizes[name]))
			}
		})
	}
}

// One seed gives one maze, and another seed another.
func TestDeterminism(t *testing.T) {
	eachMaze(t, func(t *testing.T, size Size, seed uint64, m *Maze) {
		again, other := New(seed, size), New(seed+1, size)
		text, lines := m.Source(Style{Contract: "Maze"})
		textAgain, linesAgain := again.Source(Style{Contract: "Maze"})
		if text != textAgain || !slices.Equal(lines, linesAgain) || !reflect.DeepEqual(m.Witnesses, again.Witnesses) {
			t.Errorf("seed %d gives two mazes", seed)
		}
		if differs, _ := other.Source(Style{Contract: "Maze"}); differs == text {
			t.Errorf("seeds %d and %d give the same maze", seed, seed+1)
		}
	})
}

// Each witness fails its own assertion, and only its last call fails one. Some
// assertions need other storage than the initial one.
func TestWitnesses(t *testing.T) {
	eachMaze(t, func(t *testing.T, size Size, seed uint64, m *Maze) {
		if len(m.Witnesses) < size.Assertions {
			t.Errorf("seed %d: %d assertions, want %d", seed, len(m.Witnesses), size.Assertions)
		}
		long := 0
		for id, calls := range m.Witnesses {
			for n := 1; n < len(calls); n++ {
				if got := m.Execute(calls[:n]); got != None {
					t.Errorf("seed %d: call %d for assertion %d fails assertion %d", seed, n, id, got)
				}
			}
			if got := m.Execute(calls); got != id {
				t.Errorf("seed %d: the witness of assertion %d fails %d", seed, id, got)
			}
			if len(calls) > 1 {
				long++
				if m.Execute(calls[len(calls)-1:]) == id {
					t.Logf("seed %d: assertion %d does not need the storage of its witness", seed, id)
				}
			}
		}
		if long == 0 {
			t.Errorf("seed %d: no assertion needs several transactions", seed)
		}
	})
}

// Execute reports a failure of the last call only, and undoes nothing but what
// fails.
func TestExecute(t *testing.T) {
	one := &expression{op: constant, value: 1}
	put := &node{end: end{kind: endWrite, write: write{variable: 0, value: one}}}
	fail := &node{end: end{kind: endAssertion, assertion: 7}}
	open := &condition{relation: equal, left: &expression{op: variable, value: 0}, right: one}
	m := &Maze{initial: []uint64{0}, functions: []*function{{body: put}, {body: &node{cond: open, then: fail, other: &node{}}}}}
	for _, row := range []struct {
		functions []int
		want      int
	}{{[]int{1}, None}, {[]int{0, 1}, 7}, {[]int{0, 1, 0}, None}, {[]int{0, 1, 1}, 7}, {nil, None}} {
		var calls []Call
		for _, f := range row.functions {
			calls = append(calls, Call{Function: f})
		}
		if got := m.Execute(calls); got != row.want {
			t.Errorf("functions %v fail assertion %d, want %d", row.functions, got, row.want)
		}
	}
}

// Expressions wrap as Solidity's unchecked arithmetic on 64 bits.
func TestExpressions(t *testing.T) {
	a, v := &expression{op: parameter}, &expression{op: variable}
	for _, row := range []struct {
		op   operator
		a, v uint64
		want uint64
		text string
	}{
		{add, 1<<64 - 1, 3, 2, "(a0 + v0)"},
		{sub, 3, 5, 1<<64 - 2, "(a0 - v0)"},
		{mul, 1 << 63, 6, 0, "(a0 * v0)"},
		{and, 12, 10, 8, "(a0 & v0)"},
		{xor, 12, 10, 6, "(a0 ^ v0)"},
		{mod, 17, 5, 2, "(a0 % v0)"},
	} {
		e := &expression{op: row.op, left: a, right: v}
		if got := e.eval([]uint64{row.a}, []uint64{row.v}); got != row.want || e.String() != row.text {
			t.Errorf("%s with %d and %d is %d, want %d", e, row.a, row.v, got, row.want)
		}
	}
}

// Each relation says what its symbol says.
func TestConditions(t *testing.T) {
	for r, want := range map[relation][3]bool{ // for 1 and 2, 2 and 2, 3 and 2
		equal: {false, true, false}, different: {true, false, true}, less: {true, false, false}, lessOrEqual: {true, true, false},
	} {
		c := &condition{relation: r, left: &expression{op: parameter}, right: &expression{op: constant, value: 2}}
		for i := range want {
			if got := c.holds([]uint64{uint64(i + 1)}, nil); got != want[i] {
				t.Errorf("%d %s 2 is %v", i+1, r, got)
			}
		}
		if text := "a0 " + string(r) + " 2"; c.String() != text {
			t.Errorf("%q, want %q", c, text)
		}
	}
}

// The lines that Source returns are those of the assertions, whatever precedes
// them.
func TestSourceLines(t *testing.T) {
	m := New(1, Sizes["small"])
	text, lines := m.Source(Style{Contract: "Maze", Head: "event Failed();\nuint8 private x;", Assert: func(id int) string { return "fails(" + string(rune('0'+id%10)) + ");" }})
	split := strings.Split(text, "\n")
	if len(lines) != len(m.Witnesses) {
		t.Fatalf("%d lines for %d assertions", len(lines), len(m.Witnesses))
	}
	for id, line := range lines {
		if want := "fails(" + string(rune('0'+id%10)) + ");"; strings.TrimSpace(split[line-1]) != want {
			t.Errorf("line %d is %q, want %q", line, split[line-1], want)
		}
	}
	if plain, _ := m.Source(Style{Contract: "Maze"}); strings.Count(plain, "assert(false);") != len(m.Witnesses) {
		t.Error("a plain source lacks assertions")
	}
}
