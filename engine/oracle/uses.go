package oracle

import (
	"fmt"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/shadow"
	"leveret/solc/ast"
)

// marked calls visit for the wraps whose result is in a set.
func (o *overflows) marked(set shadow.Set, visit func(*wrap)) {
	sets := o.env.observer.Sets()
	if len(o.wraps) == 0 || !sets.HasKind(set, shadow.FromMark) {
		return
	}
	for i := range o.wraps {
		if sets.Has(set, o.wraps[i].mark) {
			visit(&o.wraps[i])
		}
	}
}

// used records a use of the wraps in a set.
func (o *overflows) used(set shadow.Set, f *evm.Frame, pc uint64, severity finding.Severity, how func() string) {
	o.marked(set, func(w *wrap) {
		o.uses = append(o.uses, use{mark: w.mark, severity: severity, how: how(), site: Site{f.Code, pc}})
	})
}

func (o *overflows) store(a *shadow.Access) {
	o.lasting = true
	known := len(o.uses)
	o.used(a.Value.Sources(), a.Frame, a.PC, finding.Error, func() string {
		if into := o.target(Site{a.Frame.Code, a.PC}); into != "" {
			return "is stored in `" + into + "`"
		}
		return "is stored"
	})
	if slot := a.Slot.Value(); !a.Transient {
		for i := known; i < len(o.uses); i++ {
			o.uses[i].word = &finding.WrongStorage{Contract: a.Frame.Self, Slot: slot.Bytes32()}
		}
	}
	o.used(a.Slot.Sources(), a.Frame, a.PC, finding.Error, func() string { return "decides what is overwritten" })
}

// target is the variable that an instruction writes; empty if unknown.
func (o *overflows) target(site Site) string {
	b, ok := o.env.source(site)
	if !ok || b.Node == nil || !b.Whole {
		return ""
	}
	switch b.Node.Type {
	case ast.Assignment:
		return o.env.Text(b.Node.Child("leftHandSide"))
	case ast.UnaryOperation:
		return o.env.Text(b.Node.Child("subExpression"))
	}
	return ""
}

func (o *overflows) call(c *shadow.Call) {
	o.lasting = true
	switch c.Op {
	case bytecode.CREATE, bytecode.CREATE2:
		o.used(c.Args.Sources(), c.Frame, c.PC, finding.Warning, func() string { return "goes into a new contract" })
	default:
		o.used(c.Args.Sources(), c.Frame, c.PC, finding.Warning, func() string { return "is handed to another contract" })
		o.used(c.Target.Sources(), c.Frame, c.PC, finding.Error, func() string { return "decides which contract is called" })
	}
	o.used(c.Value.Sources(), c.Frame, c.PC, finding.Error, func() string { return "is the amount of wei that is sent" })
}

func (o *overflows) log(l *shadow.Log) {
	o.lasting = true
	set := l.Data.Sources()
	for _, t := range l.Topics {
		set = o.env.observer.Sets().Union(set, t.Sources())
	}
	o.used(set, l.Frame, l.PC, finding.Warning, func() string { return "is logged" })
}

func (o *overflows) ret(r *shadow.Return) {
	if r.Op != bytecode.RETURN || r.Frame.Depth > 1 || r.Frame.Kind == evm.FrameCreate {
		return
	}
	o.lasting = o.lasting || r.Data.Len() > 0
	o.used(r.Data.Sources(), r.Frame, r.PC, finding.Warning, func() string { return "is returned" })
}

// branch records comparisons that a wrapped result decides, except checks for
// the wrap.
func (o *overflows) branch(b *shadow.Branch) {
	o.marked(b.Cond.Sources(), func(w *wrap) {
		decides := false
		for leaf := range b.Condition().Leaves {
			if leaf.Form != shadow.Compare || leaf.Inferred || !o.compares(leaf, w) {
				continue
			}
			if w.checkedBy(leaf) {
				return
			}
			decides = true
		}
		if !decides {
			return
		}
		o.uses = append(o.uses, use{mark: w.mark, severity: finding.Warning, how: o.decides(b), site: Site{b.Frame.Code, b.PC}, decides: true})
	})
}

// compares reports whether a side of a comparison comes from w.
func (o *overflows) compares(leaf *shadow.Condition, w *wrap) bool {
	sets := o.env.observer.Sets()
	return sets.Has(leaf.Left.Sources(), w.mark) || sets.Has(leaf.Right.Sources(), w.mark)
}

func (o *overflows) decides(b *shadow.Branch) string {
	if at, ok := o.env.source(Site{b.Frame.Code, b.PC}); ok && at.Node != nil && at.Whole {
		if c := conditionOf(at.Node); c != nil {
			return fmt.Sprintf("decides `%s`", o.env.Text(c))
		}
	}
	return "decides what happens next"
}

// conditionOf returns the condition of a statement or call.
func conditionOf(n *ast.Node) *ast.Node {
	if n.IsBuiltin("require", "assert") && len(n.Arguments()) > 0 {
		return n.Arguments()[0]
	}
	return n.Child("condition")
}
