package oracle

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/shadow"
)

// DelegateCall reports delegate calls to code that any actor can choose. It
// excludes proxies that forward calls to an address of their own, and contracts
// that call themselves for a batch of calls: the same sender could have made
// each call. Code created in the same transaction belongs to its creator.
var DelegateCall = Oracle{
	Name: "delegatecall", SWC: "SWC-112", Severity: finding.Error,
	Title:        "Anyone can choose the code of a delegatecall",
	Hint:         succeeded(saw(cover.Delegated)),
	Unexportable: noEffect,
	Watch: func(env *Env) Watcher {
		d := &delegates{env: env}
		return Watcher{
			Begin: func(_ *input.Tx, w *evm.World) { d.reports, d.before = d.reports[:0], w },
			Flows: &shadow.Events{Returned: d.returned},
			End: func(o *evm.Outcome, _ *evm.World, report func(Report)) {
				for _, r := range d.reports {
					if o.Status == evm.Success {
						report(r)
					}
				}
			},
		}
	},
}

type delegates struct {
	env     *Env
	before  *evm.World
	reports []Report
}

// others are addresses to redirect a delegate call to: accounts without code,
// so that the call succeeds.
var others = []common.Address{input.User2.Address(), input.Attacker.Address(), input.User1.Address()}

func (d *delegates) returned(c *shadow.Call) {
	result := c.Result.Value()
	if c.Op != bytecode.DELEGATECALL && c.Op != bytecode.CALLCODE || result.IsZero() || !project(d.env, c.Frame) || d.before.Code(c.Frame.Self) == nil {
		return
	}
	site := Site{c.Frame.Code, c.PC}
	target := c.Target.Value()
	r := Report{
		Trail: []Site{site}, Contract: c.Frame.Self, Unprivileged: true,
		Evidence: []finding.Evidence{{Name: "code", Value: d.env.Name(target.Bytes20())}},
	}
	text := d.env.Blame(r.Trail).name()
	if d.chosen(c.Target.Sources()) {
		r.Message = fmt.Sprintf("anyone can make this contract run foreign code as its own, by %s", text)
		r.Variants = d.elsewhere(c)
		was := common.Address(target.Bytes20())
		r.Confirm = func(_, after *TxSummary) bool { return ranOther(after, was) }
		r.Discriminators, r.Discriminates = r.Variants, r.Confirm
		d.reports = append(d.reports, r)
		return
	}
	foreign := target.Bytes20() != c.Frame.Self && d.before.Code(target.Bytes20()) != nil
	if foreign && d.choosesFunction(c) {
		r.Message = fmt.Sprintf("anyone can choose which function runs on this contract's storage, by %s", text)
		r.Effect = finding.ForeignCode{Contract: c.Frame.Self, Code: target.Bytes20(), Selector: selectorOf(c.Args.Value())}
		d.reports = append(d.reports, r)
	}
}

// chosen reports whether a transaction's sender influences a set.
func (d *delegates) chosen(set shadow.Set) bool {
	sets := d.env.observer.Sets()
	return sets.HasKind(set, shadow.FromCalldata) || sets.HasKind(set, shadow.FromCaller)
}

// elsewhere lists variants that redirect a call to other addresses.
func (d *delegates) elsewhere(c *shadow.Call) (variants []Variant) {
	flows := c.Target.Flows()
	for i := range flows {
		for _, a := range others {
			if field, ok := flows[i].Solve(new(uint256.Int).SetBytes20(a[:])); ok {
				sign := finding.ForeignCode{Contract: c.Frame.Self, Code: a}
				variants = append(variants, Variant{Flow: &flows[i], Field: field, Effect: sign})
			}
		}
	}
	was := c.Target.Value()
	for _, a := range others { // encoding and decoding hide the Flow
		sign := finding.ForeignCode{Contract: c.Frame.Self, Code: a}
		variants = append(variants, Variant{Was: &was, Field: *new(uint256.Int).SetBytes20(a[:]), Effect: sign})
	}
	return variants
}

// ranOther reports whether code of another account ran.
func ranOther(after *TxSummary, was common.Address) bool {
	for _, a := range after.Delegates {
		for _, other := range others {
			if a == other && a != was {
				return true
			}
		}
	}
	return false
}

// choosesFunction reports whether the called function is an argument. The
// selector of the transaction itself, which proxies pass on, does not count.
func (d *delegates) choosesFunction(c *shadow.Call) bool {
	if c.Args.Len() < 4 {
		return false
	}
	sets := d.env.observer.Sets()
	for i := range 4 {
		argument := false
		for s := range sets.Members(c.Args.At(i)) {
			argument = argument || s.Kind == shadow.FromCalldata && s.Offset > 0
		}
		if !argument {
			return false
		}
	}
	return true
}
