package cover

import (
	"slices"
	"testing"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
)

// Codes of one template and length have the same blocks and branches; of another length,
// or without a template, their own.
func TestCodesOfATemplateAreNumberedAsOne(t *testing.T) {
	codes := evm.NewCodes()
	code := func(immutable byte, tail ...byte) *evm.Code {
		a := &assembly{}
		a.op(bytecode.PUSH1, immutable)
		land := a.jumpi()
		a.op(bytecode.STOP)
		land()
		return codes.Runtime(append(*a, tail...))
	}
	one, other, longer, foreign := code(1), code(2), code(3, 0), code(4)
	m := NewMap()
	m.Template = func(c *evm.Code) any {
		if c == foreign {
			return nil
		}
		return "template"
	}
	branch := func(c *evm.Code) Branch {
		b, ok := m.Branch(c, uint64(c.Analysis().Jumpis[0]), true)
		if !ok {
			t.Fatal("no branch")
		}
		return b
	}
	if branch(one) != branch(other) {
		t.Error("codes that differ in an immutable have branches of their own")
	}
	if branch(longer) == branch(one) || branch(foreign) == branch(one) || branch(foreign) == branch(longer) {
		t.Error("codes of other lengths or of no template share branches")
	}
	if got := m.Codes(); !slices.Equal(got, []*evm.Code{one, longer, foreign}) {
		t.Errorf("codes %v", got)
	}
}
