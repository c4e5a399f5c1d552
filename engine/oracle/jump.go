package oracle

import (
	"fmt"

	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/shadow"
)

// ArbitraryJump reports jumps that any actor can redirect (HARVEY's SWC-127).
var ArbitraryJump = Oracle{
	Name: "arbitrary-jump", SWC: "SWC-127", Severity: finding.Error,
	Title:        "Anyone can choose which code runs",
	Hint:         func(o *Observation) bool { return o.Sources.FreeJumps },
	Unexportable: "no input makes the jump fail",
	Watch: func(env *Env) Watcher {
		j := &jumps{env: env}
		return Watcher{
			Begin: func(*input.Tx, *evm.World) { j.reports, j.seen = j.reports[:0], map[Site]bool{} },
			Flows: &shadow.Events{Jump: j.jump},
			End: func(_ *evm.Outcome, _ *evm.World, report func(Report)) {
				for _, r := range j.reports {
					report(r)
				}
			},
		}
	},
}

type jumps struct {
	env     *Env
	seen    map[Site]bool
	reports []Report
}

// jump checks the sources of a jump destination. Compilers compute some from
// constants, and load function variables from storage that the contract wrote.
func (j *jumps) jump(at *shadow.Jump) {
	if at.Op != bytecode.JUMP || at.Dest.Fixed() {
		return
	}
	sets, set := j.env.observer.Sets(), at.Dest.Sources()
	if !sets.HasKind(set, shadow.FromCalldata) && !sets.HasKind(set, shadow.FromCallValue) && !sets.HasKind(set, shadow.FromCaller) {
		return
	}
	site := Site{at.Frame.Code, at.PC}
	if j.seen[site] || !project(j.env, at.Frame) {
		return
	}
	j.seen[site] = true
	trail := j.env.trail()
	was := at.Dest.Value()
	r := Report{
		Trail: trail, Contract: at.Frame.Self, Unprivileged: true,
		Message:        fmt.Sprintf("anyone can make %s go on at another place in the code, past any check", j.env.Blame(trail).name()),
		Evidence:       []finding.Evidence{{Name: "destination", Value: was.Hex()}},
		Variants:       j.elsewhere(at),
		Discriminators: j.nowhere(at),
		Discriminates:  func(_, after *TxSummary) bool { return after.Status == evm.Halt },
		Confirm: func(_, after *TxSummary) bool {
			for _, dest := range after.Jumps {
				if !was.IsUint64() || dest != was.Uint64() {
					return true
				}
			}
			return false
		},
	}
	if len(r.Variants) > 0 {
		j.reports = append(j.reports, r)
	}
}

// maxDestinations bounds the alternative destinations.
const maxDestinations = 64

// elsewhere lists variants that redirect a jump to other valid destinations.
func (j *jumps) elsewhere(at *shadow.Jump) (variants []Variant) {
	flows, was := at.Dest.Flows(), at.Dest.Value()
	code := at.Frame.Code.Analysis()
	for i := range flows {
		for _, b := range code.Blocks {
			if code.Bytes[b.Start] != bytecode.JUMPDEST || was.IsUint64() && uint64(b.Start) == was.Uint64() {
				continue
			}
			if field, ok := flows[i].Solve(uint256.NewInt(uint64(b.Start))); ok {
				variants = append(variants, Variant{Flow: &flows[i], Field: field})
			}
			if len(variants) >= maxDestinations {
				return variants
			}
		}
	}
	return variants
}

// nowhere lists variants that redirect a jump to invalid destinations.
func (j *jumps) nowhere(at *shadow.Jump) (variants []Variant) {
	flows := at.Dest.Flows()
	code := at.Frame.Code.Analysis()
	for i := range flows {
		for pc := range uint64(3) {
			if field, ok := flows[i].Solve(uint256.NewInt(pc)); ok && !code.IsJumpdest(pc) {
				variants = append(variants, Variant{Flow: &flows[i], Field: field, Effect: finding.InvalidJump{}})
			}
		}
	}
	return variants
}
