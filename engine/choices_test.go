package engine

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"leveret/engine/bytecode"
	"leveret/engine/demand"
	"leveret/solc"
)

// aimedAt begins a campaign on Aimed.
func aimedAt(t *testing.T, b *solc.Build, options Options) *campaign {
	t.Helper()
	c, err := newCampaign(t.Context(), contract(t, b, "Aimed"), b.Contracts, options)
	if err != nil {
		t.Fatal(err)
	}
	if c.direction == nil {
		t.Fatal("no direction")
	}
	return c
}

// nearBy names the functions that can reach the targets.
func nearBy(c *campaign) string {
	var names []string
	for _, callee := range c.direction.callees {
		names = append(names, callee.Function.Name)
	}
	return strings.Join(names, " ")
}

// Code is a target wherever it stands: in what is inherited, in a modifier, in
// a library, and in no contract at all.
func TestTargetsOfEveryKind(t *testing.T) {
	b := compile(t, "testdata/Aimed.sol")
	for _, row := range []struct{ text, near string }{
		{"kept = x;", "keep"},
		{"kept++;", "twice"},
		{"return 2 * x;", "twice"},
		{"return x / 2;", "twice"},
		{"done += much;", "run"},
		{"shared = x;", "busy lone"},
	} {
		c := aimedAt(t, b, Options{MaxInputs: 300, Seed: 1, Lines: linesWith(t, b, row.text)})
		near := strings.Fields(nearBy(c))
		slices.Sort(near)
		if got := strings.Join(near, " "); got != row.near {
			t.Errorf("near %q are %s, want %s", row.text, got, row.near)
		}
	}
}

// What one function files under a hash of all its arguments is found by the
// other with the same ones.
func TestTargetBehindWhatAnotherFunctionFiles(t *testing.T) {
	b := compile(t, "testdata/Aimed.sol")
	for seed := range uint64(6) {
		c := aimedAt(t, b, Options{MaxInputs: 8000, Seed: seed, Lines: linesWith(t, b, "done += much;")})
		for !c.ahead.arrived && !c.spent(t.Context()) {
			c.learnAll(c.strategy.next(1))
		}
		t.Logf("seed %d: %d inputs", seed, c.result.Stats.Inputs)
		if !c.ahead.arrived {
			t.Errorf("seed %d: not reached in %d inputs", seed, c.result.Stats.Inputs)
		}
	}
}

// learnAll runs a batch and learns of it.
func (c *campaign) learnAll(batch []*candidate) {
	for _, r := range c.execute(batch) {
		c.learn(r)
	}
}

// refusals are where functions turn wei away.
func refusals(t *testing.T, c *campaign) (pcs []uint64) {
	t.Helper()
	all := c.cover.Bytecode(c.underCode).Instructions
	for i := range all[:len(all)-5] {
		if all[i].Op == bytecode.CALLVALUE && all[i+1].Op == bytecode.DUP1 && all[i+2].Op == bytecode.ISZERO && all[i+4].Op == bytecode.JUMPI {
			pcs = append(pcs, uint64(all[i+5].PC))
		}
	}
	if len(pcs) == 0 {
		t.Fatal("no function turns wei away")
	}
	return pcs
}

// What no encoded call reaches is reached by data that is sent as it comes.
func TestTargetOfRawCalls(t *testing.T) {
	b := compile(t, "testdata/Aimed.sol")
	unaimed, err := newCampaign(t.Context(), contract(t, b, "Aimed"), b.Contracts, Options{MaxInputs: 1})
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(6) {
		c := aimedAt(t, b, Options{MaxInputs: 1000, Seed: seed, Targets: refusals(t, unaimed)[:1]})
		if got := nearBy(c); got != "fallback" {
			t.Fatalf("near are %s", got)
		}
		c.loop(t.Context())
		if len(c.goals) > 0 {
			t.Errorf("seed %d: not reached in %d inputs", seed, c.result.Stats.Inputs)
		}
	}
}

// Where a function refuses wei is found behind data of any kind, though what
// else that data may lead to is more than the analysis follows.
func TestTargetsBehindEachSelector(t *testing.T) {
	file, err := filepath.Abs("../solc/testdata/npm/contracts/SoladyTimelock.sol")
	if err != nil {
		t.Fatal(err)
	}
	b := compile(t, file)
	begin := func(targets ...uint64) *campaign {
		c, err := newCampaign(t.Context(), contract(t, b, "SoladyTimelock"), b.Contracts, Options{MaxInputs: 1, Targets: targets})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for _, pc := range refusals(t, begin()) {
		if c := begin(pc); c.direction == nil || nearBy(c) != "fallback" {
			t.Errorf("%#x is not behind data of any kind alone", pc)
		}
	}
}

// What only a function in storage leads to is behind the jump that nobody can
// follow, though no constant on its way tells of it.
func TestTargetsBehindPointers(t *testing.T) {
	b := compile(t, "testdata/Pointer.sol")
	c, err := newCampaign(t.Context(), contract(t, b, "Pointer"), b.Contracts, Options{MaxInputs: 1, Lines: linesWith(t, b, "hits += 1;")})
	if err != nil {
		t.Fatal(err)
	}
	if c.direction == nil || nearBy(c) != "go" {
		t.Errorf("the target is not behind the call alone: %+v", c.direction)
	}
}

// Where nothing new comes of the functions that can reach a target, others get
// half of the choices, until one is reached.
func TestStuckCampaignsLookAround(t *testing.T) {
	c := aimedAt(t, compile(t, "testdata/Aimed.sol"), Options{MaxInputs: 1, Targets: []uint64{0}})
	kept := func() (count int) {
		for range 4000 {
			if c.keepsTo() {
				count++
			}
		}
		return count
	}
	if n := kept(); n < 2800 || n > 3200 {
		t.Errorf("of 4000 choices %d keep to the direction", n)
	}
	c.result.Stats.Inputs = c.direction.progress + tolerance + 1
	if n := kept(); n < 1800 || n > 2200 {
		t.Errorf("of 4000 choices %d keep to the direction of a campaign that is stuck", n)
	}
	c.ahead.arrived = true
	if n := kept(); n < 2800 || n > 3200 {
		t.Errorf("of 4000 choices %d keep to the direction behind which a target ran", n)
	}
}

// Of an outcome in shared code, what comes near is an input of a function that
// goes on to the target, whoever came nearest.
func TestNearIsWhatGoesOnToTheTarget(t *testing.T) {
	b := compile(t, "testdata/Aimed.sol")
	c := aimedAt(t, b, Options{MaxInputs: 1500, Seed: 1, Lines: linesWith(t, b, "done = 1;")})
	if got := nearBy(c); got != "lone" {
		t.Fatalf("near are %s", got)
	}
	c.loop(t.Context())
	for _, missed := range c.corpus.Missed() {
		if !c.direction.leads(missed) {
			continue
		}
		for range 50 {
			if e := c.comesNear(missed); e != nil && !c.direction.near[demand.CalleeOf(e.Sequence.Last())] {
				t.Fatalf("%v comes near", e.Sequence)
			}
		}
	}
}

// Functions that cannot reach a target are looked into as well: for what they do
// to the state, which may take conditions of their own.
func TestTargetThatOthersPrepare(t *testing.T) {
	b := compile(t, "testdata/Aimed.sol")
	for seed := range uint64(6) {
		r := run(t, b, "Prepared", Options{
			MaxInputs: 1500, Seed: seed, StopOnFirst: true, Oracles: []string{"assertion"}, Lines: linesWith(t, b, "assert(owed == 0);"),
		})
		if len(failing(r)) == 0 {
			t.Errorf("seed %d: not found in %d inputs", seed, r.Stats.Inputs)
		} else {
			t.Logf("seed %d: %d inputs", seed, r.Stats.Inputs)
		}
	}
}

// The turn goes on past Entries of functions that have nothing to do with the
// state, and comes to all others.
func TestTurnOfEntries(t *testing.T) {
	b := compile(t, "testdata/Ways.sol")
	c, err := newCampaign(t.Context(), contract(t, b, "Ways"), b.Contracts, Options{MaxInputs: 400, Seed: 1, Lines: linesWith(t, b, "marked = x;")})
	if err != nil {
		t.Fatal(err)
	}
	c.loop(t.Context())
	held, drawn := map[string]bool{}, map[string]bool{}
	for _, e := range c.corpus.Entries {
		held[e.Function().Name] = true
	}
	for range 20 * len(c.corpus.Entries) {
		drawn[c.nextEntry().Function().Name] = true
	}
	if !held["looks"] || drawn["looks"] {
		t.Errorf("looks, which only calculates: in the corpus %v, drawn %v", held["looks"], drawn["looks"])
	}
	for _, name := range []string{"direct", "through", "elsewhere"} {
		if !held[name] || !drawn[name] {
			t.Errorf("%s: in the corpus %v, drawn %v", name, held[name], drawn[name])
		}
	}
}
