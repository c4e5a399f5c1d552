package oracle

import (
	"slices"

	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/input"
)

// An Observation is what a fast run without oracles records of the last
// transaction of a Sequence. An Oracle's Hint decides by it whether the
// Sequence runs again with the oracle.
type Observation struct {
	Txs           []input.Tx // the last one was executed
	Before, After *evm.World
	Status        evm.Status
	Suspicion     cover.Suspicion
	Failures      []cover.Failure
	AllFailures   bool // Failures is complete
	Writes        []evm.Slot
	AllWrites     bool // Writes is complete
	Sources       Traits
	Locks         func(*evm.Code) bool // see WhatIf
}

// Traits are properties of the sources that decide what a fast run can miss.
type Traits struct {
	FreeJumps bool // some jump destinations come from variables or assembly
	FreeTypes bool // the compiler does not map arithmetic to the source, so that its types are unknown

	ReadsOrigin bool // something reads tx.origin
	Loops       bool // a function that may write has a loop
}

// Or returns the traits of two projects together.
func (t Traits) Or(other Traits) Traits {
	return Traits{
		FreeJumps: t.FreeJumps || other.FreeJumps, FreeTypes: t.FreeTypes || other.FreeTypes,
		ReadsOrigin: t.ReadsOrigin || other.ReadsOrigin, Loops: t.Loops || other.Loops,
	}
}

// saw is the hint that a run shows any of some signs.
func saw(signs cover.Suspicion) func(*Observation) bool {
	return func(o *Observation) bool { return o.Suspicion&signs != 0 }
}

// showsFailure is the hint that a check of some kinds failed.
func showsFailure(kinds func(kind uint64) bool) func(*Observation) bool {
	return func(o *Observation) bool {
		return !o.AllFailures || slices.ContainsFunc(o.Failures, func(f cover.Failure) bool { return kinds(f.Kind) })
	}
}

// succeeded limits a hint to successful transactions.
func succeeded(hint func(*Observation) bool) func(*Observation) bool {
	return func(o *Observation) bool { return o.Status == evm.Success && hint(o) }
}

// gains reports whether the sender has more wei after a successful transaction
// than before.
func (o *Observation) gains() bool {
	return o.Status == evm.Success && Gains(o.Tx().From, o.Before, o.After)
}

// Gains reports whether an actor has more wei in one World than in another.
func Gains(who input.Actor, before, after *evm.World) bool {
	had, has := before.Balance(who.Address()), after.Balance(who.Address())
	return has.Gt(&had)
}

// denies reports whether a transaction of another actor fails after the
// attacker contract was called.
func (o *Observation) denies() bool {
	const signs = cover.AttackerCalled | cover.CallFailed
	return o.Status != evm.Success && o.Suspicion&signs == signs && o.Tx().From != input.Attacker
}

// locks reports whether ether went to code that cannot send any.
func (o *Observation) locks() bool {
	if o.Tx().Value.IsZero() {
		return false
	}
	code := o.Before.Code(o.Tx().To)
	return code != nil && o.Locks(code)
}

// paysByBlock reports whether a transaction read the block and sent ether.
func (o *Observation) paysByBlock() bool {
	const signs = cover.BlockRead | cover.Paid
	return o.Suspicion&signs == signs
}

// wraps reports whether arithmetic may have wrapped. Where its types are
// unknown, any run may have.
func (o *Observation) wraps() bool {
	return o.Sources.FreeTypes || o.Suspicion&cover.Wrapped != 0
}

// wrapsAlone reports whether arithmetic may have wrapped without a re-entrant call in any
// transaction, which would be left to Reentrancy.
func (o *Observation) wrapsAlone() bool {
	return o.wraps() && !slices.ContainsFunc(o.Txs, func(tx input.Tx) bool { return tx.Script.Reenters() })
}

// Tx is the transaction that was executed.
func (o *Observation) Tx() *input.Tx { return &o.Txs[len(o.Txs)-1] }

// replacesDeployer reports whether a successful transaction without wei may have
// replaced the deployer's address in a storage word.
func (o *Observation) replacesDeployer() bool {
	if o.Status != evm.Success || !o.Tx().Value.IsZero() {
		return false
	}
	if !o.AllWrites {
		return true
	}
	return slices.ContainsFunc(o.Writes, func(s evm.Slot) bool {
		_, ok := replaced(o.Before.Storage(s.Address, s.Key), o.After.Storage(s.Address, s.Key))
		return ok
	})
}
