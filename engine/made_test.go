package engine

import (
	"slices"
	"strings"
	"testing"

	"leveret/engine/finding"
)

// What only a factory of the project can create is deployed by it, what asks one
// contract for another one gets mocks that answer, and lists of addresses get what
// their names and their use mean.
func TestMade(t *testing.T) {
	b := compile(t, "testdata/Made.sol")
	rows := map[string][]string{
		"Room":      {"Home creates Room", "deployer creates Home()", "deployer creates ERC20(", "deployer calls Home.build(ERC20, 41)"},
		"Tenant":    {"Home creates Room", "deployer creates Tenant(Room)"},
		"Desk":      {"Office creates Desk", "deployer creates Office("},
		"Stand":     {"deployer creates Stand()"},
		"Adapter":   {"deployer creates Answers()", "deployer calls Answers.answer(", "deployer creates Answers() as Answers_2", "deployer creates Adapter(Answers)"},
		"Engine":    {"deployer creates Engine([ERC20, ERC20_2], [attacker, attacker])"},
		"Motion":    {"deployer creates Motion(attacker)"},
		"Borrowing": {"deployer creates Borrowing() as BorrowingLogic", "deployer calls Borrowing.initialize(ERC20, 1)"},
	}
	for name, want := range rows {
		s, words := deployOne(t, b, name)
		if s == nil {
			continue
		}
		for _, w := range want {
			if !slices.ContainsFunc(words, func(have string) bool { return strings.HasPrefix(have, w) }) {
				t.Errorf("%s lacks %q:\n%s", name, w, strings.Join(words, "\n"))
			}
		}
		if under := s.UnderTest(); under.Contract.Name != name || s.Record.UnderTest().Address != under.Address {
			t.Errorf("%s is not what is under test", name)
		}
	}
}

// What is behind such a deployment is reached, and found again by a replay of the
// text form.
func TestBehindMade(t *testing.T) {
	b := compile(t, "testdata/Made.sol")
	lines := strings.Split(string(b.Contracts[0].Build.Source(b.Contracts[0].File).Text), "\n")
	for _, name := range []string{"Room", "Tenant", "Adapter", "Engine", "Motion", "Borrowing", "Desk", "Stand"} {
		r := run(t, b, name, Options{MaxInputs: 5000, Seed: 1, Oracles: []string{"assertion"}})
		found := failing(r)
		i := slices.IndexFunc(found, func(f finding.Finding) bool { return strings.HasSuffix(lines[f.Place.Start.Line-1], "// "+name) })
		if i < 0 {
			t.Errorf("%s: %d findings, note %q", name, len(found), r.Note)
			continue
		}
		replayed(t, b, name, found[i].Witness)
	}
}
