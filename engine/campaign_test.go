package engine

import (
	"context"
	"reflect"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"leveret/engine/finding"
	"leveret/engine/input"
)

// planted lists within how many inputs each planted bug must be found, with each
// seed.
var planted = []struct {
	contract string
	inputs   int
}{
	{"Constant", 200},
	{"Linear", 3000},
	{"Quadratic", 2000},
	{"Stateful", 6000},
	{"Property", 2000},
	{"Hashed", 6000},
	{"Signed", 2000},
	{"Sale", 2000},
	{"Phrase", 2000},
	{"Voucher", 500},
}

func failing(r *finding.Result) (list []finding.Finding) {
	for _, f := range r.Findings {
		if f.Severity == finding.Error {
			list = append(list, f)
		}
	}
	return list
}

func TestPlanted(t *testing.T) {
	b := compile(t, "testdata/Planted.sol")
	for _, row := range planted {
		t.Run(row.contract, func(t *testing.T) {
			for seed := range uint64(3) {
				r := run(t, b, row.contract, Options{MaxInputs: row.inputs, Seed: seed, StopOnFirst: true, Oracles: []string{"assertion"}})
				found := failing(r)
				if len(found) == 0 {
					t.Errorf("seed %d: not found in %d inputs (%+v)", seed, row.inputs, r.Stats)
					continue
				}
				t.Logf("seed %d: %d inputs: %s\n%s", seed, found[0].Inputs, found[0].Message, found[0].Witness)
			}
		})
	}
}

// The attacker deposits a loan into its own account during the loan and withdraws
// it afterwards.
func TestLoanIsPaidBackIntoAnAccount(t *testing.T) {
	b := compile(t, "oracle/testdata/ether-leak/hit_loan_08.sol")
	for seed := uint64(2); seed < 14; seed++ {
		r := run(t, b, "Lender", Options{MaxInputs: 10000, Seed: seed, StopOnFirst: true, Oracles: []string{"ether-leak"}})
		if len(failing(r)) == 0 {
			t.Errorf("seed %d: not found in %d inputs", seed, r.Stats.Inputs)
		}
	}
}

// What each account may do once lengthens a loop as well: others repeat it, even if the first
// to repeat it can do so only once.
func TestLoopThatAccountsLengthenOnce(t *testing.T) {
	b := compile(t, "oracle/testdata/unbounded-loop/hit_once_08.sol")
	for seed := range uint64(24) {
		if r := run(t, b, "Raffle", Options{MaxInputs: 1000, Seed: seed, StopOnFirst: true, Oracles: []string{"unbounded-loop"}}); len(r.Findings) == 0 {
			t.Errorf("seed %d: not found in %d inputs", seed, r.Stats.Inputs)
		}
	}
}

// Arithmetic that first wraps in sequences with re-entrant calls, of which no overflow is
// reported, is found in others.
func TestWrapsWithoutReentry(t *testing.T) {
	b := compile(t, "testdata/Units.sol")
	for seed := range uint64(8) {
		r := run(t, b, "Units", Options{MaxInputs: 12_000, Seed: seed, StopOnFirst: true, Oracles: []string{"overflow"}})
		if len(failing(r)) == 0 {
			t.Errorf("seed %d: not found in %d inputs", seed, r.Stats.Inputs)
		} else {
			t.Logf("seed %d: %d inputs", seed, r.Stats.Inputs)
		}
	}
}

// The state that is needed first lies in another contract, or behind a bound that
// another function breaks.
func TestSetups(t *testing.T) {
	b := compile(t, "testdata/Setup.sol")
	for _, row := range []struct{ contract, oracle string }{
		{"Shelf", "arbitrary-write"}, {"Pool", "assertion"}, {"Basin", "assertion"}, {"Desk", "assertion"}, {"Handover", "assertion"},
	} {
		t.Run(row.contract, func(t *testing.T) {
			for seed := range uint64(3) {
				r := run(t, b, row.contract, Options{MaxInputs: 20000, Seed: seed, StopOnFirst: true, Oracles: []string{row.oracle}})
				if found := failing(r); len(found) == 0 {
					t.Errorf("seed %d: not found (%+v)", seed, r.Stats)
				} else {
					t.Logf("seed %d: %d inputs: %s\n%s", seed, found[0].Inputs, found[0].Message, found[0].Witness)
				}
			}
		})
	}
}

// A bound in storage is passed after another function broke it.
func TestBoundsArePassed(t *testing.T) {
	b := compile(t, "testdata/Abused.sol")
	for seed := range uint64(2) {
		r := run(t, b, "Bounded", Options{MaxInputs: 6000, Seed: seed, StopOnFirst: true, Oracles: []string{"assertion"}})
		if found := failing(r); len(found) == 0 {
			t.Errorf("seed %d: not found (%+v)", seed, r.Stats)
		} else {
			t.Logf("seed %d: %d inputs", seed, found[0].Inputs)
		}
	}
}

// Correct contracts give no warnings and no errors.
func TestCorrectContracts(t *testing.T) {
	b := compile(t, "testdata/Planted.sol")
	r := run(t, b, "Sound", Options{MaxInputs: 5000, Seed: 1})
	for _, f := range r.Findings {
		if f.Severity >= finding.Warning {
			t.Errorf("%s: %s", f.ID, f.Message)
		}
	}
}

// Every reported finding fails again on a fresh world.
func TestFindingsReplay(t *testing.T) {
	b := compile(t, "testdata/Planted.sol")
	for _, row := range planted {
		r := run(t, b, row.contract, Options{MaxInputs: row.inputs, Seed: 7})
		for _, f := range r.Findings {
			again, err := Replay(context.Background(), contract(t, b, row.contract), b.Contracts, f.Witness, Outside{}, false)
			if err != nil {
				t.Fatal(err)
			}
			if len(again.Findings) == 0 {
				t.Errorf("%s does not replay", f.ID)
			}
		}
	}
}

func TestDeterminism(t *testing.T) {
	b := compile(t, "testdata/Planted.sol")
	for _, name := range []string{"Stateful", "Linear", "Property"} {
		options := Options{MaxInputs: 3000, Seed: 5}
		first, second := run(t, b, name, options), run(t, b, name, options)
		clearTimes(first)
		clearTimes(second)
		if !reflect.DeepEqual(first, second) {
			t.Errorf("%s: two runs differ:\n%+v\n%+v", name, first.Stats, second.Stats)
		}
	}
}

// What a campaign creates again and again with other words in its code has the same
// paths, and is searched like any contract.
func TestClonesAreNoNewCode(t *testing.T) {
	b := compile(t, "testdata/Clones.sol")
	for _, name := range []string{"Pools", "Cloner"} {
		r := run(t, b, name, Options{MaxInputs: 3000, Seed: 1, Oracles: []string{"assertion"}})
		if len(failing(r)) != 1 {
			t.Errorf("%s: findings %+v", name, r.Findings)
		}
		if r.Stats.Paths > 100 {
			t.Errorf("%s: %d paths of %d inputs: those of clones count", name, r.Stats.Paths, r.Stats.Inputs)
		}
	}
}

// Writes of several transactions to several accounts are learned in one order,
// with and without targets.
func TestDeterminismOfAuction(t *testing.T) {
	b := compile(t, "../docs/examples/Auction.sol")
	for _, lines := range [][]Lines{nil, linesWith(t, b, "assert(address(this).balance >= owed);")} {
		options := Options{MaxInputs: 2000, Seed: 1, Lines: lines}
		first := run(t, b, "Auction", options)
		clearTimes(first)
		for range 4 {
			again := run(t, b, "Auction", options)
			clearTimes(again)
			if !reflect.DeepEqual(first, again) {
				t.Fatalf("with targets %v: two runs differ:\n%+v\n%+v", lines != nil, first.Stats, again.Stats)
			}
		}
	}
}

func clearTimes(r *finding.Result) {
	s := &r.Stats
	s.Seconds, s.Lookahead.Seconds = 0, 0
	s.Shadow.Seconds, s.Triage.Seconds, s.Scripted.Seconds = 0, 0, 0
	for i := range r.Findings {
		r.Findings[i].Seconds = 0
	}
}

// A saved corpus restores its paths at once.
func TestCorpusReload(t *testing.T) {
	b := compile(t, "testdata/Planted.sol")
	dir := t.TempDir()
	first := run(t, b, "Stateful", Options{MaxInputs: 8000, Seed: 5, Corpus: dir})
	again := run(t, b, "Stateful", Options{MaxInputs: first.Stats.Paths * 3, Seed: 6, Corpus: dir})
	if again.Stats.Paths < first.Stats.Paths {
		t.Errorf("%d paths after a reload, %d before", again.Stats.Paths, first.Stats.Paths)
	}
	if len(again.Findings) < len(first.Findings) {
		t.Errorf("%d findings after a reload, %d before", len(again.Findings), len(first.Findings))
	}
}

// A cancelled campaign returns its result so far and leaves no goroutine.
func TestCancel(t *testing.T) {
	b := compile(t, "testdata/Planted.sol")
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	ctx, cancel := context.WithCancel(context.Background())
	inputs := 0
	r, err := Run(ctx, contract(t, b, "Sound"), b.Contracts, Options{
		Time: time.Hour, Workers: 2,
		Observe: func(e Event) {
			if inputs = e.Stats.Inputs; inputs > 100 {
				cancel()
			}
		},
	})
	cancel()
	if err != nil {
		t.Fatal(err)
	}
	if r.Stats.Inputs < 100 {
		t.Errorf("%d inputs", r.Stats.Inputs)
	}
}

// A recheck reports the known findings that still fail and those that do not,
// and executes no other input.
func TestRecheck(t *testing.T) {
	b := compile(t, "testdata/Planted.sol")
	known := run(t, b, "Stateful", Options{MaxInputs: 6000, Seed: 1}).Findings
	if len(known) == 0 {
		t.Fatal("nothing found")
	}
	harmless := known[0].Witness
	harmless.Txs = harmless.Txs[:1]
	var gone []int
	r, err := Recheck(t.Context(), contract(t, b, "Stateful"), b.Contracts, Options{
		Known:    []input.Sequence{known[0].Witness, harmless},
		Executed: func(input.Sequence) { t.Error("an input was executed") },
		Observe: func(e Event) {
			if e.Kind == EventGone {
				gone = append(gone, e.Index)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 1 || r.Findings[0].ID != known[0].ID || !slices.Equal(gone, []int{1}) {
		t.Errorf("findings %v, gone %v", r.Findings, gone)
	}
	if r.Stats.Inputs != 0 || r.Coverage != nil {
		t.Errorf("%d inputs, coverage %v", r.Stats.Inputs, r.Coverage)
	}
}
