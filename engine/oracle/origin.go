package oracle

import (
	"fmt"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/shadow"
)

// TxOrigin reports checks that let the account that started the transaction do
// what changes something (SWC-115): a contract that this account calls can do it
// in its name.
var TxOrigin = Oracle{
	Name: "tx-origin", SWC: "SWC-115", Severity: finding.Warning,
	Title:        "tx.origin decides who may do this",
	Hint:         succeeded(func(o *Observation) bool { return o.Sources.ReadsOrigin }),
	Unexportable: "the authorized account calls by itself here; a test would need a contract that lures it",
	ByPath:       true,
	Watch: func(env *Env) Watcher {
		o := &origins{env: env}
		return Watcher{
			Begin: func(tx *input.Tx, _ *evm.World) {
				o.from, o.reads, o.checks, o.lasting = tx.From, o.reads[:0], o.checks[:0], false
			},
			Flows: &shadow.Events{
				Asked: o.asked, Branch: o.branch,
				Store:        func(*shadow.Access) { o.lasting = o.lasting || len(o.checks) > 0 },
				Call:         func(c *shadow.Call) { o.lasting = o.lasting || len(o.checks) > 0 && c.Op != bytecode.STATICCALL },
				SelfDestruct: func(*shadow.SelfDestruct) { o.lasting = o.lasting || len(o.checks) > 0 },
			},
			End: func(out *evm.Outcome, _ *evm.World, report func(Report)) {
				for _, r := range o.checks {
					if out.Status == evm.Success && o.lasting {
						report(r)
					}
				}
			},
		}
	},
}

// An origins is the state of one transaction.
type origins struct {
	env     *Env
	from    input.Actor
	reads   []blockRead
	checks  []Report // that tx.origin passed
	lasting bool     // something changed after a check
}

func (o *origins) asked(a *shadow.Asked) {
	if a.Op == bytecode.ORIGIN && project(o.env, a.Frame) {
		o.reads = append(o.reads, blockRead{Site{a.Frame.Code, a.PC}, o.env.observer.Mark(a.Answer)})
	}
}

// branch records a check that the origin of the transaction passes.
func (o *origins) branch(b *shadow.Branch) {
	if len(o.reads) == 0 || !project(o.env, b.Frame) {
		return
	}
	for leaf := range b.Condition().Leaves {
		if !o.authorizes(leaf) {
			continue
		}
		read, ok := o.read(leaf)
		if !ok {
			continue
		}
		trail := []Site{read}
		o.checks = append(o.checks, Report{
			Trail: trail, Contract: b.Frame.Self,
			Message:  fmt.Sprintf("any contract that the authorized account calls passes this check: %s is compared in place of msg.sender", o.env.Blame(trail).name()),
			Evidence: []finding.Evidence{{Name: "tx.origin", Value: o.from.String()}},
		})
	}
}

// authorizes reports whether a condition holds for one origin: it equals a
// stored address, or a list has it. That it equals the caller only keeps
// contracts out; that a call of it succeeds says nothing about it.
func (o *origins) authorizes(leaf *shadow.Condition) bool {
	sets := o.env.observer.Sets()
	if leaf.Form == shadow.Truthy {
		return !leaf.L.IsZero() && sets.HasKind(leaf.Left.Index(), shadow.FromOrigin) && !sets.HasKind(leaf.Left.Sources(), shadow.FromCallResult)
	}
	if leaf.Form != shadow.Compare || leaf.Relation != shadow.Equal && leaf.Relation != shadow.Differ || leaf.L != leaf.R {
		return false
	}
	for _, sides := range [2][2]shadow.Word{{leaf.Left, leaf.Right}, {leaf.Right, leaf.Left}} {
		if sets.HasKind(sides[0].Sources(), shadow.FromOrigin) {
			return !sets.HasKind(sides[1].Sources(), shadow.FromCaller) && !sets.HasKind(sides[1].Sources(), shadow.FromOrigin)
		}
	}
	return false
}

// read returns the instruction that read the origin for a condition.
func (o *origins) read(leaf *shadow.Condition) (Site, bool) {
	sets := o.env.observer.Sets()
	into := []shadow.Set{leaf.Left.Sources(), leaf.Left.Index()}
	if leaf.Form == shadow.Compare {
		into = append(into, leaf.Right.Sources())
	}
	for i := len(o.reads) - 1; i >= 0; i-- {
		for _, set := range into {
			if sets.Has(set, o.reads[i].mark) {
				return o.reads[i].site, true
			}
		}
	}
	return Site{}, false
}
