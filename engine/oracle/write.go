package oracle

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/shadow"
	"leveret/solc/ast"
)

// ArbitraryWrite reports writes that any actor can direct to any storage slot
// (HARVEY, ESEC/FSE 2020, section 4.3: memory-access errors). A hit of the
// probe slot may be a coincidence, so the write must hit a second one too.
var ArbitraryWrite = Oracle{
	Name: "arbitrary-write", SWC: "SWC-124", Severity: finding.Error,
	Title:        "Anyone can write any storage slot",
	Hint:         succeeded(saw(cover.ProbeHit)),
	Unexportable: noEffect,
	Watch: func(env *Env) Watcher {
		var found []Report
		return Watcher{
			Begin: func(*input.Tx, *evm.World) { found = found[:0] },
			Flows: &shadow.Events{Store: func(a *shadow.Access) {
				slot := a.Slot.Value()
				if a.Transient || !project(env, a.Frame) {
					return
				}
				for i := range env.Probes {
					if env.Probes[i] == common.Hash(slot.Bytes32()) {
						found = append(found, probed(env, a, env.Probes[1-i]))
					}
				}
			}},
			End: func(o *evm.Outcome, _ *evm.World, report func(Report)) {
				for _, r := range found {
					if o.Status == evm.Success {
						report(r)
					}
				}
			},
		}
	},
}

// probed is the report of a write to one probe, to be confirmed with another.
func probed(env *Env, a *shadow.Access, other common.Hash) Report {
	trail := []Site{{a.Frame.Code, a.PC}}
	slot, value := a.Slot.Value(), a.Value.Value()
	blame := env.Blame(trail)
	node := stores(blame.Node)
	if node != nil {
		blame.Text = env.Text(node)
	}
	r := Report{
		Trail: trail, Node: node, Contract: a.Frame.Self, Unprivileged: true,
		Message: fmt.Sprintf("%s can be made to overwrite any variable of the contract, its owner and balances too", blame.name()),
		Evidence: []finding.Evidence{
			{Name: "slot", Value: slot.Hex()}, {Name: "value", Value: value.Hex()},
		},
		Confirm: func(_, after *TxSummary) bool { return after.wrote(other) },
		Effect:  finding.ProbeWritten{Contract: a.Frame.Self, Slot: slot.Bytes32()},
	}
	flows := a.Slot.Flows()
	target := new(uint256.Int).SetBytes32(other[:])
	for i := range flows {
		if field, ok := flows[i].Solve(target); ok {
			r.Variants = append(r.Variants, Variant{Flow: &flows[i], Field: field})
		}
	}
	if len(r.Variants) == 0 {
		r.Variants = []Variant{{}} // no Flow: cannot be confirmed
	}
	return r
}

// stores returns the only sstore of an assembly block; nil if n is anything
// else. Some compilers map only whole blocks.
func stores(n *ast.Node) (found *ast.Node) {
	if n == nil || n.Type != ast.InlineAssembly {
		return nil
	}
	for _, call := range n.Find(ast.YulFunctionCall) {
		if name := call.Child("functionName"); name == nil || name.Name() != "sstore" {
			continue
		}
		if found != nil {
			return nil
		}
		found = call
	}
	return found
}

func (t *TxSummary) wrote(slot common.Hash) bool {
	for _, s := range t.Writes {
		if s == slot {
			return true
		}
	}
	return false
}
