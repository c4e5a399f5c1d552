package oracle

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/shadow"
	"leveret/solc/ast"
)

// A failure is a failed check in a frame of the project.
type failure struct {
	code  uint64
	text  string // of the blamed expression, quoted
	halts bool   // by INVALID, as before 0.8

	node, blamed *ast.Node     // of the check, and of what the trail says; may be nil
	args         []input.Value // that an actor passed to what it called
}

// watchFailures finds failed checks and reports those that judge accepts. The
// place of an event is its emit; events counts them as assertions.
func watchFailures(env *Env, judge func(failure) (Report, bool), events bool) Watcher {
	l := &failures{env: env, judge: judge}
	w := Watcher{
		Begin: func(tx *input.Tx, w *evm.World) {
			l.tx, l.found, l.open, l.ordered = tx, l.found[:0], l.open[:0], false
			l.worlds = append(l.worlds, w)
		},
		Enter: l.enter,
		Exit:  l.exit,
		Fault: func(s *evm.Step, _ error) {
			if s.Op == bytecode.INVALID && project(env, s.Frame) {
				l.add(s, panicUnknown)
			}
		},
		Ops: []byte{bytecode.REVERT},
		Step: func(s *evm.Step) {
			if s.Op != bytecode.REVERT {
				l.logs(s)
			} else if code, ok := panicCode(s); ok && project(env, s.Frame) {
				l.add(s, code)
			}
		},
		End: func(_ *evm.Outcome, _ *evm.World, report func(Report)) {
			for _, f := range l.found {
				if f.harmless && f.refused {
					f.Severity = finding.Information
				}
				report(f.Report)
			}
		},
	}
	if events {
		w.Log = l.log // a failed assertion never only refuses a request: it needs no taint
		if len(env.Topics) > 0 {
			w.Ops = append(w.Ops, bytecode.LOG1, bytecode.LOG2, bytecode.LOG3, bytecode.LOG4)
		}
	} else {
		w.Flows = &shadow.Events{Branch: l.branch, Call: l.call}
	}
	return w
}

// A failures is the state of one transaction.
type failures struct {
	env     *Env
	judge   func(failure) (Report, bool)
	tx      *input.Tx
	worlds  []*evm.World // before each transaction
	found   []failed
	open    []request // open frames, innermost last
	ordered bool      // an actor chose the function of the call being made
	callers []Site    // of the function that the latest event AssertionFailed is from
}

// A failed is a failed check and its consequences.
type failed struct {
	Report
	harmless bool // it did nothing but reject the request, if refused
	refused  bool // everything that the actor requested failed with it
}

// A request is an open frame.
type request struct {
	first   int           // index in found of its first failure
	ordered bool          // an actor calls it, or chose the called function
	asked   bool          // calldata decided its latest branch
	latest  shadow.Branch // zero: none
	below   shadow.Word   // was compared last with a number of an actor's, as the counter of a loop over a list of theirs
	counts  bool          // below was less than that
}

func (l *failures) enter(f *evm.Frame) {
	l.open = append(l.open, request{first: len(l.found), ordered: l.ordered || byActor(f)})
	l.ordered = false
}

func (l *failures) exit(_ *evm.Frame, status evm.Status, _ []byte, _ error) {
	last := len(l.open) - 1
	if at := l.open[last]; at.ordered && status != evm.Success {
		for i := at.first; i < len(l.found); i++ {
			l.found[i].refused = true
		}
	}
	l.open = l.open[:last]
}

func (l *failures) branch(b *shadow.Branch) {
	at := &l.open[len(l.open)-1]
	at.asked, at.latest = chosen(l.env.observer.Sets(), b.Cond.Sources()), *b
	if at.asked {
		at.bound(l.env.observer.Sets(), b)
	}
}

// bound learns from a branch that compares a number of an actor's with another one.
func (r *request) bound(sets *shadow.Sets, b *shadow.Branch) {
	for leaf := range b.Condition().Leaves {
		if leaf.Form != shadow.Compare || leaf.Relation == shadow.Equal || leaf.Relation == shadow.Differ {
			continue
		}
		if chosen(sets, leaf.Left.Sources()) {
			r.below, r.counts = leaf.Right, leaf.R.Lt(&leaf.L)
		} else {
			r.below, r.counts = leaf.Left, leaf.L.Lt(&leaf.R)
		}
	}
}

// counted reports whether the latest branch compares the same word, not only an equal one, which
// was less than a number of an actor's: they gave a list that is too long.
func (r *request) counted() bool {
	if !r.counts || r.latest.Frame == nil {
		return false
	}
	for leaf := range r.latest.Condition().Leaves {
		if leaf.Form == shadow.Compare && (leaf.Left == r.below || leaf.Right == r.below) {
			return true
		}
	}
	return false
}

// call records whether an actor chose the called function: then the call counts
// as the actor's.
func (l *failures) call(c *shadow.Call) {
	l.ordered = c.Args.Len() >= 4
	for i := 0; i < 4 && l.ordered; i++ {
		l.ordered = chosen(l.env.observer.Sets(), c.Args.At(i))
	}
}

// add records a check with a panic code that failed at a step.
func (l *failures) add(s *evm.Step, code uint64) {
	f, trail := s.Frame, l.env.trail()
	if code == panicMemory && !l.env.creates(trail, f) {
		return
	}
	blame := l.env.Blame(trail)
	var node *ast.Node
	if code != panicUnknown {
		node = l.env.check(trail, f, code)
	}
	switch {
	case node == nil:
	case node.Type == ast.FunctionDefinition:
		blame.Text = node.Name() + "()"
	default:
		blame.Text = l.env.Text(node)
	}
	what := classify(code, &blame)
	text, call := blame.name(), (*ast.Node)(nil) // of a helper that asserts
	if what == panicAssert && l.env.Sources.InAssertion(cmp.Or(node, blame.Node)) {
		if at := l.env.asserting(slices.Concat(trail, callers(s))); at != nil {
			if text = l.env.name(at); at.IsBuiltin("assert") {
				node = at
			} else {
				call = at
			}
		}
	}
	asserted, at := cmp.Or(node, blame.Node), &l.open[len(l.open)-1]
	r, ok := l.judge(failure{code: what, text: text, halts: code == panicUnknown, node: node, blamed: blame.Node, args: l.arguments(f)})
	if ok {
		r.Trail, r.Node, r.Contract = trail, node, f.Self
		if call != nil {
			l.env.speakOf(&r, call, asserted)
		} else {
			r.Related = append(r.Related, l.env.asked(trail, asserted)...)
		}
		l.found = append(l.found, failed{Report: r, harmless: refusesOnly(what, l.tx, at.asked || at.counted()) || l.empty(what)})
	}
}

// arguments returns what an actor passed to the frame that it called, which is f or led
// to f.
func (l *failures) arguments(f *evm.Frame) []input.Value {
	for !byActor(f) {
		f = f.Parent
	}
	if f.Parent == nil {
		return l.tx.Args
	}
	called := l.env.Function(f.To, f.Input)
	if called == nil {
		return nil
	}
	args, err := input.DecodeCalldata(called, f.Input)
	if err != nil {
		return nil
	}
	return args
}

// empty reports whether a check with a panic code fails because a list in storage has
// never had an element: the caller is told so, and there is nothing to lose.
func (l *failures) empty(code uint64) bool {
	latest := &l.open[len(l.open)-1].latest
	if code != panicBounds && code != panicPop && code != panicUnknown || latest.Frame == nil {
		return false
	}
	for leaf := range latest.Condition().Leaves {
		length := leaf.Left
		switch {
		case leaf.Form == shadow.Truthy:
		case leaf.Form != shadow.Compare:
			continue
		case leaf.Relation == shadow.Less:
			length = leaf.Right
		}
		if l.neverSet(length) {
			return true
		}
	}
	return false
}

// neverSet reports whether a word is zero and comes from storage that was zero before
// every transaction.
func (l *failures) neverSet(word shadow.Word) bool {
	value := word.Value()
	sources := l.env.observer.Sets().Sources(word.Sources())
	return value.IsZero() && len(sources) > 0 && !slices.ContainsFunc(sources, func(s shadow.TaintSource) bool {
		return s.Kind != shadow.FromStorage || slices.ContainsFunc(l.worlds, func(w *evm.World) bool {
			return w.Storage(s.Address, s.Slot) != common.Hash{}
		})
	})
}

// logs notes who calls the function that an event AssertionFailed is from.
func (l *failures) logs(s *evm.Step) {
	if l.env.Topics[s.Top(2).Bytes32()] != "" {
		l.callers = callers(s)
	}
}

// log handles the event AssertionFailed.
func (l *failures) log(f *evm.Frame, e *evm.Log) {
	if len(e.Topics) == 0 || l.env.Topics[e.Topics[0]] == "" || !project(l.env, f) {
		return
	}
	trail := l.env.trail()
	blame := l.env.Blame(trail)
	r := Report{Trail: trail, Contract: f.Self, Message: fmt.Sprintf("%s is reached", blame.name())}
	if l.env.Sources.InAssertion(blame.Node) {
		if call := l.env.asserting(slices.Concat(trail, l.callers)); call != nil {
			r.Message = fmt.Sprintf("this assertion can fail: %s", l.env.name(call))
			l.env.speakOf(&r, call, blame.Node)
		}
	}
	l.found = append(l.found, failed{Report: r})
}

// byActor reports whether an actor calls a frame: a transaction, or a call of
// the attacker contract.
func byActor(f *evm.Frame) bool { return f.Parent == nil || f.Parent.Self == input.Attacker.Address() }

// chosen reports whether an actor chose one of the sources: data of the
// transaction, or of the attacker contract's script.
func chosen(sets *shadow.Sets, set shadow.Set) bool {
	return sets.HasKind(set, shadow.FromCalldata) || slices.ContainsFunc(sets.Sources(set), func(s shadow.TaintSource) bool {
		return s.Kind == shadow.FromStorage && s.Address == input.Attacker.Address()
	})
}

// refusesOnly reports whether a failed check only rejects the actor's request,
// if everything the actor called fails with it: arithmetic without a result; an
// index, enum member or memory size that does not exist; or any check in a view
// function.
func refusesOnly(code uint64, called *input.Tx, asked bool) bool {
	switch code {
	case panicAssert:
		return false
	case panicArithmetic, panicDivision, panicArgument, panicMemory:
		return true
	}
	return asked || called.Function != nil && called.Function.Constant()
}

func project(env *Env, f *evm.Frame) bool { return f.Code != nil && env.Project(f.Code) }

// panicCode returns the code of Panic(uint256) if s reverts with one that did
// not come from a callee.
func panicCode(s *evm.Step) (uint64, bool) {
	offset, size := s.Top(0), s.Top(1)
	if !size.IsUint64() || size.Uint64() != 36 || !offset.IsUint64() || offset.Uint64() > uint64(len(s.Memory)) {
		return 0, false
	}
	data := s.Memory[offset.Uint64():]
	if len(data) < 36 || [4]byte(data) != [4]byte{0x4e, 0x48, 0x7b, 0x71} || string(data[:36]) == string(s.ReturnData) {
		return 0, false
	}
	var code uint256.Int
	code.SetBytes(data[4:36])
	return code.Uint64(), code.IsUint64()
}
