package triage

import (
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/bytecode"
	"leveret/engine/deploy"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/shadow"
)

// A mock that takes every call and does nothing stands for a contract that nobody here
// knows. That contract may have effects on which the code relies, and cannot take more
// wei than there is.

// standIns are what the last transaction of a verdict has to do with such mocks, as far as
// no sender chose them.
type standIns struct {
	checker *Checker
	site    oracle.Site  // of the verdict
	latest  []shadow.Set // by open frame: the sources of its latest branch
	orders  int          // calls of mocks so far that may have an effect
	answers []answer
	relies  bool // the branch before the site depends on the same answer from before and after such a call
	paid    []payment
}

// An answer is what a contract was told by another one.
type answer struct {
	to       common.Address
	question string
	orders   int // calls before
	source   shadow.TaintSource
}

// A payment is an amount that a mock took as an argument of a payable function: more wei
// than there is.
type payment struct {
	mock   common.Address
	amount *big.Int
}

// reliesOnMock reports whether an assertion compares what another contract answers before
// and after a call of a mock that stands for one which may change that.
func (c *Checker) reliesOnMock(txs []input.Tx, v *Verdict) bool {
	if v.report.Oracle != &oracle.Assertion {
		return false
	}
	s, _ := c.observeStandIns(txs, v)
	return s != nil && s.relies
}

// overpays reports whether an operand of arithmetic that wrapped is an amount of wei that
// nobody has, and the transaction fails if a mock does not take it.
func (c *Checker) overpays(txs []input.Tx, v *Verdict) bool {
	if v.report.Oracle != &oracle.Overflow {
		return false
	}
	s, before := c.observeStandIns(txs, v)
	return s != nil && slices.ContainsFunc(s.paid, func(p payment) bool {
		return v.operand(p.amount) && c.failsWithout(before, &txs[len(txs)-1], p.mock)
	})
}

// operand reports whether a number went into arithmetic that wrapped.
func (v *Verdict) operand(n *big.Int) bool {
	for _, e := range v.report.Evidence {
		if (e.Name == "left" || e.Name == "right" || e.Name == "before") && e.Value == n.String() {
			return true
		}
	}
	return false
}

// failsWithout reports whether a transaction fails if a contract refuses all calls.
func (c *Checker) failsWithout(at exec.State, tx *input.Tx, contract common.Address) bool {
	at.World = at.World.Fork()
	at.World.SetCode(contract, []byte{bytecode.PUSH0, bytecode.PUSH0, bytecode.REVERT})
	_, outcome := c.run.transact(at, tx, nil)
	return outcome.Status != evm.Success
}

// observeStandIns executes the transactions of a verdict with taint, and returns the state
// before the last one, too; nil if no mock takes every call.
func (c *Checker) observeStandIns(txs []input.Tx, v *Verdict) (s *standIns, before exec.State) {
	at := c.subject.Start
	silent := func(d deploy.Deployed) bool { return d.Mock != nil && d.Mock.Silent() }
	if len(v.report.Trail) == 0 || !slices.ContainsFunc(c.subject.Deployment.Contracts, silent) {
		return nil, at
	}
	s = &standIns{checker: c, site: v.report.Trail[0]}
	c.observer.Attach(shadow.NewState())
	for i := range txs {
		hooks := c.observer.Hooks()
		c.observer.Events = shadow.Events{}
		if i == len(txs)-1 {
			hooks = &evm.Hooks{Step: s.step, Fault: func(p *evm.Step, _ error) { s.reach(p) }, Enter: s.enter, Exit: s.exit}
			c.observer.Events = shadow.Events{Call: s.call, Returned: s.returned, Branch: s.branch}
		}
		before = at
		next, outcome := c.run.executor.Transact(at, &txs[i], nil, hooks)
		c.run.count(&outcome, true, uint64(max(c.run.executor.Machine.Instructions(), 0)))
		at = c.run.executor.Then(at, next, &txs[i], &outcome)
	}
	return s, before
}

func (s *standIns) enter(f *evm.Frame) {
	s.latest = append(s.latest, shadow.Set(0))
	s.checker.observer.Enter(f)
}

func (s *standIns) exit(f *evm.Frame, status evm.Status, ret []byte, gasUsed uint64, halt error) {
	s.latest = s.latest[:len(s.latest)-1]
	s.checker.observer.Exit(f, status, ret, gasUsed, halt)
}

func (s *standIns) step(p *evm.Step) {
	s.checker.observer.Step(p)
	s.reach(p)
}

// reach decides at the site whether the branch before it relies on a mock.
func (s *standIns) reach(p *evm.Step) {
	if p.Frame.Code != s.site.Code || p.PC != s.site.PC {
		return
	}
	sets, decided := s.checker.observer.Sets(), s.latest[len(s.latest)-1]
	for i, after := range s.answers {
		s.relies = s.relies || sets.Has(decided, after.source) && slices.ContainsFunc(s.answers[:i], func(before answer) bool {
			return before.to == after.to && before.question == after.question && before.orders < after.orders && sets.Has(decided, before.source)
		})
	}
}

func (s *standIns) branch(b *shadow.Branch) { s.latest[len(s.latest)-1] = b.Cond.Sources() }

// returned records an answer.
func (s *standIns) returned(c *shadow.Call) {
	if c.Op != bytecode.CALL && c.Op != bytecode.STATICCALL {
		return
	}
	to := c.Target.Value()
	asked := common.Address(to.Bytes20())
	s.answers = append(s.answers, answer{
		c.Frame.Self, string(append(asked[:], c.Args.Value()...)), s.orders,
		shadow.TaintSource{Kind: shadow.FromReturnData, Tx: s.checker.observer.State().Txs - 1, Offset: c.Number},
	})
}

// call records a call of a mock that may have an effect.
func (s *standIns) call(c *shadow.Call) {
	to := c.Target.Value()
	mock := common.Address(to.Bytes20())
	if c.Op != bytecode.CALL || !s.checker.isSilent(mock) || s.chosen(c.Target.Sources()) {
		return
	}
	data := c.Args.Value()
	f, _ := selected(s.checker.subject, nil, data)
	if f != nil && f.Constant() { // code of before 0.5 makes no static calls
		return
	}
	s.orders++
	if f == nil || f.Mutability != input.Payable {
		return
	}
	args, err := input.DecodeCalldata(f, data)
	if err != nil {
		return
	}
	for i := range args {
		if args[i].Type.Kind == input.KindUint && args[i].Word.BitLen() > input.WeiBits {
			s.paid = append(s.paid, payment{mock, args[i].Word.ToBig()})
		}
	}
}

// chosen reports whether a sender chose one of some sources.
func (s *standIns) chosen(set shadow.Set) bool {
	sets := s.checker.observer.Sets()
	return slices.ContainsFunc(sets.Sources(set), func(t shadow.TaintSource) bool {
		switch t.Kind {
		case shadow.FromUnknown, shadow.FromCalldata, shadow.FromCaller, shadow.FromOrigin:
			return true
		}
		return t.Kind == shadow.FromStorage && t.Address == input.Attacker.Address()
	})
}

// isSilent reports whether a contract is a mock that takes every call and does nothing.
func (c *Checker) isSilent(a common.Address) bool {
	return slices.ContainsFunc(c.subject.Deployment.Contracts, func(d deploy.Deployed) bool {
		return d.Address == a && d.Mock != nil && d.Mock.Silent()
	})
}
