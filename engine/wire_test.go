package engine

import (
	"slices"
	"strings"
	"testing"

	"leveret/engine/finding"
)

// Contracts whose deployers wire them are deployed and wired, whichever of them
// is under test.
func TestWired(t *testing.T) {
	b := compile(t, "testdata/Wired.sol")
	rows := map[string][]string{
		"Desk": {
			"deployer creates Desk()",
			"deployer creates Pool()",
			"deployer creates Shares(Desk)",
			"deployer calls Desk.setAddresses(Pool, Shares)",
			"deployer calls Pool.setAddresses(Desk)",
		},
		"Shares": {
			"deployer creates Desk()",
			"deployer creates Shares(Desk)",
			"deployer creates Pool()",
			"deployer calls Desk.setAddresses(Pool, Shares)",
			"deployer calls Pool.setAddresses(Desk)",
		},
		"Cellar": {
			"deployer creates Register(1000000000000000000)",
			"deployer calls Register.setPlaces((Cellar, Lift, deployer))",
			"deployer creates Lift(Register)",
			"deployer creates Cellar(Register)",
		},
		"Front": {"deployer creates Back(Front)", "deployer creates Front(Back)"},
		"Back":  {"deployer creates Front(Back)", "deployer creates Back(Front)"},
		"Nested": {
			"deployer creates Keeper()",
			"deployer creates Keeper() as Keeper2",
			"deployer creates Keeper() as Keeper3",
			"deployer creates Nested((Keeper, [deployer, user1], ([Keeper2, Keeper3], 1)))",
		},
		"Vault": {
			"deployer creates Coin()",
			"deployer creates Vault(Coin)",
			"deployer calls Coin.setMinter(Vault, true)",
		},
		"Meter": {
			"deployer creates Meter()",
			"deployer creates Gauge()",
			"deployer calls Gauge.setLevel(11)",
			"deployer calls Gauge.setTime(1749985601)",
			"deployer calls Meter.setGauge(Gauge)",
		},
		"Ledger": {
			"deployer creates Offices()",
			"deployer calls Offices.setAdmin(deployer)",
			"deployer creates Ledger(Offices)",
		},
		"Season": {"deployer creates Season()"},
		"Dated":  {"deployer creates Dated()", "deployer creates Keeper()", "deployer calls Dated.give(Keeper)"},
		"Later":  {"deployer creates Later()"},
		"Early":  {"deployer creates Keeper()", "deployer creates Early()"},
		"Staged": {
			"deployer creates Staged() as StagedLogic",
			"deployer creates Staged, a proxy with the code of StagedLogic",
			"deployer calls Staged.initialize(deployer)",
			"deployer creates Keeper()",
			"deployer calls Staged.setKeeper(Keeper)",
		},
	}
	for name, want := range rows {
		s, words := deployOne(t, b, name)
		if !slices.Equal(words, want) {
			t.Errorf("%s:\n%s", name, strings.Join(words, "\n"))
		}
		if under := s.UnderTest(); under.Contract.Name != name || s.Record.UnderTest().Address != under.Address {
			t.Errorf("%s is not what is under test", name)
		}
	}
}

// An approval that does not do is replaced by the next one, for each of two amounts that are
// tried.
func TestReplacedApprovals(t *testing.T) {
	_, words := deployOne(t, compile(t, "testdata/Approved.sol"), "Till")
	approvals := slices.DeleteFunc(words, func(w string) bool { return !strings.Contains(w, "approve(") })
	if len(approvals) < 1 || len(approvals) > 2 {
		t.Errorf("%d approvals: %q", len(approvals), approvals)
	}
}

// What is behind the wiring is reached, and found again by a replay of the text
// form.
func TestBehindWiring(t *testing.T) {
	b := compile(t, "testdata/Wired.sol")
	lines := strings.Split(string(b.Contracts[0].Build.Source(b.Contracts[0].File).Text), "\n")
	for _, name := range []string{"Desk", "Cellar", "Lift", "Front", "Nested", "Staged", "Vault", "Meter", "Ledger", "Season"} {
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

// An initializer that anybody may call first is left to the campaign. What follows
// from it is a note that names it.
func TestOpenInitializer(t *testing.T) {
	r := run(t, compile(t, "testdata/Wired.sol"), "Early", Options{MaxInputs: 5000, Seed: 1, Oracles: []string{"selfdestruct"}})
	if len(r.Findings) != 1 || r.Findings[0].Severity != finding.Information || !strings.HasPrefix(r.Findings[0].Message, "if somebody calls initialize() before the project does: ") {
		t.Errorf("findings %v", r.Findings)
	}
}
