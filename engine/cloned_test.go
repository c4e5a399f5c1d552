package engine

import (
	"slices"
	"strings"
	"testing"
)

// What only a factory can initialize is fuzzed as the clone that the factory makes: of an
// implementation that it is told, or of its own.
func TestCloned(t *testing.T) {
	b := compile(t, "testdata/Cloned.sol")
	for name, want := range map[string][]string{
		"Purse": {"deployer creates Purse()", "deployer creates Bank(Purse)", "Bank creates Purse as Purse2", "deployer calls Bank.open()"},
		"Chest": {"deployer creates Safe()", "Safe creates Chest", "deployer calls Safe.open("},
		"Mover": {"deployer creates Safe()", "deployer creates Mover(Chest"},
	} {
		s, words := deployOne(t, b, name)
		for _, w := range want {
			if !slices.ContainsFunc(words, func(have string) bool { return strings.HasPrefix(have, w) }) {
				t.Errorf("%s lacks %q:\n%s", name, w, strings.Join(words, "\n"))
			}
		}
		if under := s.UnderTest(); under.Contract.Name != name || s.Record.UnderTest().Address != under.Address {
			t.Errorf("%s is not what is under test", name)
		}
		r := run(t, b, name, Options{MaxInputs: 3000, Seed: 1, Oracles: []string{"assertion"}})
		found := failing(r)
		if len(found) == 0 || found[0].Contract != name {
			t.Errorf("%s: %d findings, note %q", name, len(found), r.Note)
			continue
		}
		replayed(t, b, name, found[0].Witness)
	}
}
