package cheat

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
)

func passing(names ...string) []expectation {
	var all []expectation
	for _, name := range names {
		all = append(all, expectation{name, ""})
	}
	return all
}

func TestMocks(t *testing.T) {
	run(t, "State.sol", "Mocks", false, passing("mocked", "bySelector", "longer", "byValue", "replaced", "noCode", "noInjection", "several",
		"reverting", "revertingKeepsValue", "poor", "cleared", "redirected", "redirectedData"))
}

func TestRecords(t *testing.T) {
	run(t, "State.sol", "Records", false, passing("logs", "logsJson", "accesses", "mappings", "diff", "diffText"))
}

func TestGas(t *testing.T) {
	run(t, "State.sol", "Gases", false, append(passing("last", "paused", "reset", "kept"), []expectation{
		{"none", "vm.lastCallGas: no external call was made yet"},
		{"twice", "vm.startSnapshotGas: gas snapshot was already started with group:  and name: a"},
		{"unstarted", "vm.stopSnapshotGas: no active gas snapshot; call `startGasSnapshot` first"},
	}...))
}

func TestLargeFee(t *testing.T) {
	f := newFixture(t)
	for fee, want := range map[string]string{"18446744073709551615": "", "18446744073709551616": "vm.fee: base fee must be less than 2^64"} {
		if got := reason(f.cheat("fee(uint256)", fee)); got != want {
			t.Errorf("%s: %q, want %q", fee, got, want)
		}
	}
}

func TestSnapshots(t *testing.T) {
	run(t, "State.sol", "Snapshots", true, passing("same_", "earlier", "nested", "deleted", "inReverted"))
}

// A later Call goes back to a state in the middle of an earlier one, with Calls
// between them.
func TestSnapshotsOfEarlierCalls(t *testing.T) {
	f := newFixture(t)
	to := f.deploy(compile(t, "State.sol")["Snapshots"])
	before := f.world.Fork()
	for _, name := range []string{"setUp()", "same_()", "nested()", "earlier()"} {
		if got := reason(f.call(to, name)); got != "" {
			t.Fatalf("%s: %s", name, got)
		}
	}
	store := common.BytesToHash(nil)
	for addr := range before.Accounts() {
		if addr == to {
			continue
		}
		if was, is := before.Storage(addr, store), f.world.Storage(addr, store); was != is {
			t.Errorf("%s: %s, before %s", addr, is, was)
		}
	}
}

func TestSafeMemory(t *testing.T) {
	run(t, "State.sol", "Memory", false, []expectation{
		{"within", ""},
		{"beyond", "0x6d656d6f7279207772697465206174206f666673657420307831303020…"}, // "memory write at offset 0x100 "
		{"callBeyond", "0x6d656d6f7279207772697465206174206f666673657420307833303020…"},
		{"callWithin", ""},
		{"empty", "vm.expectSafeMemory: memory range start (5) is greater than end (5)"},
	})
}

func TestArbitraryStorage(t *testing.T) {
	run(t, "State.sol", "Arbitrary", false, append(passing("random", "overwritten", "explicit", "copied", "copiedRandom", "cloned", "fork"), []expectation{
		{"intoRandom", "vm.copyStorage: target address cannot have arbitrary storage"},
		{"skip", "FOUNDRY::SKIP"},
		{"skipBelow", "vm.skip: `skip` can only be used at test level"},
	}...))
}

func TestBroadcasts(t *testing.T) {
	run(t, "State.sol", "Broadcasts", false, append(passing("once", "running", "byKey", "delegated"), []expectation{
		{"view_", "`staticcall`s are not allowed after `broadcast`; use `startBroadcast` instead"},
		{"pranked", "vm.broadcast: you have an active prank; broadcasting and pranks are not compatible"},
		{"prankedAfter", "vm.prank: cannot `prank` for a broadcasted transaction; pass the desired `tx.origin` into the `broadcast` cheatcode call"},
		{"twice", "vm.startBroadcast: a broadcast is active already"},
		{"stopped", "vm.stopBroadcast: no broadcast in progress to stop"},
		{"factoryMissing", "missing CREATE2 deployer: 0x4e59b44847b379578588920cA78FbF26c0B4956C"},
		{"wrongNonce", "vm.attachDelegation: invalid nonce for 0x…"},
		{"misc", "vm.breakpoint: breakpoints must be exactly one character"},
	}...))
}

func TestFailedFrames(t *testing.T) {
	run(t, "State.sol", "Failed", false, passing("dealt", "transfers", "nested", "restored", "nonces", "creations", "etched", "stored", "cloned", "mocked", "warped"))
}

func TestWarm(t *testing.T) {
	cases := passing("untouched", "dealt", "etched", "loaded", "stored", "nonce", "nonceSet", "pranked", "mocked", "reverted", "slot")
	run(t, "State.sol", "Warm", false, append(cases, expectation{"precompile", "vm.load: cannot use precompile 0x0000000000000000000000000000000000000002 as an argument"}))
}

// Times and numbers beyond 64 bits stay for later Calls.
func TestFarBlocks(t *testing.T) {
	f := newFixture(t)
	to := f.deploy(compile(t, "State.sol")["Blocks"])
	for _, function := range []string{"warped()", "later()"} {
		if got := reason(f.call(to, function)); got != "" {
			t.Errorf("%s: %s", function, got)
		}
	}
}
