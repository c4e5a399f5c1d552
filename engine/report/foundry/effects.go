package foundry

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/report/words"
)

// effect returns the row for one type of finding.Effect.
func effect[S finding.Effect](row check, before, write func(*test, S)) check {
	row.fits = func(t *test) bool { _, ok := t.finding.Observable.Effect.(S); return ok }
	sign := func(t *test) S { return t.finding.Observable.Effect.(S) }
	if before != nil {
		row.before = func(t *test) { before(t, sign(t)) }
	}
	row.write = func(t *test) { write(t, sign(t)) }
	return row
}

var effectChecks = []check{
	effect(check{name: "gain", follows: true, data: true}, nil, demandNoGain),
	effect(check{name: "stored"}, nil, func(t *test, s finding.WrongStorage) {
		t.demand("!ok || " + t.load(s.Contract, s.Slot) + " != " + wordLiteral(s.Value))
	}),
	effect(check{name: "answered", data: true}, nil, func(t *test, _ finding.WrongReturn) {
		t.demand("!ok || keccak256(data) != " + hashOf(t.finding.Observable.Data))
	}),
	effect(check{name: "paid"}, nil, func(t *test, s finding.WrongBalance) {
		t.demand("!ok || " + t.address(s.Account) + ".balance != " + weiLiteral(&s.Balance))
	}),
	effect(check{name: "overwritten"}, func(t *test, s finding.ProbeWritten) {
		t.line("vm.store(%s, %s, keccak256(\"untouched\"));", t.address(s.Contract), wordLiteral(s.Slot))
	}, func(t *test, s finding.ProbeWritten) {
		t.demand(t.load(s.Contract, s.Slot) + " == keccak256(\"untouched\")")
	}),
	effect(check{name: "ignored", data: true, recorded: true}, beforeIgnored, demandNoticed),
	effect(check{name: "destroyed", recorded: true}, record, func(t *test, s finding.Destroyed) {
		t.demand("!destroyed(vm.stopAndReturnStateDiff(), " + t.address(s.Contract) + ")")
	}),
	effect(check{name: "foreign"}, func(t *test, s finding.ForeignCode) {
		t.line("vm.etch(%s, type(LeveretIntruder).runtimeCode);", t.address(s.Code))
	}, func(t *test, s finding.ForeignCode) {
		mark := "bytes32(0)"
		comparison := " == "
		if s.Selector != nil {
			mark = fmt.Sprintf("bytes32(uint256(bytes32(bytes4(0x%x))) | 1)", s.Selector)
			comparison = " != "
		}
		t.demand(fmt.Sprintf("vm.load(%s, keccak256(\"foreign code\"))%s%s", t.address(s.Contract), comparison, mark))
	}),
	effect(check{name: "swayed"}, func(t *test, _ finding.BlockDependence) { t.remember() }, demandUnswayed),
	effect(check{name: "blocked"}, beforeBlocked, func(t *test, _ finding.DeniedService) {
		t.demand("ok || !willing")
	}),
	effect(check{name: "refused", data: true, recorded: true}, record, func(t *test, s finding.RefusedCall) {
		fits := fmt.Sprintf("!refuses(vm.stopAndReturnStateDiff(), %s, %s)", t.address(s.Caller), t.address(s.Callee))
		if t.finding.Observable.Fails {
			fits += " || ok || keccak256(data) != " + hashOf(t.finding.Observable.Data)
		}
		t.demand(fits)
	}),
	effect(check{name: "frozen", follows: true}, nil, func(t *test, s finding.LockedEther) {
		who := t.address(s.Contract)
		t.demand(fmt.Sprintf("%s.balance == 0 || canSpend(%s)", who, who))
	}),
	effect(check{name: "derailed", data: true, gas: allGas},
		func(t *test, _ finding.InvalidJump) { weighGas(t) },
		func(t *test, _ finding.InvalidJump) { demandGas(t) }),
	effect(check{name: "early", follows: true}, func(t *test, _ finding.ReentrantState) { t.remember() }, demandOrder),
}

// remember saves the state before the last transaction.
func (t *test) remember() { t.line("uint256 here = vm.snapshotState();") }

// record makes Foundry record the next transaction.
func record[S finding.Effect](t *test, _ S) { t.line("vm.startStateDiffRecording();") }

// demandNoGain checks the balance of an account, in ether or in a token.
func demandNoGain(t *test, g finding.Profit) {
	if g.Token == (common.Address{}) {
		t.demand(g.Who.String() + ".balance <= " + balance(&g.Most))
		return
	}
	t.line("(ok, data) = %s.call(abi.encodeWithSignature(\"balanceOf(address)\", %s));", t.address(g.Token), g.Who)
	t.demand("ok && abi.decode(data, (uint256)) <= " + words.Number(g.Most.Dec()))
}

// balance writes an amount of wei relative to the initial balance.
func balance(wei *uint256.Int) string {
	const first = "2 ** 96"
	start := new(uint256.Int).Lsh(uint256.NewInt(1), 96)
	switch off := new(uint256.Int); wei.Cmp(start) {
	case 0:
		return first
	case 1:
		return first + " + " + weiLiteral(off.Sub(wei, start))
	default:
		return first + " - " + weiLiteral(off.Sub(start, wei))
	}
}

// beforeIgnored saves the state, because the transaction is repeated.
func beforeIgnored(t *test, s finding.IgnoredFailure) {
	t.remember()
	t.line("vm.recordLogs();")
	record(t, s)
}

// demandNoticed repeats the last transaction with a callee that succeeds. If the
// effect is the same, the caller ignores the failure.
func demandNoticed(t *test, s finding.IgnoredFailure) {
	caller, callee := t.address(s.Caller), t.address(s.Callee)
	t.line("LeveretVm.Access[] memory list = vm.stopAndReturnStateDiff();")
	t.line("bool fails = refuses(list, %s, %s);", caller, callee)
	t.line("bytes32 came = effect(ok, data, list, %s);", caller)
	t.printf("\n")
	t.line("// Repeat it with a callee that succeeds. The effect must differ.")
	t.line("vm.revertToState(here);")
	t.line("vm.mockCall(%s, %s, \"\");", callee, hexText(s.Selector))
	if s.InsufficientBalance {
		t.line("vm.deal(%s, 2 ** 128);", caller)
	}
	t.line("vm.recordLogs();")
	record(t, s)
	t.send(t.finding.Witness.Last(), "(ok, data)", 0)
	t.line("list = vm.stopAndReturnStateDiff();")
	t.line("vm.clearMockedCalls();")
	t.demand(fmt.Sprintf("!fails || came != effect(ok, data, list, %s)", caller))
}

// demandUnswayed repeats the last transaction in another block.
func demandUnswayed(t *test, s finding.BlockDependence) {
	under := t.address(t.finding.Witness.UnderTest().Address)
	t.line("bytes32 moved = wealth(%s);", under)
	t.printf("\n")
	t.line("// Repeat it in another block. It must transfer the same ether.")
	t.line("vm.revertToState(here);")
	t.block, t.hashes = s.Block, s.BlockReads.Hashes
	t.time()
	t.chance(s.BlockReads)
	t.send(t.finding.Witness.Last(), "(ok, )", 0)
	t.demand("moved == wealth(" + under + ")")
}

// beforeBlocked checks whether the last transaction succeeds if the attacker's
// contract accepts ether.
func beforeBlocked(t *test, _ finding.DeniedService) {
	t.remember()
	tx := *t.finding.Witness.Last()
	tx.Script = nil
	t.line("%s.willTake();", attackerAt)
	t.send(&tx, "(ok, )", 0)
	t.line("bool willing = ok;")
	t.line("vm.revertToState(here);")
	t.script(t.finding.Witness.Last().Script)
}

// demandOrder compares the state with that of the same calls in every order.
func demandOrder(t *test, s finding.ReentrantState) {
	look := t.look(&s)
	t.line("bytes32 left = %s;", look)
	t.line("bool ordered = false;")
	for i, txs := range s.Orders {
		t.printf("\n")
		if i == len(s.Orders)-1 {
			t.line("// Only the call itself.")
		} else {
			t.line("// The same calls one after another, the interrupted one as call %d.", 1+position(txs, t.finding.Witness.Last()))
		}
		t.line("vm.revertToState(here);")
		for k := range txs {
			t.script(&input.Script{Answers: txs[0].Script.Answers})
			t.send(&txs[k], "(ok, )", 0)
		}
		t.line("ordered = ordered || left == %s;", look)
	}
	t.printf("\n")
	t.demand("ordered")
}

// position finds a transaction among others by function and sender.
func position(txs []input.Tx, tx *input.Tx) int {
	return max(0, slices.IndexFunc(txs, func(other input.Tx) bool { return other.Function == tx.Function && other.From == tx.From }))
}

// maxLooked is the largest number of compared words: Solidity's stack is shallow.
const maxLooked = 6

// look writes a hash of the values that distinguish the states.
func (t *test) look(s *finding.ReentrantState) string {
	var parts []string
	seen := map[string]bool{}
	add := func(part string) {
		if !seen[part] && len(parts) < maxLooked {
			seen[part] = true
			parts = append(parts, part)
		}
	}
	for _, w := range s.Words {
		add(t.load(w.Contract, w.Slot))
	}
	for _, a := range s.Owners {
		add(t.address(a) + ".balance")
	}
	return "keccak256(abi.encode(" + strings.Join(parts, ", ") + "))"
}

func (t *test) load(contract common.Address, slot common.Hash) string {
	return fmt.Sprintf("vm.load(%s, %s)", t.address(contract), wordLiteral(slot))
}

// wordLiteral writes a storage word or slot, small ones as numbers.
func wordLiteral(h common.Hash) string {
	if n := new(uint256.Int).SetBytes32(h[:]); n.BitLen() <= 64 {
		return fmt.Sprintf("bytes32(uint256(%d))", n.Uint64())
	}
	return fmt.Sprintf("bytes32(0x%x)", h)
}

// hashOf writes the hash of data, with short data as a literal.
func hashOf(data []byte) string {
	if len(data) <= 100 {
		return "keccak256(" + hexText(data) + ")"
	}
	return fmt.Sprintf("bytes32(0x%x)", crypto.Keccak256(data))
}
