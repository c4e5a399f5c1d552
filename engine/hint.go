package engine

import (
	"slices"
	"strings"

	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/engine/oracle"
	"leveret/solc"
	"leveret/solc/ast"
)

// A hint is what the hot tier sees of everything that an oracle may report
// about the last Tx: where there is none the oracle has nothing to say, and
// the run is not repeated for it.
type hint func(*campaign, *result) bool

// hints has a row for every oracle.
var hints = map[*oracle.Oracle]hint{
	&oracle.Assertion:         saw(cover.Invalid | cover.Panicked | cover.Logged),
	&oracle.Panic:             saw(cover.Invalid | cover.Panicked),
	&oracle.Overflow:          (*campaign).mayHaveWrapped,
	&oracle.UncheckedCall:     succeeded(saw(cover.CallFailed)),
	&oracle.ExceptionDisorder: succeeded(saw(cover.CallFailed)),
	&oracle.GaslessSend:       succeeded(saw(cover.CallFailed)),
	&oracle.ArbitraryWrite:    succeeded(saw(cover.ProbeHit)),
	&oracle.DelegateCall:      succeeded(saw(cover.Delegated)),
	&oracle.SelfDestruct:      succeeded(saw(cover.Destroyed)),
	&oracle.Reentrancy:        succeeded(saw(cover.Reentered)),
	&oracle.DosFailedCall:     refused,
	&oracle.EtherLeak:         func(_ *campaign, r *result) bool { return r.takes() },
	&oracle.FreezingEther:     succeeded(locksUp),
	&oracle.Timestamp:         succeeded(decides),
	&oracle.BlockNumber:       succeeded(decides),
	&oracle.ArbitraryJump:     func(c *campaign, _ *result) bool { return c.steerable },
	&oracle.Requirement:       saw(cover.CalleeReverted),
}

// saw is the hint that a run shows any of some signs.
func saw(signs cover.Suspicion) hint {
	return func(_ *campaign, r *result) bool { return r.Run.Suspicion&signs != 0 }
}

// succeeded limits a hint to runs that did not fail.
func succeeded(h hint) hint {
	return func(c *campaign, r *result) bool { return r.Outcome.Status == evm.Success && h(c, r) }
}

// refused is the hint that the attacker's contract makes somebody else fail.
func refused(_ *campaign, r *result) bool {
	const signs = cover.AttackerCalled | cover.CallFailed
	return r.Outcome.Status != evm.Success && r.Run.Suspicion&signs == signs && r.Sequence.Last().From != input.Attacker
}

// locksUp is the hint that wei go where nothing parts with any.
func locksUp(c *campaign, r *result) bool {
	tx := r.Sequence.Last()
	if tx.Value.IsZero() {
		return false
	}
	code := r.States[len(r.States)-1].World.Code(tx.To)
	return code != nil && c.judge.locks(code)
}

// decides is the hint that the block had a say in a transfer.
func decides(_ *campaign, r *result) bool {
	const signs = cover.BlockRead | cover.Paid
	return r.Run.Suspicion&signs == signs
}

// mayHaveWrapped is the hint that arithmetic did not fit its type. Where the
// compiler does not tell which type that is, it may be in any run.
func (c *campaign) mayHaveWrapped(r *result) bool {
	return r.Outcome.Status == evm.Success && (c.obscure || r.Run.Suspicion&cover.Wrapped != 0)
}

// hintedBy reports whether an oracle may have something to say about the last
// Tx of s.
func (j *judge) hintedBy(o *oracle.Oracle, s input.Sequence) bool {
	r := execute(j.executor, &candidate{Job: exec.Job{Sequence: s, States: []exec.State{j.start}}, change: mutate.Diff{Shape: true}})
	return !r.PrefixFailed && hints[o](j.campaign, &r)
}

// hinted reports whether an oracle may have something to say about r.
func (c *campaign) hinted(r *result) bool {
	return slices.ContainsFunc(c.judge.oracles, func(o *oracle.Oracle) bool { return hints[o](c, r) })
}

// steerable reports whether the sources of a build have a jump that an input
// may lead where the compiler did not: through a function variable, or by
// assembly of old. Parameters get what one of these holds, or a name.
func steerable(b *solc.Build) bool {
	return anyNode(b, func(n *ast.Node) bool {
		switch n.Type {
		case ast.VariableDeclaration:
			t := n.TypeString()
			return n.Parent.Type != ast.ParameterList && strings.Contains(t, "function (") && !strings.Contains(t, ") external")
		case ast.InlineAssembly:
			return strings.Contains(n.Attr("operations"), "jump")
		}
		return false
	})
}

// obscure reports whether the sources of a build have arithmetic that may wrap
// and of which the compiler does not tell where it is: which type it is in the
// hot tier has to guess.
func obscure(b *solc.Build) (found bool) {
	for _, s := range b.Sources {
		if b.Settings.ViaIR && s != nil && s.Unit != nil && !found {
			oracle.Operations(s.Unit.Root, func(oracle.Operation) { found = true })
		}
	}
	return found
}

// anyNode reports whether a node in the sources of a build is such.
func anyNode(b *solc.Build, such func(*ast.Node) bool) (found bool) {
	for _, s := range b.Sources {
		if s == nil || s.Unit == nil {
			continue
		}
		s.Unit.Root.Walk(func(n *ast.Node) bool {
			found = found || such(n)
			return !found
		})
	}
	return found
}

// learnSources finds out what hints need to know of the sources.
func (c *campaign) learnSources() {
	for _, d := range c.base.Contracts {
		if d.Contract.Build == nil {
			continue // a stand-in
		}
		c.steerable = c.steerable || steerable(d.Contract.Build)
		c.obscure = c.obscure || obscure(d.Contract.Build)
	}
}
