package oracle

import (
	"leveret/engine/bytecode"
	"leveret/engine/shadow"
	"leveret/solc/ast"
)

// compared records which wraps a comparison detects.
func (o *overflows) compared(c *shadow.Comparison) {
	if len(o.wraps) == 0 || !o.written(Site{c.Frame.Code, c.PC}) {
		return
	}
	ordered := byte(c.Op) != bytecode.EQ
	for _, sides := range [2][2]shadow.Word{{c.A, c.B}, {c.B, c.A}} {
		o.marked(sides[0].Sources(), func(w *wrap) { w.checked = w.checked || w.detectedBy(sides[0], sides[1], ordered) })
	}
}

// comparisons are Solidity's operators that compare.
var comparisons = map[string]bool{"<": true, ">": true, "<=": true, ">=": true, "==": true, "!=": true}

// written reports whether the source has a comparison at an instruction; the
// compiler compares on its own, too, as when an array becomes shorter.
func (o *overflows) written(site Site) bool {
	at, ok := o.env.source(site)
	if !ok || at.Node == nil {
		return false
	}
	return comparisons[at.Node.Operator()] || at.Node.Type == ast.InlineAssembly || at.Node.InAssembly() || at.Imprecise() && !at.Wraps
}

// detectedBy reports whether comparing a word that comes from the result of w
// with another one tells that it wrapped: sum < a, difference > a, product / a
// == b, narrow == wide. What the code does with the result then, it does on
// purpose: it reverts, saturates, carries, or counts in two's complement.
func (w *wrap) detectedBy(result, with shadow.Word, ordered bool) bool {
	switch w.operator {
	case "+":
		return ordered && (same(with, w.left) || same(with, w.right))
	case "-":
		return ordered && same(with, w.left)
	case "*", "<<":
		return !ordered && divides(result) && (equal(with, w.left) || equal(with, w.right))
	case "":
		return !ordered && (same(with, w.left) || same(with, w.right))
	}
	return false
}

// checkedBy reports whether a comparison detects the wrap w: it compares the
// result, or something computed from it, with an operand, as in c >= a or c / a
// == b.
func (w *wrap) checkedBy(leaf *shadow.Condition) bool {
	sides := [2]shadow.Word{leaf.Left, leaf.Right}
	for i, side := range sides {
		for _, operand := range [2]shadow.Word{w.left, w.right} {
			if same(side, operand) || divides(sides[1-i]) && equal(side, operand) { // the operand may be a constant of a quotient
				return true
			}
		}
	}
	return false
}

// divides reports whether a word is a quotient.
func divides(w shadow.Word) bool {
	switch op, _, _ := w.Made(); byte(op) {
	case bytecode.DIV, bytecode.SDIV, bytecode.SHR:
		return true
	}
	return false
}

// same reports whether two words have the same value from the same sources.
func same(a, b shadow.Word) bool {
	return !a.Fixed() && equal(a, b) && a.Sources() == b.Sources()
}

func equal(a, b shadow.Word) bool { return a.Value() == b.Value() }
