package oracle

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/bytecode"
	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/shadow"
	"leveret/solc/ast"
)

// Requirement reports calls between project contracts whose arguments the
// callee rejects (HARVEY's SWC-123): one of the two is wrong about the other.
// Arguments that a transaction's sender or the attacker's contract chose are excluded,
// even if passed on, and so is who calls.
var Requirement = Oracle{
	Name: "requirement", SWC: "SWC-123", Severity: finding.Information,
	Title:        "A call violates a requirement of the called contract",
	Hint:         saw(cover.CalleeReverted),
	Unexportable: noEffect,
	ByPath:       true,
	Watch: func(env *Env) Watcher {
		q := &refusals{env: env}
		return Watcher{
			Begin: func(*input.Tx, *evm.World) { q.open, q.reports, q.made = q.open[:0], q.reports[:0], nil },
			Enter: q.enter,
			Exit:  func(*evm.Frame, evm.Status, []byte, error) { q.open = q.open[:len(q.open)-1] },
			Ops:   []byte{bytecode.REVERT}, Step: q.revert,
			Flows: &shadow.Events{Call: q.call, Branch: q.branch},
			End: func(_ *evm.Outcome, _ *evm.World, report func(Report)) {
				for _, r := range q.reports {
					report(r)
				}
			},
		}
	},
}

// A refusals is the state of one transaction.
type refusals struct {
	env     *Env
	made    []shadow.TaintSource // marks of the arguments of the call about to open a frame
	at      Site                 // and its site
	open    []refusal
	reports []Report
}

// A refusal is the state of one open frame.
type refusal struct {
	caller Site
	made   []shadow.TaintSource // marks of the arguments that its caller computed
	asked  bool                 // the latest branch depends on one of them
}

// call marks the arguments that the caller did not just pass on.
func (q *refusals) call(c *shadow.Call) {
	q.made, q.at = nil, Site{c.Frame.Code, c.PC}
	if c.Op != bytecode.CALL && c.Op != bytecode.STATICCALL || !project(q.env, c.Frame) {
		return
	}
	for offset := 4; offset+32 <= c.Args.Len() && offset < 4+32*16; offset += 32 {
		if w := c.Args.Word(offset); q.own(w) && !isCaller(w, c.Frame) {
			q.made = append(q.made, q.env.observer.Mark(w))
		}
	}
}

// own reports whether the caller determines a word: a constant, a computed
// value, or a variable that no transaction's sender influenced.
func (q *refusals) own(w shadow.Word) bool {
	if op, pc, _ := w.Made(); w.Fixed() && pc > 0 || built[byte(op)] { // unwritten memory has no producer
		return true
	}
	sets, set := q.env.observer.Sets(), w.Sources()
	return q.stored(set) && !sets.HasKind(set, shadow.FromCalldata) &&
		!sets.HasKind(set, shadow.FromCallValue) && !sets.HasKind(set, shadow.FromCaller)
}

// stored reports whether values of variables, and none that the attacker's contract keeps
// to pass them as arguments, are among some sources.
func (q *refusals) stored(set shadow.Set) bool {
	sets := q.env.observer.Sets()
	if !sets.HasKind(set, shadow.FromStorage) {
		return false
	}
	for source := range sets.Members(set) {
		if source.Kind == shadow.FromStorage && source.Address == input.Attacker.Address() {
			return false
		}
	}
	return true
}

// isCaller reports whether a word is the address that called a frame. Code passes
// msg.sender on, and which account that is says nothing about the code.
func isCaller(w shadow.Word, f *evm.Frame) bool {
	value := w.Value()
	return value.Bytes20() == f.From && value.BitLen() <= 160
}

// built are the instructions whose results are more than a copy.
var built = map[byte]bool{
	bytecode.ADD: true, bytecode.SUB: true, bytecode.MUL: true, bytecode.DIV: true, bytecode.EXP: true,
	bytecode.SHL: true, bytecode.SHR: true, bytecode.MOD: true, bytecode.XOR: true,
}

func (q *refusals) enter(f *evm.Frame) {
	r := refusal{caller: q.at}
	if f.Depth > 1 && project(q.env, f) && f.Parent.Self != f.Self {
		r.made = q.made
	}
	q.made = nil
	q.open = append(q.open, r)
}

func (q *refusals) branch(b *shadow.Branch) {
	if len(q.open) == 0 {
		return
	}
	r := &q.open[len(q.open)-1]
	sets, set := q.env.observer.Sets(), b.Cond.Sources()
	r.asked = false
	for _, m := range r.made {
		r.asked = r.asked || sets.Has(set, m)
	}
}

// revert records a frame that reverts, unless it forwards its callee's revert
// data.
func (q *refusals) revert(s *evm.Step) {
	if len(q.open) == 0 {
		return
	}
	r := &q.open[len(q.open)-1]
	size := s.Top(1)
	if !r.asked || !size.IsZero() && size.Uint64() == uint64(len(s.ReturnData)) {
		return
	}
	if _, panics := panicCode(s); panics {
		return
	}
	trail := q.env.trail()
	b, node := q.refused(trail, s.Frame)
	if b.Node == nil {
		return
	}
	q.reports = append(q.reports, Report{
		Trail: trail, Node: node, Contract: common.Address(s.Frame.Self),
		Message: fmt.Sprintf("%s refuses what another contract of the project computed for it", b.name()),
		Related: append(q.env.asked(trail, b.Node), Related{Trail: []Site{r.caller}, Message: calledHere}),
		Effect:  finding.RefusedCall{Caller: s.Frame.Parent.Self, Callee: s.Frame.Self},
	})
}

// refused returns the check that made a frame revert, zero if the source has none,
// and Report.Node.
func (q *refusals) refused(trail []Site, f *evm.Frame) (b Blame, node *ast.Node) {
	b = q.env.Blame(trail)
	switch by := refuses(b.Node); {
	case b.Node == nil: // via IR, nothing before the check may have a source
		node = sole([]*ast.Node{q.env.called(f)}, isRefusal)
		return Blame{Node: node, Text: q.env.Text(node)}, node
	case by == nil:
		return Blame{}, nil
	case by.Type == ast.FunctionCall && by.Span != b.Node.Span: // some compilers map only a part
		b.Text = q.env.Text(by)
		return b, by
	}
	return b, nil
}

// refuses returns the require or revert that n is or is part of; nil if there
// is none.
func refuses(n *ast.Node) *ast.Node {
	for n != nil && !n.IsStatement() && !isRefusal(n) {
		n = n.Parent
	}
	if n != nil && (isRefusal(n) || n.Type == ast.IfStatement) {
		return n
	}
	return nil
}

// isRefusal reports whether a node is a require or a revert.
func isRefusal(n *ast.Node) bool {
	return n.IsBuiltin("require", "revert") || n.Type == ast.RevertStatement || n.Type == ast.Throw
}
