// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Vm, vm} from "Vm.sol";

contract Store {
    uint256 public a = 1;
    mapping(address => mapping(uint256 => uint256)) public deep;
    event Set(uint256 indexed value, address sender);

    function set(uint256 value) external payable returns (uint256) { a = value; emit Set(value, msg.sender); return value; }
    function setDeep(address who, uint256 i, uint256 value) external { deep[who][i] = value; }
    function other() external pure returns (uint256) { return 7; }
    function fails() external { a = 99; revert("fails"); }
    function origin() external view returns (address, address) { return (msg.sender, tx.origin); }
    function write(uint256 at) external pure { assembly { mstore(at, 1) } }
    function spend() external pure { for (uint256 i; i < 100; i++) {} }
}

contract Double { uint256 public a; function set(uint256 value) external payable returns (uint256) { a = 2 * value; return a; } }

abstract contract Base {
    Store s = new Store();
    Double d = new Double();
    constructor() payable { vm.deal(address(this), 100); }
    function same(uint256 x, uint256 y) internal { vm.assertEq(x, y); }
    function check(bool ok, string memory what) internal pure { require(ok, what); }
}

contract Mocks is Base {
    bytes set5 = abi.encodeCall(Store.set, (5));

    function mocked() external { vm.mockCall(address(s), set5, abi.encode(50)); same(s.set(5), 50); same(s.a(), 1); same(s.set(6), 6); }
    function bySelector() external { vm.mockCall(address(s), Store.set.selector, abi.encode(51)); same(s.set(8), 51); }
    function longer() external {
        vm.mockCall(address(s), set5, abi.encode(50));
        vm.mockCall(address(s), Store.set.selector, abi.encode(51));
        same(s.set(5), 50); same(s.set(6), 51);
    }
    function byValue() external {
        vm.mockCall(address(s), set5, abi.encode(50));
        vm.mockCall(address(s), 3, set5, abi.encode(53));
        same(s.set{value: 3}(5), 53); same(s.set{value: 4}(5), 50); same(address(s).balance, 7);
    }
    function replaced() external { vm.mockCall(address(s), set5, abi.encode(1)); vm.mockCall(address(s), set5, abi.encode(2)); same(s.set(5), 2); }
    function noCode() external { vm.mockCall(address(77), set5, abi.encode(50)); same(Store(address(77)).set(5), 50); }
    function noInjection() external { vm.mockCall(address(77), set5, abi.encode(50), false); check(address(77).code.length == 0, "code"); }
    function several() external {
        bytes[] memory all = new bytes[](2);
        all[0] = abi.encode(1); all[1] = abi.encode(2);
        vm.mockCalls(address(s), set5, all);
        same(s.set(5), 1); same(s.set(5), 2); same(s.set(5), 2);
    }
    function reverting() external { vm.mockCallRevert(address(s), set5, "no"); vm.expectRevert(bytes("no")); s.set(5); }
    function revertingKeepsValue() external {
        vm.mockCallRevert(address(s), 9, set5, "no");
        try s.set{value: 9}(5) { check(false, "no revert"); } catch {}
        same(address(s).balance, 0);
    }
    function poor() external { vm.mockCall(address(s), set5, abi.encode(50)); try s.set{value: 1000}(5) { check(false, "paid"); } catch {} }
    function cleared() external { vm.mockCall(address(s), set5, abi.encode(50)); vm.clearMockedCalls(); same(s.set(5), 5); }
    function redirected() external {
        vm.mockFunction(address(s), address(d), abi.encodePacked(Store.set.selector));
        same(s.set{value: 2}(5), 10); same(s.a(), 10); same(d.a(), 0); same(address(s).balance, 2);
    }
    function redirectedData() external { vm.mockFunction(address(s), address(d), set5); same(s.set(5), 10); same(s.set(6), 6); }
}

contract Records is Base {
    function logs() external {
        vm.recordLogs(); s.set(4); s.set(5);
        Vm.Log[] memory all = vm.getRecordedLogs();
        same(all.length, 2); same(all[1].topics.length, 2); same(uint256(all[1].topics[1]), 5);
        check(all[0].emitter == address(s) && abi.decode(all[0].data, (address)) == address(this), "log");
        same(vm.getRecordedLogs().length, 0);
    }
    function logsJson() external {
        vm.recordLogs(); s.set(4);
        bytes memory text = bytes(vm.getRecordedLogsJson());
        check(text[0] == "[" && text.length > 200, string(text));
    }
    function accesses() external {
        vm.record(); s.set(4); s.a();
        (bytes32[] memory reads, bytes32[] memory writes) = vm.accesses(address(s));
        vm.stopRecord(); s.set(5);
        same(reads.length, 2); same(writes.length, 1); same(uint256(writes[0]), 0);
        (reads,) = vm.accesses(address(s)); same(reads.length, 2);
    }
    function mappings() external {
        vm.startMappingRecording(); s.setDeep(address(3), 4, 5);
        bytes32 inner = keccak256(abi.encode(address(3), uint256(1)));
        bytes32 slot = keccak256(abi.encode(uint256(4), inner));
        same(vm.getMappingLength(address(s), bytes32(uint256(1))), 1);
        check(vm.getMappingSlotAt(address(s), inner, 0) == slot, "slot");
        (bool found, bytes32 key, bytes32 parent) = vm.getMappingKeyAndParentOf(address(s), slot);
        check(found && key == bytes32(uint256(4)) && parent == inner, "parent");
        vm.stopMappingRecording(); same(vm.getMappingLength(address(s), bytes32(uint256(1))), 0);
    }
    function diff() external {
        vm.startStateDiffRecording(); s.set{value: 3}(4); try s.fails() {} catch {} new Double();
        Vm.StorageAccess[] memory words = vm.getStorageAccesses();
        same(words.length, 2); // in set and in the call that reverts
        Vm.AccountAccess[] memory all = vm.stopAndReturnStateDiff();
        uint256 i; while (all[i].account != address(s) || all[i].kind != 0) i++;
        check(all[i].accessor == address(this) && all[i].value == 3 && all[i].newBalance == 3 && !all[i].reverted, "call");
        Vm.StorageAccess memory last = all[i].storageAccesses[all[i].storageAccesses.length - 1];
        check(last.isWrite && uint256(last.previousValue) == 1 && uint256(last.newValue) == 4, "word");
        while (all[i].kind != 4) i++;
        check(all[i].accessor == address(this) && all[i].deployedCode.length > 0, "creation");
        bool reverted; for (uint256 j; j < all.length; j++) reverted = reverted || all[j].reverted;
        check(reverted, "revert");
    }
    function diffText() external {
        vm.label(address(s), "the store"); vm.startStateDiffRecording(); s.set{value: 3}(4);
        bytes memory text = bytes(vm.getStateDiff());
        check(text.length > 100, string(text));
        text = bytes(vm.getStateDiffJson()); check(text[0] == "{", string(text));
    }
}

contract Gases is Base {
    function last() external {
        s.spend();
        Vm.Gas memory g = vm.lastCallGas();
        check(g.gasTotalUsed > 2000 && g.gasTotalUsed + g.gasRemaining == g.gasLimit, "gas");
        new Double(); check(vm.lastFrameGas().gasTotalUsed != g.gasTotalUsed, "frame"); same(vm.lastCallGas().gasTotalUsed, g.gasTotalUsed);
    }
    function none() external { vm.lastCallGas(); }
    function paused() external {
        vm.pauseGasMetering(); uint256 before = gasleft(); s.spend(); new Double(); check(before - gasleft() == 0, "charged");
        vm.resumeGasMetering(); before = gasleft(); s.spend(); check(before - gasleft() > 5000, "free");
    }
    function reset() external { s.spend(); uint256 before = gasleft(); vm.resetGasMetering(); check(gasleft() > before, "reset"); }
    function kept() external {
        vm.snapshotValue("v", 5); vm.snapshotValue("G", "w", 6); s.spend();
        uint256 used = vm.snapshotGasLastCall("call"); check(used == vm.lastCallGas().gasTotalUsed, "call");
        vm.snapshotGasLastFrame("G", "frame");
        vm.startSnapshotGas("code"); s.spend(); check(vm.stopSnapshotGas() > used, "code");
        vm.startSnapshotGas("G", "other"); vm.stopSnapshotGas("G", "other");
    }
    function twice() external { vm.startSnapshotGas("a"); vm.startSnapshotGas("b"); }
    function unstarted() external { vm.stopSnapshotGas(); }
}

contract Snapshots is Base {
    uint256 id;
    uint256 own = 1;

    function setUp() external { id = vm.snapshotState(); own = 2; s.set(3); vm.warp(500); }
    function same_() external {
        uint256 now_ = vm.snapshotState(); s.set(8); own = 9; vm.deal(address(this), 1); vm.warp(900); vm.fee(7); new Store();
        check(vm.revertToState(now_), "gone");
        same(s.a(), 3); same(own, 2); same(address(this).balance, 100); same(block.timestamp, 500); same(block.basefee, 0);
        s.set(8); check(vm.revertTo(now_), "gone"); same(s.a(), 3);
    }
    function earlier() external {
        uint256 kept = id; s.set(8); check(vm.revertToState(kept), "gone");
        same(s.a(), 1); same(own, 1); same(block.timestamp, 1);
    }
    function nested() external {
        uint256 one = vm.snapshot(); s.set(10); uint256 two = vm.snapshot(); s.set(20);
        vm.revertToState(two); same(s.a(), 10); vm.revertToState(one); same(s.a(), 3);
    }
    function deleted() external {
        uint256 now_ = vm.snapshotState(); check(vm.revertToStateAndDelete(now_), "gone"); check(!vm.revertToState(now_), "kept");
        now_ = vm.snapshotState(); check(vm.deleteStateSnapshot(now_) && !vm.deleteStateSnapshot(now_), "deleted");
        now_ = vm.snapshotState(); vm.deleteStateSnapshots(); check(!vm.revertToState(now_), "all");
    }
    function inReverted() external {
        uint256 now_ = vm.snapshotState(); own = 7;
        try this.restoreAndFail(now_) {} catch {}
        same(own, 7);
    }
    function restoreAndFail(uint256 which) external { vm.revertToState(which); same(own, 2); revert("undo"); }
}

contract Memory is Base {
    function within() external { vm.expectSafeMemory(0x80, 0x200); assembly { mstore(0x100, 1) } vm.stopExpectSafeMemory(); assembly { mstore(0x400, 1) } }
    function beyond() external { vm.expectSafeMemory(0x80, 0x100); assembly { mstore(0x100, 1) } }
    function callBeyond() external { vm.expectSafeMemoryCall(0x80, 0x100); s.write(0x300); }
    function callWithin() external { vm.expectSafeMemoryCall(0x80, 0x200); s.write(0x100); }
    function empty() external { vm.expectSafeMemory(5, 5); }
}

contract Arbitrary is Base {
    function random() external {
        vm.setArbitraryStorage(address(d)); uint256 a = d.a(); check(a != 0, "zero"); same(d.a(), a);
        d.set(4); same(d.a(), 8); vm.setArbitraryStorage(address(s)); same(s.a(), 1);
    }
    function overwritten() external { vm.setArbitraryStorage(address(s), true); check(s.a() != 1, "written"); }
    function explicit() external {
        vm.setArbitraryStorage(address(d)); vm.store(address(d), 0, 0); same(d.a(), 0);
        check(vm.load(address(d), bytes32(uint256(9))) != 0, "load");
    }
    function copied() external { vm.copyStorage(address(s), address(d)); same(d.a(), 1); }
    function copiedRandom() external { Double e = new Double(); vm.setArbitraryStorage(address(d)); vm.copyStorage(address(d), address(e)); same(e.a(), d.a()); }
    function cloned() external {
        vm.cloneAccount(address(s), address(77)); same(Store(address(77)).a(), 1); same(vm.getNonce(address(77)), vm.getNonce(address(s)));
    }
    function skipBelow() external { this.skip(); }
    function skip() external { vm.skip(true); }
    function fork() external { check(bytes(vm.getEvmVersion()).length == 5, "osaka"); }
    function intoRandom() external { vm.setArbitraryStorage(address(d)); vm.copyStorage(address(s), address(d)); }
}

contract Broadcasts is Base {
    address who = address(0xB0B);

    function once() external {
        uint64 n = vm.getNonce(who); vm.broadcast(who); (address sender, address origin) = (address(0), address(0)); s.set(1);
        same(vm.getNonce(who), n + 1); (sender, origin) = s.origin(); check(sender == address(this) && origin != who, "over");
    }
    function running() external {
        vm.startBroadcast(who); (address sender, address origin) = s.origin(); check(sender == who && origin == who, "sender");
        (uint8 mode, address caller,) = vm.readCallers(); check(mode == 2 && caller == who, "mode");
        Store made = new Store(); same(vm.getNonce(who), 1); made.set(1); same(vm.getNonce(who), 2); vm.stopBroadcast();
        (sender,) = s.origin(); check(sender == address(this), "stopped");
    }
    function byKey() external {
        vm.broadcast(uint256(7)); s.set(1); same(vm.getNonce(vm.addr(7)), 1); same(vm.getWallets().length, 1);
        vm.broadcast(); s.set(1); same(vm.getNonce(vm.addr(7)), 2);
    }
    function view_() external { vm.broadcast(who); s.origin(); }
    function pranked() external { vm.prank(who); vm.broadcast(who); }
    function prankedAfter() external { vm.startBroadcast(who); vm.prank(who); }
    function twice() external { vm.startBroadcast(who); vm.startBroadcast(who); }
    function stopped() external { vm.stopBroadcast(); }
    function factoryMissing() external { vm.startBroadcast(who); new Double{salt: 0}(); }
    function delegated() external {
        address a = vm.addr(9); vm.signAndAttachDelegation(address(d), 9); same(Double(a).set(4), 8); same(d.a(), 0);
        Vm.SignedDelegation memory x = vm.signDelegation(address(s), 9); same(x.nonce, 1);
        vm.attachDelegation(x); same(Store(a).other(), 7);
    }
    function wrongNonce() external { vm.attachDelegation(vm.signDelegation(address(d), 9, 5)); }
    function misc() external { vm.breakpoint("a"); check(!vm.isIsolateMode(), "isolated"); vm.breakpoint("ab"); }
}

// What frames that fail leave of what cheatcodes did in them. Tests of forge that
// call these functions pass.
contract Failed is Base {
    address constant far = address(0xFA12);
    address constant near = address(0xFA13);

    function fail(string memory what, bytes memory args) internal {
        (bool ok,) = address(this).call(abi.encodePacked(bytes4(keccak256(bytes(what))), args));
        check(!ok, "no failure");
    }
    function less(uint256 x) internal pure returns (uint256 y) { unchecked { y = 0 - x; } }

    function deals(address a, uint256 wei_) external { vm.deal(a, wei_); revert(); }
    function dealt() external {
        fail("deals(address,uint256)", abi.encode(far, 5));
        same(far.balance, 5);
        check(far.codehash == keccak256(""), "no account");
    }
    function dealsAround() external payable { payable(near).transfer(40); vm.deal(near, 5); vm.deal(address(this), 3); payable(far).transfer(1); revert(); }
    function transfers() external { fail("dealsAround()", ""); same(near.balance, less(35)); same(address(this).balance, 43); same(far.balance, 0); }
    function dealsTwice() external { fail("deals(address,uint256)", abi.encode(far, 5)); vm.deal(near, 6); revert(); }
    function nested() external {
        vm.deal(far, 2);
        uint256 id = vm.snapshotState();
        fail("dealsTwice()", "");
        same(far.balance, 5); same(near.balance, 6);
        check(vm.revertToState(id), "gone");
        same(far.balance, 2); same(near.balance, 0);
    }
    function restores() external { vm.deal(far, 5); uint256 id = vm.snapshotState(); vm.deal(far, 6); vm.revertToState(id); same(far.balance, 5); revert(); }
    function restored() external { fail("restores()", ""); same(far.balance, 5); }

    function sets(uint64 nonce) external { vm.setNonceUnsafe(far, nonce); revert(); }
    function resets() external { vm.resetNonce(far); revert(); }
    function nonces() external {
        fail("sets(uint64)", abi.encode(9)); same(vm.getNonce(far), 9);
        fail("sets(uint64)", abi.encode(3)); same(vm.getNonce(far), 3);
        fail("resets()", ""); same(vm.getNonce(far), 0);
    }
    function creates() external { new Double(); vm.setNonce(address(this), 100); new Double(); revert(); }
    function creations() external { uint256 before = vm.getNonce(address(this)); fail("creates()", ""); same(vm.getNonce(address(this)), before + 100 - before - 1); }

    function etches(address a) external { vm.etch(a, hex"6001"); revert(); }
    function etched() external {
        fail("etches(address)", abi.encode(far)); same(far.code.length, 0);
        uint256 id = vm.snapshotState();
        fail("etches(address)", abi.encode(s)); same(address(s).code.length, 0);
        check(vm.revertToState(id), "gone"); check(address(s).code.length > 0, "lost");
    }
    function stores() external { vm.store(address(s), 0, bytes32(uint256(9))); revert(); }
    function stored() external { fail("stores()", ""); same(s.a(), 1); }
    function clones() external { vm.cloneAccount(address(this), far); revert(); }
    function cloned() external { fail("clones()", ""); same(far.balance, 0); same(far.code.length, 0); same(vm.getNonce(far), vm.getNonce(address(this))); }
    function mocks() external { vm.mockCall(far, bytes("abcd"), abi.encode(7)); revert(); }
    function mocked() external {
        fail("mocks()", ""); same(far.code.length, 0);
        (, bytes memory out) = far.call("abcd");
        same(abi.decode(out, (uint256)), 7);
    }
    function warps() external { vm.warp(77); vm.roll(78); revert(); }
    function warped() external { fail("warps()", ""); same(block.timestamp, 77); same(block.number, 78); }
}

// What forge loads for a cheatcode is warm then, until its frame reverts.
contract Warm is Base {
    address constant far = address(0xFA12);

    function cost() internal view returns (uint256 gas) {
        address a = far;
        gas = gasleft();
        assembly { mstore(0, balance(a)) }
        gas -= gasleft();
    }

    function warm() internal view { check(cost() < 500, "cold"); }
    function untouched() external view { check(cost() > 2500, "warm"); }
    function dealt() external { vm.deal(far, 1); warm(); }
    function etched() external { vm.etch(far, ""); warm(); }
    function loaded() external { vm.load(far, 0); warm(); }
    function stored() external { vm.store(far, 0, 0); warm(); }
    function nonce() external { vm.getNonce(far); warm(); }
    function nonceSet() external { vm.setNonce(far, 5); warm(); }
    function pranked() external { vm.prank(far); warm(); }
    function mocked() external { vm.mockCall(far, bytes("a"), "b"); warm(); }
    function inner() external { vm.deal(far, 1); revert(); }
    function reverted() external { try this.inner() {} catch {} check(cost() > 2500, "warm"); }

    function slot() external {
        vm.load(address(this), bytes32(uint256(50)));
        uint256 gas = gasleft();
        assembly { mstore(0, sload(50)) }
        check(gas - gasleft() < 500, "cold");
    }
    function precompile() external { vm.load(address(2), 0); }
}

contract Blocks {
    uint256 constant far = type(uint256).max - 5;

    function warped() external {
        vm.warp(far);
        require(block.timestamp == far && vm.getBlockTimestamp() == far && block.number < far, "time");
        vm.roll(far - 1);
        require(block.timestamp == far && block.number == far - 1 && vm.getBlockNumber() == far - 1, "number");
        vm.warp(7);
        require(block.timestamp == 7 && block.number == far - 1, "back");
    }

    function later() external view { require(block.timestamp == 7 && block.number == far - 1, "later"); }
}
