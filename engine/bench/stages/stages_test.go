package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"leveret/engine/bytecode"
	"leveret/engine/input"
	"leveret/engine/joint"
	"leveret/engine/shadow"

	"github.com/holiman/uint256"
)

// product is the problem x * y == want, for words of 32 bits.
func product(want uint64) *joint.Problem {
	word := input.WordType{Bits: 32}
	return &joint.Problem{
		Graph: &shadow.Expressions{Nodes: []shadow.Expression{
			{Op: shadow.OpInput}, {Op: shadow.OpInput, Source: shadow.TaintSource{Offset: 1}},
			{Op: bytecode.MUL, A: 0, B: 1},
			{Op: shadow.OpConst, Value: *uint256.NewInt(want)},
			{Op: bytecode.EQ, A: 2, B: 3},
		}},
		Variables:    []joint.Variable{{At: 0, Word: word}, {At: 1, Word: word}},
		Requirements: []joint.Requirement{{Word: 4, Nonzero: true}},
	}
}

func TestStages(t *testing.T) {
	b := bench{options: options{most: 100_000}, seen: map[string]bool{}}
	for range 2 { // the second time, it is known
		if err := b.measure(t.Context(), product(1_000_003*1_000_033)); err != nil {
			t.Fatal(err)
		}
	}
	if b.problems != 1 || b.solved != 1 || b.by[joint.ByDivisors] != 1 || b.without[joint.BySearch] != 1 || b.without[joint.ByDivisors] != 0 {
		t.Errorf("%+v", b.tally)
	}
}

func TestSMTText(t *testing.T) {
	var text bytes.Buffer
	if err := writeSMT(&text, product(15)); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"(declare-const v1 (_ BitVec 256))",
		"(assert (= ((_ extract 255 32) v1) (_ bv0 224)))",
		"(define-fun e2 () (_ BitVec 256) (bvmul e0 e1))",
		"(define-fun e4 () (_ BitVec 256) (ite (= e2 e3) (_ bv1 256) (_ bv0 256)))",
		"(assert (distinct e4 #x" + strings.Repeat("0", 64) + "))",
	} {
		if !strings.Contains(text.String(), line+"\n") {
			t.Errorf("no line %s in\n%s", line, &text)
		}
	}
}

// TestSMTModels gives a problem to solvers that answer always the same.
func TestSMTModels(t *testing.T) {
	model := func(x, y uint64) string { return fmt.Sprintf("sat\n((v0 #x%064x)\n (v1 #x%064x))\n", x, y) }
	for _, test := range []struct {
		name, answer string
		want         tally
		failure      string
	}{
		{"model", model(3, 5), tally{asked: 1, satisfiable: 1}, ""},
		{"wrong", model(3, 4), tally{}, "requirement 1 of 1 does not hold"},
		{"type", model(0, 0) + fmt.Sprintf("((v1 #x%064x))", 0) + "((v0 #x1" + strings.Repeat("0", 63) + "))", tally{}, "is no value of its type"},
		{"none", "unsat\n(error \"no model\")\n", tally{asked: 1, impossible: 1}, ""},
		{"unknown", "unknown\n", tally{asked: 1}, ""},
		{"rubbish", "what?\n", tally{}, "what?"},
	} {
		t.Run(test.name, func(t *testing.T) {
			answer := filepath.Join(t.TempDir(), "answer")
			if err := os.WriteFile(answer, []byte(test.answer), 0o644); err != nil {
				t.Fatal(err)
			}
			b := bench{options: options{smt: "cat " + answer, limit: time.Hour}}
			b.asked++
			err := b.ask(context.Background(), product(15), new(bytes.Buffer))
			if test.failure != "" {
				if err == nil || !strings.Contains(err.Error(), test.failure) {
					t.Errorf("%v, want %q", err, test.failure)
				}
				return
			}
			if err != nil || b.tally != test.want {
				t.Errorf("%v, %+v, want %+v", err, b.tally, test.want)
			}
		})
	}
}
