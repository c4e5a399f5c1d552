package search

import (
	"slices"

	"leveret/engine/input"
)

// Actors is a set of actors. The zero value is empty.
type Actors []input.Actor

// Has reports whether an actor is in the set.
func (a Actors) Has(actor input.Actor) bool { return slices.Contains(a, actor) }

// Sent reports whether one of the actors sent a transaction.
func (a Actors) Sent(txs []input.Tx) bool {
	return slices.ContainsFunc(txs, func(tx input.Tx) bool { return a.Has(tx.From) })
}

// Add adds an actor.
func (a *Actors) Add(actor input.Actor) {
	if !a.Has(actor) {
		*a = append(*a, actor)
	}
}

// AddNamed adds the actors whose addresses are in a value.
func (a *Actors) AddNamed(v *input.Value) {
	if v.Type.Kind == input.KindAddress {
		a.Add(input.Actor(v.Address()))
	}
	for i := range v.Elems {
		a.AddNamed(&v.Elems[i])
	}
}

// Privileged returns the actors that may have privileges: those of its deployment
// and the senders that contracts fix.
func (s *Subject) Privileged() Actors {
	return append(Privileged(s.Deployment.Record), s.Deployment.Fixed()...)
}

// Privileged returns the actors that may have privileges: the deployer and every
// address passed to a constructor or a set-up call. Mocks do not count, as every
// actor has their tokens.
func Privileged(d *input.Deployment) Actors {
	who := Actors{input.Deployer}
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

// sendersOf lists who may send transactions to one of some functions; none if
// that is the actors of every campaign.
func sendersOf(functions []*input.Function) (who Actors) {
	open := func(f *input.Function) bool { return len(f.Senders) > 0 }
	if !slices.ContainsFunc(functions, open) {
		return nil
	}
	for _, f := range functions {
		for _, a := range f.MaySend() {
			who.Add(a)
		}
	}
	return who
}
