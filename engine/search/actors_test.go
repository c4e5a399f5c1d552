package search_test

import (
	"slices"
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
		{input.Creation{File: "a.sol"}, search.Actors{input.Deployer}},
		{input.Creation{File: "a.sol", Args: args(input.User1)}, search.Actors{input.Deployer, input.User1}},
		{input.Creation{File: "a.sol", Args: []input.Value{list}}, search.Actors{input.Deployer, input.Attacker}},
		{input.Creation{File: "a.sol", Setup: []input.Tx{{Args: args(input.User2)}}}, search.Actors{input.Deployer, input.User2}},
		{input.Creation{Args: args(input.User1)}, search.Actors{input.Deployer}},
	} {
		if got := search.Privileged(&input.Deployment{Creations: []input.Creation{row.creation}}); !slices.Equal(got, row.want) {
			t.Errorf("%+v: %v, want %v", row.creation, got, row.want)
		}
	}
}
