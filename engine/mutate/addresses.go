package mutate

import (
	"math/rand/v2"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/input"
)

// maxSeen bounds the addresses learned from runs.
const maxSeen = 64

// Addresses are candidate addresses: senders, contracts of the deployment,
// addresses seen in storage and return data, zero, precompiles. A nil
// *Addresses has the actors only. One goroutine writes it.
type Addresses struct {
	senders   []input.Actor // none: input.Actors
	contracts []common.Address
	seen      []common.Address
	next      int // index in seen of the next replacement once it is full
}

// NewAddresses returns Addresses with the senders of a campaign, none for
// input.Actors, and the contracts of its deployment.
func NewAddresses(senders []input.Actor, contracts ...common.Address) *Addresses {
	return &Addresses{senders: senders, contracts: contracts}
}

// See adds an address seen in a run; it replaces the oldest.
func (a *Addresses) See(address common.Address) {
	if _, actor := input.ActorOf(address); actor || address == (common.Address{}) || slices.Contains(a.senders, input.Actor(address)) ||
		slices.Contains(a.contracts, address) || slices.Contains(a.seen, address) {
		return
	}
	if len(a.seen) < maxSeen {
		a.seen = append(a.seen, address)
		return
	}
	a.seen[a.next] = address
	a.next = (a.next + 1) % maxSeen
}

// Draw draws an address.
func (a *Addresses) Draw(r *rand.Rand) common.Address {
	n := r.IntN(100)
	switch {
	case n < 56:
	case n < 76 && a != nil && len(a.contracts) > 0:
		return a.contracts[r.IntN(len(a.contracts))]
	case n < 88 && a != nil && len(a.seen) > 0:
		return a.seen[r.IntN(len(a.seen))]
	case n >= 99:
		return randomAddress(r)
	case n >= 96:
		return common.Address{19: byte(1 + r.IntN(10))}
	case n >= 90:
		return common.Address{}
	}
	switch {
	case a == nil || len(a.senders) == 0:
		return input.RandomActor(r).Address()
	case len(a.senders) == 1:
		return a.drawBeside(r)
	}
	return a.senders[r.IntN(len(a.senders))].Address()
}

// drawBeside draws an address where one account sends everything, as in a fuzz test:
// the others are keys and receivers, which matter by being different.
func (a *Addresses) drawBeside(r *rand.Rand) common.Address {
	switch r.IntN(4) {
	case 0:
		return a.senders[0].Address()
	case 1:
		return input.RandomActor(r).Address()
	}
	return randomAddress(r)
}

func randomAddress(r *rand.Rand) (a common.Address) {
	for i := range a {
		a[i] = byte(r.Uint32())
	}
	return a
}
