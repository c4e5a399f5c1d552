package oracle

import (
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/bytecode"
	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/shadow"
	"leveret/solc/ast"
)

// UncheckedCall reports failed low-level calls with unused results (HARVEY's
// SWC-104). It assumes that an account without code that the deployment or the
// code fixes as a recipient may refuse, too: only the attacker does refuse, and
// it cannot take that place.
var UncheckedCall = Oracle{
	Name: "unchecked-call", SWC: "SWC-104", Severity: finding.Warning,
	Title:        "The result of a failed call is ignored",
	Hint:         succeeded(saw(cover.CallFailed | cover.ActorCalled)),
	Unexportable: "the callee does not fail here, or runs out of gas, which Foundry does not distinguish from success",
	ByPath:       true,
	Watch: func(env *Env) Watcher {
		return watchIgnored(env, func(c *ignored, text string) (Report, bool) {
			if c.assumed {
				return Report{Message: fmt.Sprintf("if the account that it calls is a contract that refuses, %s fails without anyone noticing: the result is not looked at", text)}, true
			}
			return Report{Message: fmt.Sprintf("%s can fail without anyone noticing: the transaction goes on as if it had worked", text)}, true
		})
	},
}

// burnsGas is Oracle.Unexportable of the oracles for exceptions that are ignored.
const burnsGas = "the failing callee runs out of gas, which Foundry does not distinguish from success"

// ExceptionDisorder reports exceptions of a callee that its caller ignores
// (sFuzz, ICSE 2020, section 3.4).
var ExceptionDisorder = Oracle{
	Name: "exception-disorder", SWC: "SWC-104", Severity: finding.Warning,
	Title:        "An exception of a called contract is ignored",
	Cause:        &UncheckedCall,
	Hint:         succeeded(saw(cover.CallFailed)),
	Unexportable: burnsGas,
	ByPath:       true,
	Watch: func(env *Env) Watcher {
		return watchIgnored(env, func(c *ignored, text string) (Report, bool) {
			return Report{Message: fmt.Sprintf("an exception in the contract called by %s is swallowed: what that contract did is undone, what this one did is not", text)},
				c.threw && c.member != "send"
		})
	},
}

// An ignored is a failed call whose result nothing used so far, or one that is
// assumed to fail.
type ignored struct {
	source  shadow.TaintSource
	trail   []Site
	member  string // member of the address: "call", "send", …
	threw   bool   // code ran and failed
	starved bool   // code ran out of the stipend
	assumed bool   // the call succeeded; its recipient is fixed and assumed to refuse, see UncheckedCall
	used    bool
	report  Report
}

// An ignoredCalls follows the results of failed calls through one transaction.
type ignoredCalls struct {
	env     *Env
	calls   []ignored
	open    []int // len(calls) at the start of each open frame
	failed  bool  // code ran and failed in the frame that closed last
	halted  bool  // it halted
	broke   bool  // the caller's balance was too small
	starved bool  // it ran out of the stipend
	bare    bool  // an account without code was called
}

// watchIgnored finds failed calls with unused results and reports those that
// judge accepts.
func watchIgnored(env *Env, judge func(c *ignored, text string) (Report, bool)) Watcher {
	n := &ignoredCalls{env: env}
	return Watcher{
		Begin: func(*input.Tx, *evm.World) { n.calls, n.open = n.calls[:0], n.open[:0] },
		Enter: func(*evm.Frame) { n.open = append(n.open, len(n.calls)) },
		Exit:  n.exit,
		Flows: &shadow.Events{
			Returned: n.returned,
			Call:     func(c *shadow.Call) { n.use(c.Args.Sources(), c.Value.Sources()) },
			Branch:   func(b *shadow.Branch) { n.use(b.Cond.Sources()) },
			Store:    func(a *shadow.Access) { n.use(a.Value.Sources()) },
			Return:   func(r *shadow.Return) { n.use(r.Data.Sources()) },
			Log:      func(l *shadow.Log) { n.use(l.Data.Sources()) },
		},
		End: func(o *evm.Outcome, _ *evm.World, report func(Report)) {
			if o.Status != evm.Success {
				return
			}
			for i := range n.calls {
				c := &n.calls[i]
				r, ok := judge(c, env.Blame(c.trail).name())
				if c.used || !ok {
					continue
				}
				r.Trail, r.Contract, r.Evidence, r.Effect = c.trail, c.report.Contract, c.report.Evidence, c.report.Effect
				report(r)
			}
		},
	}
}

func (n *ignoredCalls) exit(f *evm.Frame, status evm.Status, _ []byte, halt error) {
	n.bare = f.Code == nil
	n.broke = halt == evm.ErrBalance
	n.failed = status != evm.Success && f.Code != nil && !n.broke
	n.halted = n.failed && status == evm.Halt
	n.starved = n.failed && halt == evm.ErrOutOfGas && f.Gas <= evm.CallStipend
	last := len(n.open) - 1
	if status != evm.Success {
		n.calls = n.calls[:n.open[last]]
	}
	n.open = n.open[:last]
}

// choices are the sources of an address that users choose.
var choices = []shadow.Kind{shadow.FromUnknown, shadow.FromCalldata, shadow.FromCaller, shadow.FromOrigin, shadow.FromReturnData}

// fixed reports whether a call reached an account without code that no
// transaction chose. It may be a contract on the chain where the code is
// deployed.
func (n *ignoredCalls) fixed(c *shadow.Call) bool {
	if target := c.Target.Value(); !n.bare || target.BitLen() <= 32 { // a precompiled contract, or no account at all
		return false
	}
	return !slices.ContainsFunc(choices, func(kind shadow.Kind) bool {
		return n.env.observer.Sets().HasKind(c.Target.Sources(), kind)
	})
}

// returned records a call that failed, or may fail.
func (n *ignoredCalls) returned(c *shadow.Call) {
	result := c.Result.Value()
	failed := result.IsZero()
	if !failed && !n.fixed(c) || c.Op == bytecode.CREATE || c.Op == bytecode.CREATE2 || c.Op == bytecode.STATICCALL {
		return
	}
	if c.Frame.Code == nil || !n.env.Project(c.Frame.Code) {
		return
	}
	site := Site{c.Frame.Code, c.PC}
	b, ok := n.env.source(site)
	if !ok || b.Node == nil {
		return
	}
	member := memberCalled(b.Node)
	if member == "" {
		return
	}
	target, wei := c.Target.Value(), c.Value.Value()
	call := ignored{
		source: shadow.TaintSource{Kind: shadow.FromCallResult, Tx: n.env.observer.State().Txs - 1, Offset: c.Number},
		trail:  []Site{site}, member: member, threw: n.failed, starved: n.starved,
		assumed: !failed,
		report: Report{Contract: c.Frame.Self, Evidence: []finding.Evidence{
			{Name: "called", Value: n.env.Name(target.Bytes20())}, {Name: "wei", Value: wei.Dec()},
		}},
	}
	if failed {
		call.report.Effect = n.sign(c)
	}
	n.calls = append(n.calls, call)
}

// sign returns the effect that shows an ignored failure; nil if the callee is
// project code that halts, because a test cannot see that.
func (n *ignoredCalls) sign(c *shadow.Call) finding.Effect {
	target := c.Target.Value()
	callee := common.Address(target.Bytes20())
	if n.halted && callee != input.Attacker.Address() {
		return nil
	}
	return finding.IgnoredFailure{Caller: c.Frame.Self, Callee: callee, Selector: selectorOf(c.Args.Value()), InsufficientBalance: n.broke}
}

// selectorOf returns the selector of calldata; nil if it is too short.
func selectorOf(data []byte) []byte {
	if len(data) < 4 {
		return nil
	}
	return data[:4]
}

// memberCalled returns the member name of a low-level call in the source; empty
// if the compiler checks its result.
func memberCalled(n *ast.Node) string {
	switch n.Type {
	case ast.FunctionCall:
		if m := n.LowLevel(); m != "transfer" {
			return m
		}
	case ast.YulFunctionCall:
		if name := n.Child("functionName"); name != nil {
			switch name.Name() {
			case "call", "callcode", "delegatecall":
				return name.Name()
			}
		}
	}
	return ""
}

// use records which results flow into something that acts on them. Few sets have
// any: a loop may ignore thousands of calls.
func (n *ignoredCalls) use(sets ...shadow.Set) {
	table := n.env.observer.Sets()
	for _, set := range sets {
		if !table.HasKind(set, shadow.FromCallResult) {
			continue
		}
		for i := range n.calls {
			n.calls[i].used = n.calls[i].used || table.Has(set, n.calls[i].source)
		}
	}
}
