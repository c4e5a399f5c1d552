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
	"leveret/engine/search"
	"leveret/engine/shadow"
)

// mocks are those that take every call and do nothing. Such a mock stands for a contract
// that nobody here knows: that one may have effects on which the code relies, and cannot
// take more wei than there is.
type mocks struct {
	subject  *search.Subject
	run      *runner
	observer *shadow.Observer
}

// standIns are what the last transaction of a claim has to do with such mocks, as far as
// no sender chose them.
type standIns struct {
	*mocks
	site    oracle.Site  // of the claim
	latest  []shadow.Set // by open frame: the sources of its latest branch
	orders  int          // calls of mocks so far that may have an effect
	answers []answer
	relies  bool // the branch before the site depends on the same answer from before and after such a call
	told    bool // that branch depends on the answer of such a mock
	paid    []payment
}

// An answer is what a contract was told by another one.
type answer struct {
	to       common.Address
	question string
	orders   int // calls before
	source   shadow.TaintSource
	mock     bool // a mock gave it
}

// A payment is an amount that a mock took as an argument of a payable function: more wei
// than there is.
type payment struct {
	mock   common.Address
	amount *big.Int
}

// idle reports whether an assertion compares what another contract answers before and
// after a call of a mock that stands for one which may change that.
func (m *mocks) idle(c *claim) bool {
	if !c.isOf(&oracle.Assertion) {
		return false
	}
	s, _ := m.observe(c)
	return s != nil && s.relies
}

// answered reports whether a check of the compiler fails by what a mock answers.
func (m *mocks) answered(c *claim) bool {
	if !c.isOf(&oracle.Panic) {
		return false
	}
	s, _ := m.observe(c)
	return s != nil && s.told
}

// overpaid reports whether an operand of arithmetic that wrapped is an amount of wei that
// nobody has, and the transaction fails if a mock does not take it.
func (m *mocks) overpaid(c *claim) bool {
	if !c.isOf(&oracle.Overflow) {
		return false
	}
	s, before := m.observe(c)
	return s != nil && slices.ContainsFunc(s.paid, func(p payment) bool {
		return c.operand(p.amount) && failsWithout(m.run, before, &c.txs[len(c.txs)-1], p.mock)
	})
}

// operand reports whether a number went into arithmetic that wrapped.
func (c *claim) operand(n *big.Int) bool {
	for _, e := range c.report.Evidence {
		if (e.Name == "left" || e.Name == "right" || e.Name == "before") && e.Value == n.String() {
			return true
		}
	}
	return false
}

// failsWithout reports whether a transaction fails if a contract refuses all calls.
func failsWithout(run *runner, at exec.State, tx *input.Tx, contract common.Address) bool {
	at.World = at.World.Fork()
	at.World.SetCode(contract, []byte{bytecode.PUSH0, bytecode.PUSH0, bytecode.REVERT})
	_, outcome := run.transact(at, tx, nil)
	return outcome.Status != evm.Success
}

// observe executes the transactions of a claim with taint, and returns the state before
// the last one, too; nil if no mock takes every call.
func (m *mocks) observe(c *claim) (s *standIns, before exec.State) {
	at := m.run.start
	if len(c.report.Trail) == 0 || !slices.ContainsFunc(m.subject.Deployment.Contracts, isSilent) {
		return nil, at
	}
	s = &standIns{mocks: m, site: c.report.Trail[0]}
	m.observer.Attach(shadow.NewState())
	for i := range c.txs {
		hooks := m.observer.Hooks()
		m.observer.Events = shadow.Events{}
		if i == len(c.txs)-1 {
			hooks = &evm.Hooks{Step: s.step, Fault: func(p *evm.Step, _ error) { s.reach(p) }, Enter: s.enter, Exit: s.exit}
			m.observer.Events = shadow.Events{Call: s.call, Returned: s.returned, Branch: s.branch}
		}
		before = at
		at = m.run.advanceTainted(at, &c.txs[i], hooks)
	}
	return s, before
}

func (s *standIns) enter(f *evm.Frame) {
	s.latest = append(s.latest, shadow.Set(0))
	s.observer.Enter(f)
}

func (s *standIns) exit(f *evm.Frame, status evm.Status, ret []byte, gasUsed uint64, halt error) {
	s.latest = s.latest[:len(s.latest)-1]
	s.observer.Exit(f, status, ret, gasUsed, halt)
}

func (s *standIns) step(p *evm.Step) {
	s.observer.Step(p)
	s.reach(p)
}

// reach decides at the site how the branch before it depends on answers.
func (s *standIns) reach(p *evm.Step) {
	if p.Frame.Code != s.site.Code || p.PC != s.site.PC {
		return
	}
	sets, decided := s.observer.Sets(), s.latest[len(s.latest)-1]
	for i, after := range s.answers {
		s.told = s.told || after.mock && sets.Has(decided, after.source)
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
		shadow.TaintSource{Kind: shadow.FromReturnData, Tx: s.observer.State().Txs - 1, Offset: c.Number},
		s.silent(asked) && !s.chosen(c.Target.Sources()),
	})
}

// call records a call of a mock that may have an effect.
func (s *standIns) call(c *shadow.Call) {
	to := c.Target.Value()
	mock := common.Address(to.Bytes20())
	if c.Op != bytecode.CALL || !s.silent(mock) || s.chosen(c.Target.Sources()) {
		return
	}
	data := c.Args.Value()
	f, _ := selected(s.subject, nil, data)
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
	sets := s.observer.Sets()
	return slices.ContainsFunc(sets.Sources(set), func(t shadow.TaintSource) bool {
		switch t.Kind {
		case shadow.FromUnknown, shadow.FromCalldata, shadow.FromCaller, shadow.FromOrigin:
			return true
		}
		return t.Kind == shadow.FromStorage && t.Address == input.Attacker.Address()
	})
}

// silent reports whether a contract is a mock that takes every call and does nothing.
func (m *mocks) silent(a common.Address) bool {
	return slices.ContainsFunc(m.subject.Deployment.Contracts, func(d deploy.Deployed) bool { return d.Address == a && isSilent(d) })
}

func isSilent(d deploy.Deployed) bool { return d.Mock != nil && d.Mock.Silent() }
