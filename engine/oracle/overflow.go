package oracle

import (
	"fmt"
	"math/big"
	"slices"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/shadow"
	"leveret/solc/ast"
)

// Overflow reports arithmetic whose result does not fit its type and is used
// (HARVEY, ESEC/FSE 2020, section 4.3; sFuzz, ICSE 2020, section 3.4). The
// types come from the syntax tree.
var Overflow = Oracle{
	Name: "overflow", SWC: "SWC-101", Severity: finding.Warning,
	Title:        "Arithmetic overflows",
	Hint:         succeeded((*Observation).wrapsAlone),
	Unexportable: "the wrapped value has no effect that a caller can see",
	ByStatement:  true, ByPath: true, AnyEffect: true,
	Watch: func(env *Env) Watcher {
		o := &overflows{env: env, earlier: map[shadow.TaintSource]*ast.Node{}, hashed: map[shadow.TaintSource]bool{}}
		return Watcher{
			Begin: o.begin,
			Enter: func(*evm.Frame) { o.open = append(o.open, heights{len(o.wraps), len(o.uses)}) },
			Exit:  func(_ *evm.Frame, status evm.Status, _ []byte, _ error) { o.close(status) },
			Flows: &shadow.Events{
				Arith: o.arith, Asked: o.asked, Compared: o.compared,
				Keccak: func(k *shadow.Keccak) { o.hashed[env.observer.Mark(k.Output)] = true },
				Store:  o.store, Call: o.call, Log: o.log, Return: o.ret, Branch: o.branch,
			},
			End: func(out *evm.Outcome, w *evm.World, report func(Report)) {
				o.history.end(out)
				if out.Status == evm.Success {
					o.report(w, report)
				}
			},
		}
	},
}

// An overflows is the state of one transaction.
type overflows struct {
	env      *Env
	history  history
	wraps    []wrap
	uses     []use
	open     []heights                   // numbers of wraps and uses at the start of each open frame
	hashed   map[shadow.TaintSource]bool // hashes of this and of earlier transactions
	searches map[Site]int                // by Site: number of source searches; see maxSearches

	earlier map[shadow.TaintSource]*ast.Node // marks of wrapped results, with their nodes
	entered bool                             // the attacker contract re-enters: left to the Reentrancy oracle
	distant bool                             // the block's time is beyond the supported range
	lasting bool                             // the transaction has an effect: a write, call, log or return value
}

type heights struct{ wraps, uses int }

// A wrap is one result that did not fit.
type wrap struct {
	site        Site
	node        *ast.Node
	report      Report
	operator    string // of the Operation; empty for a conversion
	left, right shadow.Word
	mark        shadow.TaintSource
	checked     bool // the code has compared the result so that it knows of the wrap
}

// A use is a place that a wrapped result reached.
type use struct {
	mark     shadow.TaintSource
	severity finding.Severity
	how      string // end of the sentence "x wraps to 3 and …"
	site     Site
	decides  bool                  // it only decides a branch
	word     *finding.WrongStorage // the storage word it was written to
}

func (o *overflows) begin(tx *input.Tx, w *evm.World) {
	o.history.begin(tx, w)
	o.entered = o.entered || tx.Script.Reenters()
	o.wraps, o.uses, o.open = o.wraps[:0], o.uses[:0], o.open[:0]
	clear(o.earlier)
	o.searches = map[Site]int{}
	o.lasting, o.distant = false, false
}

// close discards the effects of a failed frame.
func (o *overflows) close(status evm.Status) {
	h := o.open[len(o.open)-1]
	o.open = o.open[:len(o.open)-1]
	if status != evm.Success {
		o.wraps, o.uses = o.wraps[:h.wraps], o.uses[:h.uses]
	}
}

func (o *overflows) arith(a *shadow.Arith) {
	if a.Frame.Code == nil || o.entered {
		return
	}
	site := Site{a.Frame.Code, a.PC}
	at := o.env.Sources.At(site)
	switch {
	case !at.Mapped || at.Imprecise():
		if !at.Wraps { // older compilers map their arithmetic precisely
			o.searchSource(a, at.Mapped)
		}
	case at.Operates:
		o.operation(false, at.Blame, &at.Operation, a)
	default:
		o.cut(false, at.Blame, a)
	}
}

// cut checks a mask or sign extension with source b; searched says that the source
// is not that of the instruction itself.
func (o *overflows) cut(searched bool, b Blame, a *shadow.Arith) {
	if cut, ok := cutAt(b, a, o.env); ok && !o.random(a) {
		o.add(searched, "", cut.node, a, fmt.Sprintf("`%s` cuts %s down to %s", o.env.Text(cut.node), formatNumber(cut.before), formatNumber(cut.after)),
			[]finding.Evidence{{Name: "before", Value: cut.before.String()}, {Name: "after", Value: cut.after.String()}})
	}
}

// operation checks an operation with source b.
func (o *overflows) operation(searched bool, b Blame, op *Operation, a *shadow.Arith) {
	if a.Result.Fixed() || !op.doneBy(a) || o.random(a) || o.follows(a, b.Node) {
		return
	}
	top, next := a.A.Value(), a.B.Value()
	left, right, exact, ok := op.Exact(&top, &next, [2]bool{a.A.Fixed(), a.B.Fixed()})
	if !ok {
		return
	}
	op.readSigned(left, right, exact, o.fromSignedArgument(a.A), o.fromSignedArgument(a.B))
	rest, wrapped := op.Wrapped(exact)
	if !wrapped || op.readAsSigned(exact) {
		return
	}
	evidence := []finding.Evidence{{Name: "left", Value: left.String()}, {Name: "right", Value: right.String()}, {Name: "exact", Value: exact.String()}, {Name: "result", Value: rest.String()}}
	if op.Operator == "neg" {
		evidence = evidence[1:]
	}
	o.add(searched, op.Operator, b.Node, a, fmt.Sprintf("%s wraps to %s (%s)", b.name(), formatNumber(rest), b.Node.TypeString()), evidence)
}

// fromSignedArgument reports whether a word comes from an argument of a signed
// type.
func (o *overflows) fromSignedArgument(w shadow.Word) bool {
	sets, now := o.env.observer.Sets(), o.env.observer.State().Txs-1
	if !sets.HasKind(w.Sources(), shadow.FromCalldata) {
		return false
	}
	arguments := input.Offsets(o.history.last())
	for s := range sets.Members(w.Sources()) {
		if p, ok := arguments.At(int(s.Offset)); ok && s.Kind == shadow.FromCalldata && s.Tx == now && p.Word.Signed {
			return true
		}
	}
	return false
}

// random reports whether an operand comes from a hash, where arithmetic is
// modular.
func (o *overflows) random(a *shadow.Arith) bool {
	sets := o.env.observer.Sets()
	for _, w := range [2]shadow.Word{a.A, a.B} {
		if sets.HasKind(w.Sources(), shadow.FromBlockHash) || sets.HasKind(w.Sources(), shadow.FromPrevrandao) {
			return true
		}
		if !sets.HasKind(w.Sources(), shadow.FromMark) {
			continue
		}
		for s := range sets.Members(w.Sources()) {
			if o.hashed[s] {
				return true
			}
		}
	}
	return false
}

// follows reports whether an operand wrapped elsewhere: the result is then no
// weakness of its own.
func (o *overflows) follows(a *shadow.Arith, node *ast.Node) bool {
	sets := o.env.observer.Sets()
	for _, w := range [2]shadow.Word{a.A, a.B} {
		if len(o.earlier) == 0 || !sets.HasKind(w.Sources(), shadow.FromMark) {
			continue
		}
		for s := range sets.Members(w.Sources()) {
			if first := o.earlier[s]; first != nil && first != node {
				return true
			}
		}
	}
	return false
}

func (o *overflows) add(searched bool, operator string, node *ast.Node, a *shadow.Arith, message string, evidence []finding.Evidence) {
	if o.outOfTime(a) {
		return
	}
	trail := []Site{{a.Frame.Code, a.PC}}
	if searched {
		trail = o.env.trails.brief()
	}
	left, right := a.A, a.B
	if a.Op == bytecode.ADD && left.Fixed() { // a subtraction of a constant may be the addition of its negation
		left, right = right, left
	}
	mark := o.env.observer.Mark(a.Result)
	o.earlier[mark] = node
	o.wraps = append(o.wraps, wrap{
		site: trail[0], node: node, operator: operator, left: left, right: right, mark: mark,
		report: Report{Trail: trail, Node: node, Contract: a.Frame.Self, Message: message, Evidence: evidence},
	})
}

// report reports each place that wrapped and was used once, with its worst use.
func (o *overflows) report(after *evm.World, report func(Report)) {
	type found struct {
		wrap *wrap
		use  *use
	}
	worst := map[*ast.Node]found{}
	var order []*ast.Node
	for i := range o.uses {
		u := &o.uses[i]
		if u.decides && !o.lasting {
			continue // the branch had no effect
		}
		for j := range o.wraps {
			w := &o.wraps[j]
			if w.mark != u.mark || w.checked {
				continue
			}
			if have, ok := worst[w.node]; !ok {
				order = append(order, w.node)
			} else if have.use.severity >= u.severity {
				break
			}
			worst[w.node] = found{w, u}
		}
	}
	for _, node := range order {
		f := worst[node]
		if o.env.Sources.circular(node, o.env.Sources.At(f.wrap.site).Wraps, f.wrap.overTime(o.env.observer.Sets())) {
			continue
		}
		r := f.wrap.report
		r.Trail = slices.Clone(r.Trail)
		r.Message += " and " + f.use.how
		r.Severity = f.use.severity
		if o.harmless(f.wrap, f.use) || r.Severity > finding.Information && o.ownTerm(f.wrap, after) {
			r.Severity = finding.Information
		}
		r.Provisional = r.Severity < finding.Error
		if f.use.site != f.wrap.site {
			r.Related = []Related{{Trail: []Site{f.use.site}, Message: "here it is used"}}
		}
		if word := f.use.word; word != nil {
			word.Value = after.Storage(word.Contract, word.Slot)
			r.Effect = *word
		}
		report(r)
	}
}

// overTime reports whether the time or number of the block flows into an operand.
func (w *wrap) overTime(sets *shadow.Sets) bool {
	both := sets.Union(w.left.Sources(), w.right.Sources())
	return sets.HasKind(both, shadow.FromTimestamp) || sets.HasKind(both, shadow.FromNumber)
}

// harmless reports whether a wrap harms at most who asked for it: a number that
// its name calls random or that an owner gives is cut, a function that only reads
// goes another way or answers a question of its caller's alone, or owners have set
// all operands.
func (o *overflows) harmless(w *wrap, u *use) bool {
	tx := o.history.last()
	if tx.Function != nil && tx.Function.Constant() && (u.decides || o.answered(w)) {
		return true
	}
	return w.operator == "" && (drawn(w.node) || o.env.OwnersOnly(o.history.txs)) || o.configured(w)
}

// answered reports whether a wrap is in a function that no other contract code calls,
// and its operands are arguments of the running transaction.
func (o *overflows) answered(w *wrap) bool {
	f := w.node.Function()
	if f == nil || f.Visibility() != "external" {
		return false
	}
	sets, now := o.env.observer.Sets(), len(o.history.txs)-1
	for s := range sets.Members(sets.Union(w.left.Sources(), w.right.Sources())) {
		if s.Kind == shadow.FromMark {
			continue // another wrap of the same calculation
		}
		if s.Kind != shadow.FromCalldata || s.Tx != now {
			return false
		}
	}
	return true
}

// configured reports whether all arguments that flow into the operands are of
// earlier transactions that only owners can send.
func (o *overflows) configured(w *wrap) bool {
	sets, now, owners := o.env.observer.Sets(), len(o.history.txs)-1, false
	for s := range sets.Members(sets.Union(w.left.Sources(), w.right.Sources())) {
		switch {
		case s.Kind == shadow.FromCallValue, s.Kind == shadow.FromReturnData:
			return false
		case s.Kind != shadow.FromCalldata || s.Offset == 0:
		case s.Tx < 0 || s.Tx >= now || !o.env.OwnersOnly(o.history.txs[:s.Tx+1]):
			return false
		default:
			owners = true
		}
	}
	return owners
}

// formatNumber formats a number for a message: large ones by a near power of
// two, else by magnitude.
func formatNumber(n *big.Int) string {
	if n.BitLen() <= 64 {
		return n.String()
	}
	sign, abs := "", new(big.Int).Abs(n)
	if n.Sign() < 0 {
		sign = "-"
	}
	for _, bits := range []uint{uint(abs.BitLen()), uint(abs.BitLen() - 1)} {
		distance := new(big.Int).Sub(abs, new(big.Int).Lsh(big.NewInt(1), bits))
		switch {
		case distance.Sign() == 0:
			return fmt.Sprintf("%s2^%d", sign, bits)
		case distance.BitLen() <= 40 && sign == "":
			return fmt.Sprintf("2^%d %c %s", bits, map[int]rune{1: '+', -1: '-'}[distance.Sign()], new(big.Int).Abs(distance))
		}
	}
	return fmt.Sprintf("about %s%.3g", sign, new(big.Float).SetInt(abs))
}
