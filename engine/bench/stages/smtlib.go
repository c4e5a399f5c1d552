package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"leveret/engine/bytecode"
	"leveret/engine/input"
	"leveret/engine/joint"
	"leveret/engine/shadow"

	"github.com/holiman/uint256"
)

// errForm is the error of a problem with an instruction that has no short form in
// the theory of bit-vectors.
var errForm = errors.New("no form in SMT-LIB")

// variableOf returns the index of the variable at an Expression; -1 if there is none.
func variableOf(p *joint.Problem, e shadow.Expr) int {
	return slices.IndexFunc(p.Variables, func(v joint.Variable) bool { return v.At == e })
}

// writeSMT writes a problem as SMT-LIB 2.6 in the logic QF_BV: variables are v0,
// v1, …, words of 256 bits.
func writeSMT(w io.Writer, p *joint.Problem) error {
	var b strings.Builder
	b.WriteString("(set-logic QF_BV)\n")
	for i := range p.Variables {
		fmt.Fprintf(&b, "(declare-const v%d (_ BitVec 256))\n(assert %s)\n", i, typed(p.Variables[i].Word, fmt.Sprintf("v%d", i)))
	}
	needed := make([]bool, len(p.Graph.Nodes))
	for _, r := range p.Requirements {
		needed[r.Word] = true
	}
	for e := len(needed) - 1; e >= 0; e-- {
		if n := &p.Graph.Nodes[e]; needed[e] && n.Op != shadow.OpConst && n.Op != shadow.OpInput {
			needed[n.A], needed[n.B], needed[n.C] = true, true, true
		}
	}
	for e := range needed {
		if !needed[e] {
			continue
		}
		term, err := termOf(p, shadow.Expr(e))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "(define-fun e%d () (_ BitVec 256) %s)\n", e, term)
	}
	for _, r := range p.Requirements {
		if r.Nonzero {
			fmt.Fprintf(&b, "(assert (distinct e%d %s))\n", r.Word, constant(new(uint256.Int)))
		} else {
			fmt.Fprintf(&b, "(assert (= e%d %s))\n", r.Word, constant(new(uint256.Int)))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func constant(v *uint256.Int) string { return fmt.Sprintf("#x%064x", v.Bytes32()) }

// typed is the formula that a variable has a value of its type.
func typed(t input.WordType, v string) string {
	switch {
	case t.Limit != 0:
		return fmt.Sprintf("(bvule %s %s)", v, constant(uint256.NewInt(t.Limit)))
	case t.Bits == 256:
		return "true"
	case t.Signed:
		return fmt.Sprintf("(= %s ((_ sign_extend %d) ((_ extract %d 0) %s)))", v, 256-t.Bits, t.Bits-1, v)
	case t.Left:
		return fmt.Sprintf("(= ((_ extract %d 0) %s) (_ bv0 %d))", 255-t.Bits, v, 256-t.Bits)
	}
	return fmt.Sprintf("(= ((_ extract 255 %d) %s) (_ bv0 %d))", t.Bits, v, 256-t.Bits)
}

// terms are the forms of instructions: %[1]s to %[3]s are the operands. What the
// EVM defines for a zero divisor differs from SMT-LIB; shifts do not.
var terms = map[bytecode.Op]string{
	bytecode.ADD: "(bvadd %[1]s %[2]s)", bytecode.SUB: "(bvsub %[1]s %[2]s)", bytecode.MUL: "(bvmul %[1]s %[2]s)",
	bytecode.AND: "(bvand %[1]s %[2]s)", bytecode.OR: "(bvor %[1]s %[2]s)", bytecode.XOR: "(bvxor %[1]s %[2]s)", bytecode.NOT: "(bvnot %[1]s)",
	bytecode.SHL: "(bvshl %[2]s %[1]s)", bytecode.SHR: "(bvlshr %[2]s %[1]s)", bytecode.SAR: "(bvashr %[2]s %[1]s)",
	bytecode.DIV: unlessZero("bvudiv"), bytecode.MOD: unlessZero("bvurem"), bytecode.SDIV: unlessZero("bvsdiv"), bytecode.SMOD: unlessZero("bvsrem"),
	bytecode.ADDMOD: modular("bvadd"), bytecode.MULMOD: modular("bvmul"),
	bytecode.LT: truth("(bvult %[1]s %[2]s)"), bytecode.GT: truth("(bvugt %[1]s %[2]s)"),
	bytecode.SLT: truth("(bvslt %[1]s %[2]s)"), bytecode.SGT: truth("(bvsgt %[1]s %[2]s)"),
	bytecode.EQ: truth("(= %[1]s %[2]s)"), bytecode.ISZERO: truth("(= %[1]s (_ bv0 256))"),
	bytecode.BYTE: "(ite (bvult %[1]s (_ bv32 256)) (bvand (bvlshr %[2]s (bvsub (_ bv248 256) (bvmul (_ bv8 256) %[1]s))) (_ bv255 256)) (_ bv0 256))",
}

func truth(formula string) string { return "(ite " + formula + " (_ bv1 256) (_ bv0 256))" }

func unlessZero(op string) string {
	return "(ite (= %[2]s (_ bv0 256)) (_ bv0 256) (" + op + " %[1]s %[2]s))"
}

// modular is an operation on 512 bits and a remainder.
func modular(op string) string {
	return "(ite (= %[3]s (_ bv0 256)) (_ bv0 256) ((_ extract 255 0) (bvurem (" + op +
		" ((_ zero_extend 256) %[1]s) ((_ zero_extend 256) %[2]s)) ((_ zero_extend 256) %[3]s))))"
}

// termOf is the definition of an Expression by its operands.
func termOf(p *joint.Problem, e shadow.Expr) (string, error) {
	n := &p.Graph.Nodes[e]
	switch n.Op {
	case shadow.OpConst:
		return constant(&n.Value), nil
	case shadow.OpInput:
		if i := variableOf(p, e); i >= 0 {
			return fmt.Sprintf("v%d", i), nil
		}
		return constant(&n.Value), nil
	case shadow.OpFrozen:
		return fmt.Sprintf("e%d", n.A), nil
	case bytecode.SIGNEXTEND:
		if width := &p.Graph.Nodes[n.A]; width.Op == shadow.OpConst && width.Value.LtUint64(31) {
			bits := 8 * (width.Value.Uint64() + 1)
			return fmt.Sprintf("((_ sign_extend %d) ((_ extract %d 0) e%d))", 256-bits, bits-1, n.B), nil
		} else if width.Op == shadow.OpConst {
			return fmt.Sprintf("e%d", n.B), nil
		}
	default:
		if form, ok := terms[n.Op]; ok {
			operands := []any{fmt.Sprintf("e%d", n.A), fmt.Sprintf("e%d", n.B), fmt.Sprintf("e%d", n.C)}
			return fmt.Sprintf(form, operands...), nil
		}
	}
	return "", fmt.Errorf("%w: opcode %#x", errForm, byte(n.Op))
}
