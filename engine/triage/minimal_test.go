package triage

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/holiman/uint256"

	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/search/searchtest"
	"leveret/solc/solctest"
)

// A machine is a contract whose functions lead from one state to another, if a
// condition holds, and that fails in its last state.
type machine struct {
	next       [][]int // by function and state; -1: the call reverts
	conditions []condition
}

// A condition is what a function of a machine demands.
type condition struct {
	kind  int // one of the demands
	least uint64
}

const (
	demandsNothing = iota
	demandsArgument
	demandsWei
	demandsDelay
	demandsDeployer
	demands
)

// newMachine draws a machine in which every state can be reached.
func newMachine(r *rand.Rand, states, functions int) *machine {
	m := &machine{}
	for range functions {
		next := make([]int, states-1)
		for at := range next {
			next[at] = r.IntN(2*states) - states - 1 // most calls revert
			next[at] = max(next[at], -1)
		}
		m.next = append(m.next, next)
		m.conditions = append(m.conditions, condition{r.IntN(demands), 2 + r.Uint64N(1e6)})
	}
	for at := range states - 1 {
		m.next[r.IntN(functions)][at] = at + 1
	}
	return m
}

// source returns the contract.
func (m *machine) source(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "contract %s {\nuint256 private at;\nuint256 private since;\nuint256 private noise;\nuint256[] private list;\n", name)
	for f, next := range m.next {
		fmt.Fprintf(&b, "function f%d(uint256 x) external payable {\n", f)
		switch c := m.conditions[f]; c.kind {
		case demandsArgument:
			fmt.Fprintf(&b, "require(x >= %d);\n", c.least)
		case demandsWei:
			fmt.Fprintf(&b, "require(msg.value >= %d);\n", c.least)
		case demandsDelay:
			fmt.Fprintf(&b, "require(block.timestamp >= since + %d);\n", c.least)
		case demandsDeployer:
			fmt.Fprintf(&b, "require(msg.sender == %s);\n", input.Deployer.Address().Hex())
		}
		for at, to := range next {
			if to >= 0 {
				fmt.Fprintf(&b, "if (at == %d) { at = %d; since = block.timestamp; return; }\n", at, to)
			}
		}
		fmt.Fprint(&b, "revert();\n}\n")
	}
	fmt.Fprint(&b, "function louder(uint256 x) external payable { noise ^= x + 1; }\nfunction push(uint256 x) external payable { list.push(x); }\n")
	fmt.Fprint(&b, "function nothing(uint256 x) external payable { require(noise + 1 > 0 || x == 0); }\n")
	fmt.Fprintf(&b, "function last(uint256) external { assert(at != %d); }\n}\n", len(m.next[0]))
	return b.String()
}

// shortest returns the length of the shortest sequence of calls of some functions
// to the last state.
func (m *machine) shortest(called []bool) int {
	steps := map[int]int{0: 0}
	for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if at == len(m.next[0]) {
			return steps[at]
		}
		for f, next := range m.next {
			if to := next[at]; to >= 0 && called[f] {
				if _, known := steps[to]; !known {
					steps[to] = steps[at] + 1
					queue = append(queue, to)
				}
			}
		}
	}
	return -1
}

// walk draws calls until the last state is reached. called are the functions with
// a call whose condition holds.
func (m *machine) walk(r *rand.Rand, call func(name string) input.Tx) (txs []input.Tx, called []bool) {
	called = make([]bool, len(m.next))
	padding := []string{"louder", "push", "nothing"}
	for at := 0; at < len(m.next[0]); {
		f := r.IntN(len(m.next) + len(padding))
		if f >= len(m.next) {
			txs = append(txs, drawn(r, call(padding[f-len(m.next)]), condition{}))
			continue
		}
		c, holds := m.conditions[f], r.IntN(6) > 0
		if holds || c.kind == demandsNothing {
			called[f] = true
			txs = append(txs, drawn(r, call(fmt.Sprint("f", f)), c))
			if to := m.next[f][at]; to >= 0 {
				at = to
			}
		} else if c.kind == demandsArgument || c.kind == demandsWei {
			txs = append(txs, call(fmt.Sprint("f", f)))
		}
	}
	return append(txs, call("last")), called
}

// drawn draws what is not in a call's name, such that a condition holds.
func drawn(r *rand.Rand, tx input.Tx, c condition) input.Tx {
	tx.Args[0].Word.SetUint64(r.Uint64N(1e9))
	tx.From = input.Actors[r.IntN(len(input.Actors))]
	if r.IntN(3) == 0 {
		tx.Value.SetUint64(r.Uint64N(1e9))
	}
	switch more := c.least + r.Uint64N(1e6); c.kind {
	case demandsArgument:
		tx.Args[0].Word.SetUint64(more)
	case demandsWei:
		tx.Value.SetUint64(more)
	case demandsDelay:
		tx.Delay = input.Delay{Blocks: 1, Seconds: more}
	case demandsDeployer:
		tx.From = input.Deployer
	}
	return tx
}

// isPlain reports whether a call has the plainest values with which its condition
// holds.
func (m *machine) isPlain(tx *input.Tx) bool {
	var f int
	want := input.Tx{From: input.User1}
	var x uint256.Int
	if _, err := fmt.Sscanf(tx.Function.Name, "f%d", &f); err == nil {
		switch c := m.conditions[f]; c.kind {
		case demandsArgument:
			x.SetUint64(c.least)
		case demandsWei:
			want.Value.SetUint64(c.least)
		case demandsDelay:
			want.Delay.Seconds = tx.Delay.Seconds // parts may be those of calls before
		case demandsDeployer:
			want.From = input.Deployer
		}
	}
	return tx.From == want.From && tx.Value == want.Value && tx.Delay == want.Delay && tx.Args[0].Word == x
}

// Witnesses become as short as the machine allows, and their values plain.
func TestWitnessesAreMinimal(t *testing.T) { testMinimal(t, 6, 5) }

func TestWitnessesAreMinimalLong(t *testing.T) {
	solctest.Long(t)
	testMinimal(t, 40, 20)
}

func testMinimal(t *testing.T, machines, walks int) {
	r := rand.New(rand.NewPCG(1, 7))
	var text strings.Builder
	text.WriteString("// SPDX-License-Identifier: MIT\npragma solidity ^0.8.19;\n")
	list := make([]*machine, machines)
	for i := range list {
		list[i] = newMachine(r, 4+i%6, 3+i%4)
		text.WriteString(list[i].source(fmt.Sprint("Machine", i)))
	}
	file := filepath.Join(t.TempDir(), "Machines.sol")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	build := searchtest.Compile(t, file)
	all, minimal, plain, before, after, least := 0, 0, 0, 0, 0, 0
	for i, m := range list {
		for range walks {
			at := newTriagingOf(t, build, fmt.Sprint("Machine", i))
			txs, called := m.walk(r, func(name string) input.Tx { return at.call(t, name, 0).Txs[0] })
			at.reports(input.Sequence{Deployment: at.Subject.Deployment.Record, Txs: txs}, nil)
			at.Finish()
			of := slices.IndexFunc(at.found, func(f finding.Finding) bool { return f.Oracle == oracle.Assertion.Name })
			if of < 0 {
				t.Fatalf("no finding of %v", txs)
			}
			got, want := at.found[of].Witness.Txs, m.shortest(called)+1
			all++
			if len(got) <= want {
				minimal++
			}
			simple := true
			for k := range got {
				simple = simple && m.isPlain(&got[k])
			}
			if simple {
				plain++
			}
			if len(got) > want || !simple {
				t.Logf("machine %d: %d transactions of %d, %d suffice:\n%s", i, len(got), len(txs), want, at.found[of].Witness)
			}
			before, after, least = before+len(txs), after+len(got), least+want
		}
	}
	t.Logf("%d of %d witnesses are minimal, %d plain; %d transactions became %d, %d suffice", minimal, all, plain, before, after, least)
	if 100*minimal < 95*all || 100*plain < 90*all {
		t.Errorf("%d of %d witnesses are minimal, %d plain", minimal, all, plain)
	}
}
