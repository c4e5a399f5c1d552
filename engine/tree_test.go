package engine

import (
	"slices"
	"testing"
)

// A contract is deployed although all contracts of the project that it could be given
// cannot be deployed, and each attempt at them takes long.
func TestTree(t *testing.T) {
	s, words := deployOne(t, compile(t, "testdata/Tree.sol"), "Leaf")
	if s.UnderTest().Contract.Name != "Leaf" || !slices.Contains(words, "deployer creates Leaf(attacker, 90210)") {
		t.Errorf("%q", words)
	}
}
