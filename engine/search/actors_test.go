package search_test

import (
	"testing"

	"leveret/engine/input"
	"leveret/engine/search"
)

// The deployer and the actors in arguments of constructors and set-up calls may
// have privileges; actors in arguments of mocks do not.
func TestPrivileged(t *testing.T) {
	list := input.Value{Type: &input.Type{Kind: input.KindSlice, Elem: &input.Type{Kind: input.KindAddress}}}
	list.Elems = []input.Value{input.NewAddress(input.Attacker.Address())}
	args := func(a input.Actor) []input.Value { return []input.Value{input.NewAddress(a.Address())} }
	for _, row := range []struct {
		creation input.Creation
		want     search.Actors
	}{
		{input.Creation{File: "a.sol"}, search.Actors{input.Deployer: true}},
		{input.Creation{File: "a.sol", Args: args(input.User1)}, search.Actors{input.Deployer: true, input.User1: true}},
		{input.Creation{File: "a.sol", Args: []input.Value{list}}, search.Actors{input.Deployer: true, input.Attacker: true}},
		{input.Creation{File: "a.sol", Setup: []input.Tx{{Args: args(input.User2)}}}, search.Actors{input.Deployer: true, input.User2: true}},
		{input.Creation{Args: args(input.User1)}, search.Actors{input.Deployer: true}},
	} {
		if got := search.Privileged(&input.Deployment{Creations: []input.Creation{row.creation}}); got != row.want {
			t.Errorf("%+v: %v, want %v", row.creation, got, row.want)
		}
	}
}
