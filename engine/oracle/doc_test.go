package oracle

import (
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
)

// Every oracle has a page, and every page an oracle.
func TestPages(t *testing.T) {
	names := map[string]bool{}
	for _, o := range All {
		names[o.Name] = true
		text := o.Doc()
		for _, heading := range []string{"# " + o.Name + ": ", "\n## What it means\n", "\n## Example\n", "\n## How to fix\n", "\n## How to suppress\n"} {
			if !strings.Contains(text, heading) {
				t.Errorf("the page of %s has no %q", o.Name, strings.TrimSpace(heading))
			}
		}
		if o.SWC != "" && !strings.Contains(text, o.SWC) {
			t.Errorf("the page of %s does not name %s", o.Name, o.SWC)
		}
	}
	files, err := os.ReadDir("../../docs/oracles")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if name, page := strings.CutSuffix(f.Name(), ".md"); page && !names[name] && name != "README" {
			t.Errorf("no oracle for the page %s", f.Name())
		}
	}
}

// Every row of the table is complete.
func TestRows(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range All {
		switch {
		case o.Name == "" || seen[o.Name]:
			t.Errorf("%q: no name, or the name of another row", o.Name)
		case o.SWC == "", o.Title == "", o.Unexportable == "", o.Severity == finding.Off:
			t.Errorf("%s: SWC, title, severity or reason is missing", o.Name)
		case o.Hint == nil, o.Watch == nil:
			t.Errorf("%s: hint or watcher is missing", o.Name)
		case Named(o.Name) != o:
			t.Errorf("Named does not find %s", o.Name)
		}
		seen[o.Name] = true
	}
	if Named("") != nil {
		t.Error("Named finds an oracle without a name")
	}
}

// A transaction that shows nothing gives no oracle a hint, but for those that
// look at sources; each suspicion gives one to some oracle.
func TestHints(t *testing.T) {
	world := evm.NewWorld(evm.NewCodes())
	failures := map[cover.Suspicion][]cover.Failure{
		cover.Invalid: {{Kind: cover.FailedInvalid}}, cover.Logged: {{Kind: cover.FailedEvent}}, cover.Panicked: {{Kind: panicAssert}},
		cover.Panicked | cover.CallFailed: {{Kind: panicBounds}},
	}
	hinted := func(suspicion cover.Suspicion, status evm.Status) (names []string) {
		o := &Observation{Txs: make([]input.Tx, 1), Before: world, After: world, Suspicion: suspicion, Status: status, Failures: failures[suspicion], AllFailures: true, AllWrites: true}
		for _, row := range All {
			if row.Hint(o) {
				names = append(names, row.Name)
			}
		}
		return names
	}
	for _, status := range []evm.Status{evm.Success, evm.Revert} {
		if names := hinted(0, status); len(names) > 0 {
			t.Errorf("status %v: %v have a hint of nothing", status, names)
		}
	}
	for _, row := range []struct {
		suspicion cover.Suspicion
		status    evm.Status
		want      string
	}{
		{cover.Invalid, evm.Halt, "assertion panic"},
		{cover.Logged, evm.Success, "assertion"},
		{cover.Panicked, evm.Revert, "assertion"},
		{cover.Panicked | cover.CallFailed, evm.Revert, "panic"},
		{cover.Wrapped, evm.Success, "overflow"},
		{cover.Wrapped, evm.Revert, ""},
		{cover.CallFailed, evm.Success, "unchecked-call exception-disorder"},
		{cover.Starved, evm.Success, "gasless-send"},
		{cover.ActorCalled, evm.Success, "unchecked-call"},
		{cover.AttackerCalled | cover.CallFailed, evm.Revert, "dos-failed-call"},
		{cover.BlockRead, evm.Success, ""},
		{cover.BlockRead | cover.Paid, evm.Success, "timestamp block-number"},
		{cover.CalleeReverted, evm.Revert, "requirement"},
		{cover.Received, evm.Success, "token-leak"},
		{cover.Received, evm.Revert, ""},
	} {
		if have := strings.Join(hinted(row.suspicion, row.status), " "); have != row.want {
			t.Errorf("suspicion %b, status %v: hints for %q, not %q", row.suspicion, row.status, have, row.want)
		}
	}
}

func TestNumber(t *testing.T) {
	two := func(n uint, plus int64) *big.Int {
		x := new(big.Int).Lsh(big.NewInt(1), n)
		return x.Add(x, big.NewInt(plus))
	}
	for _, row := range []struct {
		n    *big.Int
		want string
	}{
		{big.NewInt(0), "0"}, {big.NewInt(-7), "-7"}, {big.NewInt(1e18), "1000000000000000000"},
		{two(256, -1), "2^256 - 1"}, {two(255, 0), "2^255"}, {two(128, 5), "2^128 + 5"},
		{new(big.Int).Neg(two(255, 0)), "-2^255"},
		{new(big.Int).Exp(big.NewInt(10), big.NewInt(30), nil), "about 1e+30"},
	} {
		if got := formatNumber(row.n); got != row.want {
			t.Errorf("%s is written %q, should be %q", row.n, got, row.want)
		}
	}
}

// A transaction that writes another address in place of the deployer's gives
// open-owner a hint; one that writes something else, or pays, gives none.
func TestHintOfReplacedDeployer(t *testing.T) {
	word := func(a input.Actor) common.Hash { return common.BytesToHash(a.Address().Bytes()) }
	slot := evm.Slot{Address: common.Address{1}, Key: common.Hash{2}}
	before := evm.NewWorld(evm.NewCodes())
	before.SetCode(slot.Address, []byte{0})
	before.SetStorage(slot.Address, slot.Key, word(input.Deployer))
	for _, row := range []struct {
		after     common.Hash
		allWrites bool
		wei       uint64
		want      bool
	}{
		{word(input.Attacker), true, 0, true},
		{word(input.Attacker), true, 1, false},
		{word(input.Deployer), true, 0, false},
		{common.Hash{}, true, 0, false},
		{word(input.Deployer), false, 0, true},
	} {
		after := before.Fork()
		after.SetStorage(slot.Address, slot.Key, row.after)
		o := &Observation{Txs: []input.Tx{{Value: *uint256.NewInt(row.wei)}}, Before: before, After: after, Writes: []evm.Slot{slot}, AllWrites: row.allWrites}
		if got := OpenOwner.Hint(o); got != row.want {
			t.Errorf("%+v: hint %v", row, got)
		}
	}
}
