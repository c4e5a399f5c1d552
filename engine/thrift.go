package engine

import "leveret/engine/evm"

// A purse is what a part of the campaign may spend, as a share of what running
// inputs costs. It is reckoned in units of about a nanosecond from what was
// done, not by a clock, so that the same campaign spends the same.
type purse struct {
	share float64 // of the campaign's work
	gift  uint64  // to begin with
	spent uint64
}

// affords reports whether there is something left.
func (p *purse) affords(work uint64) bool {
	return p.spent <= p.gift+uint64(p.share*float64(work))
}

// What things cost, measured on the real contracts: an execution has its
// fixed part and goes with the gas; the shadow tier takes some twenty times as
// long; an abstract instruction of the lookahead analysis is a few dozen
// concrete ones.
const (
	costOfCall   = 6_000
	costOfShadow = 20
	costOfStep   = 120
)

// workOf is what executing a transaction costs.
func workOf(o *evm.Outcome) uint64 { return costOfCall + o.GasUsed/2 }

// The purses. Inspections find a good part of all new paths; the lookahead
// analysis has to stay out of the way, at a hundredth of the work [lookahead paper
// VI, RQ4].
func newInspections() purse { return purse{share: 0.25, gift: 100e6} }
func newAttacks() purse     { return purse{share: 0.06, gift: 40e6} }
func newArmings() purse     { return purse{share: 0.02, gift: 5e6} }
func newLookaheads() purse  { return purse{share: 0.01, gift: 10e6} }
