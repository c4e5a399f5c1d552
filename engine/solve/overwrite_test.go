package solve

import (
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/search/searchtest"
)

// steered explores a contract in which an arbitrary write is possible until
// it is known.
func steered(t *testing.T) *solving {
	t.Helper()
	s := newSolving(t, searchtest.Compile(t, "../testdata/Abused.sol"), "Anywhere")
	for range 15 {
		s.explore(200, s.next)
		if s.Overwrite.write != nil {
			return s
		}
	}
	t.Fatal("no arbitrary write was found")
	return nil
}

// A taint run of a write whose slot the input determines proposes the input that
// writes the probe slot. The first result that does makes the write known.
func TestWritesAreSteeredToTheProbe(t *testing.T) {
	s := newSolving(t, searchtest.Compile(t, "../testdata/Abused.sol"), "Anywhere")
	put := s.Callee(t, "put")
	r := s.Execute(s.Generator.Single(s.Generator.NewTx(put.Callee), nil))
	s.Solver.solve(s.Corpus.EntryOf(r))
	for _, c := range slices.Concat(s.Queue.All(), s.Solver.waiting.All()) {
		aim, ok := c.Purpose.(*Aim)
		if !ok || aim.steered == nil {
			continue
		}
		if s.Overwrite.write != nil {
			t.Fatal("the write is known before it was executed")
		}
		r := s.Execute(c)
		if r.After.Storage(put.Address, s.Subject.Probe) == (common.Hash{}) || !r.Shows(cover.ProbeHit) {
			t.Fatal("the probe slot is not written")
		}
		quiet := *r
		quiet.Run.Suspicion = 0
		if s.Overwrite.Learn(&quiet); s.Overwrite.write != nil {
			t.Fatal("an input that does not write the probe slot makes the write known")
		}
		s.Overwrite.Learn(r)
		if s.Overwrite.write == nil || s.Overwrite.write.tx != 0 || s.Overwrite.write.param.Index != aim.steered.Index {
			t.Fatalf("the write is %+v", s.Overwrite.write)
		}
		return
	}
	t.Error("no input is steered")
}

// After an arbitrary write of the owner's slot, a user does what only the owner
// may do.
func TestTakingOwnership(t *testing.T) {
	s := steered(t)
	s.explore(500, s.next)
	taken := false
	for range 200 {
		next := s.Overwrite.takeOwnership()
		if next == nil {
			t.Fatal("the deployer did nothing that depends on an owner")
		}
		last := next.Sequence.Last()
		if last.From != input.User1 {
			t.Fatalf("%v takes ownership", last.From)
		}
		if last.Function.Name != "reserved" {
			continue
		}
		r := s.Execute(next)
		if r.PrefixFailed {
			t.Fatal("the write fails")
		}
		if _, alone := s.Replayer.Transact(s.Subject.Start, last, nil, nil); alone.Status == evm.Success {
			t.Fatal("anybody may call what is reserved")
		}
		taken = taken || r.Succeeded()
	}
	if !taken {
		t.Error("nobody took ownership")
	}
}

// An arbitrary write that is moved by the distance between the probe and another
// slot writes that slot.
func TestArbitraryWrite(t *testing.T) {
	s := steered(t)
	done := s.Callee(t, "done")
	tx := input.Tx{From: input.User2, To: done.Address, Function: done.Function}
	was := s.Overwrite.write.sequence.Last().Args[0].Word
	for _, slot := range []uint64{1, 5, 1 << 50} {
		key, value := uint256.NewInt(slot).Bytes32(), uint256.NewInt(77)
		r := s.Execute(s.Overwrite.writing(key, *value, tx))
		if r.PrefixFailed || !r.Succeeded() {
			t.Fatalf("slot %d: %v", slot, r.Outcome)
		}
		if got := r.After.Storage(tx.To, key); got != value.Bytes32() {
			t.Errorf("slot %d is %x", slot, got)
		}
	}
	if s.Overwrite.write.sequence.Last().Args[0].Word != was {
		t.Error("the remembered write is changed")
	}
}

// Each entry that suits is drawn now and then, and no other.
func TestPickingEntries(t *testing.T) {
	s := explored(t, searchtest.Compile(t, "../testdata/Abused.sol"), "Anywhere", 200)
	suits := func(e *corpus.Entry) bool { return e.Success }
	want, seen := map[*corpus.Entry]bool{}, map[*corpus.Entry]bool{}
	for _, e := range s.Corpus.Entries {
		if suits(e) {
			want[e] = true
		}
	}
	if len(want) == len(s.Corpus.Entries) {
		t.Fatal("all entries suit")
	}
	for range 200 * len(want) {
		seen[s.Overwrite.pick(suits)] = true
	}
	for e := range seen {
		if !want[e] {
			t.Error("drew an entry that does not suit")
		}
	}
	if len(want) < 2 || len(seen) != len(want) {
		t.Errorf("drew %d of %d", len(seen), len(want))
	}
	if s.Overwrite.pick(func(*corpus.Entry) bool { return false }) != nil {
		t.Error("drew an entry where none suits")
	}
}
