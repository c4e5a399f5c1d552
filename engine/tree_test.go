package engine

import (
	"slices"
	"strings"
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

// Where no contract of the project suits, a mock answers by the interface, and an optional
// contract is left out.
func TestReplaced(t *testing.T) {
	s, words := deployOne(t, compile(t, "testdata/Tree.sol"), "Moss")
	if last := words[len(words)-1]; last != "deployer creates Moss(Answers, 0x0000000000000000000000000000000000000000)" {
		t.Errorf("%q", words)
	}
	if s.UnderTest().Contract.Name != "Moss" || !strings.Contains(words[0], "creates Answers()") {
		t.Errorf("%q", words)
	}
}
