package engine

import (
	"testing"

	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/solc"
)

func TestAbuse(t *testing.T) {
	b := compile(t, "testdata/Abused.sol")
	for _, row := range []struct {
		name string
		test func(*testing.T, *solc.Build)
	}{
		{"bounds become dreams", boundsBecomeDreams},
		{"bounds are passed", boundsArePassed},
		{"usurping", usurping},
		{"pen", penWrites},
		{"entries", picksEntries},
		{"entitling", entitling},
	} {
		t.Run(row.name, func(t *testing.T) { row.test(t, b) })
	}
}

// A bound in storage that a prediction ran into becomes a Dream in which the
// input passes it, whatever is there now.
func boundsBecomeDreams(t *testing.T, b *solc.Build) {
	c := explored(t, b, "Bounded", 1)
	spend := c.calleeOf(c.base.UnderTest().Address, "spend(uint256)")
	for _, n := range []uint64{0, 1, 123456789, 1 << 60} {
		tx := input.Tx{From: input.User1, To: c.base.UnderTest().Address, Function: spend, Args: spend.Zero()}
		tx.Args[0].Word.SetUint64(n)
		run := execute(c.executors[0], c.single(tx, c.seed))
		if run.Outcome.Status == evm.Success {
			t.Fatalf("%d is within the bound", n)
		}
		dreams := 0
		for _, d := range c.decisions(run.States[0], &tx) {
			wishes := passing(run.Sequence, run.States[0].World, &d)
			if len(wishes) == 0 {
				continue
			}
			dreams++
			dream := wishes[0]
			storage := []exec.Override{{Slot: dream.Slots[0].Slot, Value: dream.Slots[0].Want.Bytes32()}}
			if _, outcome := c.judge.executor.Transact(run.States[0], &tx, storage, nil); (outcome.Status == evm.Success) == (n == 123456789) {
				t.Errorf("%d ends in %v with %s in storage", n, outcome.Status, dream.Slots[0].Want.Dec())
			}
		}
		if dreams != 1 {
			t.Errorf("%d dreams of %d", dreams, n)
		}
	}
}

// What lies behind such a bound is found.
func boundsArePassed(t *testing.T, b *solc.Build) {
	for seed := range uint64(2) {
		r := run(t, b, "Bounded", Options{MaxInputs: 6000, Seed: seed, StopOnFirst: true, Oracles: []string{"assertion"}})
		if len(failing(r)) == 0 {
			t.Errorf("seed %d: not found (%+v)", seed, r.Stats)
		}
	}
}

// With an arbitrary write in hand, a stranger takes the owner's place.
func usurping(t *testing.T, b *solc.Build) {
	c := explored(t, b, "Anywhere", 3000)
	if c.pen == nil {
		t.Fatal("no way to write anywhere was found")
	}
	usurped := false
	for range 200 {
		next := c.usurp()
		if next == nil {
			t.Fatal("the deployer did nothing that is reserved")
		}
		last := next.Sequence.Last()
		if last.From != input.User1 {
			t.Fatalf("%v takes the owner's place", last.From)
		}
		if last.Function.Name != "reserved" {
			continue
		}
		r := execute(c.executors[0], next)
		if r.PrefixFailed {
			t.Fatal("the write fails")
		}
		if _, alone := c.executors[0].Transact(c.start, last, nil, nil); alone.Status == evm.Success {
			t.Fatal("anybody may do what is reserved")
		}
		usurped = usurped || r.Outcome.Status == evm.Success
	}
	if !usurped {
		t.Error("nobody took the owner's place")
	}
}

// A pen moved by the distance of a slot from the probe writes that slot.
func penWrites(t *testing.T, b *solc.Build) {
	c := explored(t, b, "Anywhere", 3000)
	if c.pen == nil {
		t.Fatal("no way to write anywhere was found")
	}
	done := c.calleeOf(c.base.UnderTest().Address, "done()")
	tx := input.Tx{From: input.User2, To: c.base.UnderTest().Address, Function: done}
	was := c.pen.sequence.Last().Args[0].Word
	for _, slot := range []uint64{1, 5, 1 << 50} {
		next := c.write(uint256.NewInt(slot).Bytes32(), *uint256.NewInt(77), tx)
		r := execute(c.executors[0], next)
		if r.PrefixFailed || r.Outcome.Status != evm.Success {
			t.Fatalf("slot %d: %v", slot, r.Outcome)
		}
		if got := r.After.Storage(tx.To, uint256.NewInt(slot).Bytes32()); got != uint256.NewInt(77).Bytes32() {
			t.Errorf("slot %d is %x", slot, got)
		}
	}
	if c.pen.sequence.Last().Args[0].Word != was {
		t.Error("the pen itself is changed")
	}
}

// Of the Entries that suit, each is drawn now and then, and no other.
func picksEntries(t *testing.T, b *solc.Build) {
	c := explored(t, b, "Anywhere", 500)
	suits := func(e *corpus.Entry) bool { return e.Success }
	want, seen := map[*corpus.Entry]bool{}, map[*corpus.Entry]bool{}
	for _, e := range c.corpus.Entries {
		if suits(e) {
			want[e] = true
		}
	}
	for range 200 * len(want) {
		seen[c.pickEntry(suits)] = true
	}
	for e := range seen {
		if !want[e] {
			t.Error("drew an Entry that does not suit")
		}
	}
	if len(want) < 2 || len(seen) != len(want) {
		t.Errorf("drew %d of %d", len(seen), len(want))
	}
	if c.pickEntry(func(*corpus.Entry) bool { return false }) != nil {
		t.Error("drew an Entry where none suits")
	}
}

// A stranger does what the deployer could, after a call that lets the stranger.
func entitling(t *testing.T, b *solc.Build) {
	c := explored(t, b, "Appointed", 500)
	var closing *corpus.Entry
	for _, e := range c.corpus.Entries {
		if e.Success && e.Sequence.Last().Function.Name == "close" && len(e.Sequence.Txs) == 1 {
			closing = e
		}
	}
	if closing == nil || closing.Sequence.Last().From != input.Deployer {
		t.Fatal("the deployer did not close")
	}
	entitled := false
	for range 50 {
		s, ok := c.entitled(closing)
		if !ok {
			t.Fatal("nothing comes before")
		}
		if s.Last().From == input.Deployer {
			t.Fatal("the deployer is no stranger")
		}
		r := execute(c.executors[0], &candidate{Job: exec.Job{Sequence: s, States: []exec.State{c.start}}})
		entitled = entitled || r.Outcome.Status == evm.Success
	}
	if !entitled {
		t.Error("no stranger was let through")
	}
}
