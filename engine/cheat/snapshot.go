package cheat

import (
	"maps"
	"slices"
	"unsafe"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
)

// A snapshot is what vm.snapshotState keeps.
type snapshot struct {
	evm     evm.BlockContext
	tx      evm.TxContext
	block   block
	calls   int          // in snapshots.past when it was taken
	at      int          // evm.State.Snapshot in that Call
	changes []evm.Change // of that Call after it; once the Call has ended
	moves   int          // forks.moves when it was taken
}

// snapshots are the states that tests can go back to, in the Call that took them
// and in those after it.
type snapshots struct {
	taken map[uint64]snapshot
	next  uint64
	past  [][]evm.Change // what each Call since the first snapshot changed
}

func (s *snapshots) clone() snapshots {
	return snapshots{maps.Clone(s.taken), s.next, s.past[:len(s.past):len(s.past)]}
}

var snapshotRows = func() []row {
	var rows []row
	// add adds a cheatcode with the name that it had before.
	add := func(name, old, types, returns string, run func(*call) error, docs string) {
		rows = append(rows, row{name + types, returns, run, docs}, row{old + types, returns, run, docs + " (deprecated name)"})
	}
	add("snapshotState", "snapshot", "()", "(uint256)", (*call).snapshotState, "keeps the state of the chain and the block, and returns its number")
	add("revertToState", "revertTo", "(uint256)", "(bool)", func(c *call) error { return c.revertToState(false) }, "goes back to a snapshot; returns whether there is one")
	add("revertToStateAndDelete", "revertToAndDelete", "(uint256)", "(bool)", func(c *call) error { return c.revertToState(true) }, "goes back to a snapshot and deletes it; returns whether there is one")
	add("deleteStateSnapshot", "deleteSnapshot", "(uint256)", "(bool)", (*call).deleteSnapshot, "deletes a snapshot; returns whether there is one")
	add("deleteStateSnapshots", "deleteSnapshots", "()", "", func(c *call) error { c.memory.snapshots.taken = nil; return nil }, "deletes all snapshots")
	return rows
}()

func (c *call) snapshotState() error {
	s := &c.memory.snapshots
	if s.taken == nil {
		s.taken = make(map[uint64]snapshot)
	}
	s.taken[s.next] = snapshot{*c.state.Block(), *c.state.Tx(), c.memory.block, len(s.past), c.state.Snapshot(), nil, c.memory.forks.moves}
	s.next++
	c.remember(2 * int(unsafe.Sizeof(snapshot{})))
	return c.give(numberValue(s.next - 1))
}

// find returns the snapshot that the first argument names.
func (c *call) find() (id uint64, found snapshot, ok bool) {
	w := &c.args[0].Word
	id = w.Uint64()
	found, ok = c.memory.snapshots.taken[id]
	return id, found, ok && w.IsUint64()
}

func (c *call) deleteSnapshot() error {
	id, _, ok := c.find()
	if ok {
		delete(c.memory.snapshots.taken, id)
	}
	return c.give(boolValue(ok))
}

func (c *call) revertToState(drop bool) error {
	id, x, ok := c.find()
	if !ok {
		return c.give(boolValue(false))
	}
	k := c.memory
	if x.moves != k.forks.moves {
		return errMoved
	}
	failed := c.state.Load(Address, FailSlot)
	if x.calls == len(k.snapshots.past) {
		c.state.Restore(c.state.Changes(x.at, true))
	} else {
		c.state.Restore(c.state.Changes(0, true))
		for _, changes := range slices.Backward(k.snapshots.past[x.calls+1:]) {
			c.state.Restore(changes)
		}
		c.state.Restore(x.changes)
	}
	if failed != (common.Hash{}) { // failures of assertions stay
		c.state.Store(Address, FailSlot, failed)
	}
	*c.state.Block(), *c.state.Tx() = x.evm, x.tx
	k.block.restore(&x.block)
	if drop {
		delete(k.snapshots.taken, id)
	}
	return c.give(boolValue(true))
}

// restore sets what cheatcodes had changed of blocks when a snapshot was taken.
func (b *block) restore(then *block) {
	own := *then
	own.seconds, own.blocks, own.began = b.seconds, b.blocks, b.began
	*b = own
}

// keep remembers what the Call changed that ends, for the snapshots that later
// Calls may go back to. It returns the bytes of that.
func (s *snapshots) keep(state *evm.State) int {
	if len(s.taken) == 0 {
		s.past = nil
		return 0
	}
	all := state.Changes(0, false)
	for id, x := range s.taken {
		if x.calls == len(s.past) {
			x.changes = evm.Since(all, x.at)
			s.taken[id] = x
		}
	}
	s.past = append(s.past, all)
	return len(all) * int(unsafe.Sizeof(evm.Change{}))
}
