package search

import (
	"slices"

	"leveret/engine/input"
)

// Actors is a set of actors.
type Actors [input.ActorCount]bool

// Sent reports whether one of the actors sent a transaction.
func (a *Actors) Sent(txs []input.Tx) bool {
	return slices.ContainsFunc(txs, func(tx input.Tx) bool { return a[tx.From] })
}

// AddNamed adds the actors whose addresses are in a value.
func (a *Actors) AddNamed(v *input.Value) {
	if v.Type.Kind == input.KindAddress {
		if actor, ok := input.ActorOf(v.Word.Bytes20()); ok {
			a[actor] = true
		}
	}
	for i := range v.Elems {
		a.AddNamed(&v.Elems[i])
	}
}

// Privileged returns the actors that may have privileges: the deployer and every
// actor passed to a constructor or a set-up call. Mocks do not count, as every
// actor has their tokens.
func Privileged(d *input.Deployment) (who Actors) {
	who[input.Deployer] = true
	for i := range d.Creations {
		if d.Creations[i].File == "" {
			continue // a mock
		}
		args := slices.Clone(d.Creations[i].Args)
		for _, tx := range d.Creations[i].Setup {
			args = append(args, tx.Args...)
		}
		for j := range args {
			who.AddNamed(&args[j])
		}
	}
	return who
}
