package evm

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/ethereum/go-ethereum/common"
)

// plentiful is more gas than anything in these tests can pay.
const plentiful = 1<<64 - 1

// testBounds are small, so that loops reach them soon.
var testBounds = Bounds{Memory: 1 << 20, Held: 2 << 20, Work: 1 << 25}

// forEver repeats code that finds a counter on the stack and leaves it there.
func forEver(body string) string { return "5f5b" + body + "600101" + "600156" }

// hostileLoops are contracts that would use all memory or time of the machine, and
// the bound that each reaches.
var hostileLoops = []struct {
	name, code string
	bound      error
}{
	{"one word after the other", forEver("8060051b5f9052"), ErrMemory},      // mstore(i << 5, 0)
	{"much memory at once", "5f630fffffff52", ErrMemory},                    // mstore(0xfffffff, 0)
	{"copies", forEver("6207ffff5f5f37"), ErrSlow},                          // calldatacopy(0, 0, 0x7ffff)
	{"hashes", forEver("6207ffff5f2050"), ErrSlow},                          // keccak256(0, 0x7ffff)
	{"hashes of little", forEver("6103ff5f2050"), ErrSlow},                  // keccak256(0, 0x3ff)
	{"precompiled contracts", forEver("5f5f6207ffff5f60045afa50"), ErrSlow}, // staticcall(gas(), 4, 0, 0x7ffff, 0, 0)
	{"large events", forEver("6207ffff5fa0"), ErrHeld},                      // log0(0, 0x7ffff)
	{"small events", forEver("5f5fa0"), ErrHeld},                            // log0(0, 0)
	{"words", forEver("808055"), ErrHeld},                                   // sstore(i, i)
	{"words that are read", forEver("805450"), ErrHeld},                     // sload(i)
	{"transient words", forEver("80805d"), ErrHeld},                         // tstore(i, i)
	{"accounts", forEver("803150"), ErrHeld},                                // balance(i)
	{"contracts", forEver("5f5f5ff050"), ErrHeld},                           // create(0, 0, 0)
	{"large contracts", forEver("6207ffff5f5ff050"), ErrHeld},               // create(0, 0, 0x7ffff)
	// With calldata, sload(calldataload(0)) and revert; else calls itself with i.
	{"words of calls that revert", "366019575f5b805f525f5f60205f5f305af150600101600556" + "5b5f3554505f5ffd", ErrHeld},
	// Each frame returns much and has its caller keep that while it calls on: with
	// calldata, return(0, 0x3ffff); else call itself with some, then without.
	{"return data of callers", "36601857" + "5f5f60015f5f305af150" + "5f5f5f5f5f305af150" + "005b" + "6203ffff5ff3", ErrSlow},
}

// A contract uses no more than the Bounds, whatever its gas, in both modes, and
// changes nothing.
func TestBounds(t *testing.T) {
	for _, row := range hostileLoops {
		w := testWorld(t, map[common.Address]string{here: row.code})
		for _, exact := range []bool{false, true} {
			m := NewMachine()
			m.Steps, m.Bounds, m.Exact = 1<<40, testBounds, exact
			after := w.Fork()
			out := m.Execute(after, BlockContext{}, Call{From: alice, To: here, Gas: plentiful}, nil)
			if out.Status != Halt || out.Halt != row.bound || out.Slow != (row.bound != ErrMemory) {
				t.Errorf("%s, exact %v: %+v, want %v", row.name, exact, out, row.bound)
			}
			if len(after.Diff(w)) > 0 {
				t.Errorf("%s, exact %v: the World changed", row.name, exact)
			}
			if held := m.overlay.held(); held > 2*testBounds.Held {
				t.Errorf("%s, exact %v: kept %d bytes", row.name, exact, held)
			}
		}
	}
}

// Hashes and precompiled contracts reach the bound on work before they have used as
// much gas: they take longer for it than copies.
func TestSlowWork(t *testing.T) {
	for _, row := range hostileLoops {
		want := row.bound
		switch row.name {
		case "hashes", "hashes of little", "precompiled contracts":
		case "copies":
			want = ErrOutOfGas
		default:
			continue
		}
		m := NewMachine()
		m.Steps, m.Bounds = 1<<40, testBounds
		out := m.Execute(testWorld(t, map[common.Address]string{here: row.code}), BlockContext{}, Call{From: alice, To: here, Gas: testBounds.Work}, nil)
		if out.Halt != want {
			t.Errorf("%s: %v, want %v", row.name, out.Halt, want)
		}
	}
}

// Open frames share the memory; the one that needs too much halts, not the Call.
func TestMemoryOfFrames(t *testing.T) {
	// mstore(0x10000, 0); pop(call(gas(), address(), 0, 0, 0, 0, 0))
	w := testWorld(t, map[common.Address]string{here: "5f6201000052" + "5f5f5f5f5f305af150"})
	const each = 0x10000 + 32
	for _, exact := range []bool{false, true} {
		m := NewMachine()
		m.Bounds, m.Exact = testBounds, exact
		frames, halted := 0, 0
		out := m.Execute(w.Fork(), BlockContext{}, Call{From: alice, To: here, Gas: plentiful}, &Hooks{
			Enter: func(*Frame) { frames++ },
			Exit: func(f *Frame, _ Status, _ []byte, _ uint64, halt error) {
				if halt == ErrMemory {
					halted = f.Depth
				}
			},
		})
		if deepest := testBounds.Memory/each + 1; out.Status != Success || frames != deepest || halted != deepest {
			t.Errorf("exact %v: %+v after %d frames, the one at depth %d halted; want %d", exact, out, frames, halted, deepest)
		}
	}
}

// A Call ends when its open frames need too much memory together, and no frame that could
// not pay for it does that.
func TestOpenMemory(t *testing.T) {
	// With calldata, mstore(0x100000000, 0). Else mstore(0x10000, 0) and call itself.
	w := testWorld(t, map[common.Address]string{here: "36601457" + "5f6201000052" + "5f5f5f5f5f305af150" + "005b" + "5f64010000000052"})
	const each = 0x10000 + 32
	for _, exact := range []bool{false, true} {
		m := NewMachine()
		m.Bounds, m.Exact = Bounds{Open: testBounds.Memory}, exact
		frames := 0
		out := m.Execute(w.Fork(), BlockContext{}, Call{From: alice, To: here}, &Hooks{Enter: func(*Frame) { frames++ }})
		if deepest := testBounds.Memory/each + 1; out.Halt != ErrHeld || !out.Slow || frames != deepest {
			t.Errorf("exact %v: %+v after %d frames, want %d", exact, out, frames, deepest)
		}
		if out := m.Execute(w.Fork(), BlockContext{}, Call{From: alice, To: here, Data: []byte{1}}, nil); out.Halt != ErrOutOfGas {
			t.Errorf("exact %v: memory that costs too much: %+v", exact, out)
		}
	}
}

// Without Bounds, the same contracts end by their gas.
func TestNoBounds(t *testing.T) {
	for _, row := range hostileLoops {
		w := testWorld(t, map[common.Address]string{here: row.code})
		out := NewMachine().Execute(w, BlockContext{}, Call{From: alice, To: here, Gas: 10_000_000}, nil)
		if out.Halt == ErrHeld || out.Halt == ErrMemory {
			t.Errorf("%s: %v", row.name, out.Halt)
		}
	}
}

// What earlier Calls wrote, and what an Inspector left, counts.
func TestHeldByWorld(t *testing.T) {
	w := testWorld(t, map[common.Address]string{here: "5f355f5b808055600101" + "8082116003570000"})
	m := NewMachine()
	m.Bounds = testBounds
	words := common.Hash{30: 0x10} // 4,096 of them
	if out := m.Execute(w, BlockContext{}, Call{From: alice, To: here, Data: words[:], Gas: plentiful}, nil); out.Status != Success {
		t.Fatalf("outcome %+v", out)
	}
	full := w.Fork()
	full.Env = &Env{Size: testBounds.Held}
	if out := m.Execute(full, BlockContext{}, Call{From: alice, To: here, Data: words[:], Gas: plentiful}, nil); out.Halt != ErrHeld {
		t.Errorf("with what an Inspector left: %+v", out)
	}
	m.Bounds.Held = w.Size()
	if out := m.Execute(w, BlockContext{}, Call{From: alice, To: here, Data: words[:], Gas: plentiful}, nil); out.Halt != ErrHeld {
		t.Errorf("with what a Call wrote: %+v", out)
	}
}

// A Machine gives up the memory of a large Call when the next one begins.
func TestMemoryIsGivenUp(t *testing.T) {
	codes := map[common.Address]string{there: "00"}
	for i, row := range hostileLoops {
		codes[common.Address{1, byte(i)}] = row.code
	}
	w := testWorld(t, codes)
	m := NewMachine()
	m.Steps, m.Bounds = 1<<40, Bounds{Memory: 64 << 20, Held: 64 << 20, Work: 1 << 25}
	before := heap()
	for i := range hostileLoops {
		m.Execute(w.Fork(), BlockContext{}, Call{From: alice, To: common.Address{1, byte(i)}, Gas: plentiful}, nil)
	}
	m.Execute(w.Fork(), BlockContext{}, Call{From: alice, To: there}, nil)
	if kept := int64(heap()) - int64(before); kept > 24<<20 {
		t.Errorf("the Machine keeps %d bytes", kept)
	}
	runtime.KeepAlive(m)
}

// heap returns the bytes that are in use.
func heap() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// The journal has a word once for each snapshot, however often it is written, and
// reverts go back to the right value.
func TestJournalOfOneWord(t *testing.T) {
	// With calldata, sstore(0, 9) and revert. Else 1,000 times: sstore(0, i),
	// tstore(0, i); then call itself with calldata, and sstore(0, sload(0) + 1).
	w := testWorld(t, map[common.Address]string{here: "366024575f5b600101805f55805f5d806103e81160055750" +
		"5f5f60015f5f305af1505f54600101" + "5f55005b" + "60095f555f5ffd"})
	for _, exact := range []bool{false, true} {
		m := NewMachine()
		m.Exact = exact
		out := m.Record(w, BlockContext{}, Call{From: alice, To: here}, nil)
		if out.Status != Success || len(m.overlay.journal) > 12 {
			t.Errorf("exact %v: %+v, journal of %d entries", exact, out, len(m.overlay.journal))
		}
		after := w.Fork()
		m.Commit(after)
		if got := after.Storage(here, common.Hash{}); got != (common.Hash{30: 0x03, 31: 0xe9}) {
			t.Errorf("exact %v: stored %s", exact, fmt.Sprint(got))
		}
	}
}
