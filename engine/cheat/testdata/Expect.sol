// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Vm, vm} from "Vm.sol";

error Poor(uint256 has, uint256 needs);

contract Failing {
    constructor(bool fails) payable { require(!fails, "no contract"); }

    function text() external pure { revert("text"); }
    function other() external pure { revert("other"); }
    function custom(uint256 a) external pure { revert Poor(a, 7); }
    function empty() external pure { revert(); }
    function halt() external pure { assembly { invalid() } }
    function fine() external pure returns (uint256) { return 1; }
    function number(bool fails) external pure returns (uint256) { require(!fails, "number"); return 5; }
    function inner(Failing f) external pure { f.text(); }
}

contract Reverts {
    Failing f = new Failing(false);

    function any() external { vm.expectRevert(); f.text(); }
    function reason() external { vm.expectRevert(bytes("text")); f.text(); }
    function encodedReason() external { vm.expectRevert(abi.encodeWithSignature("Error(string)", "text")); f.text(); }
    function otherReason() external { vm.expectRevert(bytes("text")); f.other(); }
    function selector() external { vm.expectRevert(Poor.selector); f.custom(1); }
    function partialMatch() external { vm.expectPartialRevert(Poor.selector); f.custom(1); }
    function encodedCustom() external { vm.expectRevert(abi.encodeWithSelector(Poor.selector, 1, 7)); f.custom(1); }
    function otherCustom() external { vm.expectRevert(abi.encodeWithSelector(Poor.selector, 2, 7)); f.custom(1); }
    function noData() external { vm.expectRevert(bytes("text")); f.empty(); }
    function emptyData() external { vm.expectRevert(bytes("")); f.empty(); }
    function halts() external { vm.expectRevert("EvmError: InvalidFEOpcode"); f.halt(); }
    function returnsZero() external { vm.expectRevert("number"); vm.assertEq(f.number(true), 0); }
    function noRevert() external { vm.expectRevert(); f.fine(); }
    function dangling() external { vm.expectRevert(); }
    function internalRevert() external { vm.expectRevert(bytes("here")); require(false, "here"); }
    function twice() external { vm.expectRevert(); vm.expectRevert(); }
    function creation() external { vm.expectRevert("no contract"); new Failing(true); }
    function creationSucceeds() external { vm.expectRevert(); new Failing(false); }
    function counted() external { vm.expectRevert("text", 2); f.text(); f.text(); }
    function countedOnce() external { vm.expectRevert("text", 2); f.text(); f.fine(); }
    function zeroTimes() external { vm.expectRevert(uint64(0)); f.fine(); }
    function zeroTimesFails() external { vm.expectRevert(uint64(0)); f.text(); }
    function zeroTimesReason() external { vm.expectRevert("text", 0); f.text(); }
    function reverter() external { vm.expectRevert(address(f)); f.text(); }
    function otherReverter() external { vm.expectRevert(address(1)); f.text(); }
    function innermostReverter() external { Failing g = new Failing(false); vm.expectRevert("text", address(f)); g.inner(f); }
    function afterwards() external { vm.expectRevert(); f.text(); f.other(); }
    function cheatcode() external { vm._expectCheatcodeRevert("assertion failed: 1 != 2"); vm.assertEq(1, 2); }
    function cheatcodeFine() external { vm._expectCheatcodeRevert(); vm.assertEq(1, 1); }

    function tolerate() external { vm.assumeNoRevert(); f.text(); }
    function tolerateFine() external { vm.assumeNoRevert(); f.fine(); f.text(); }
    function toleratePattern() external {
        vm.assumeNoRevert(Vm.PotentialRevert(address(0), true, abi.encodePacked(Poor.selector)));
        f.custom(1);
    }
    function tolerateOther() external {
        Vm.PotentialRevert[] memory all = new Vm.PotentialRevert[](2);
        all[0] = Vm.PotentialRevert(address(1), false, "text");
        all[1] = Vm.PotentialRevert(address(0), false, "another");
        vm.assumeNoRevert(all);
        f.text();
    }
    function tolerateTwice() external { vm.assumeNoRevert(); vm.assumeNoRevert(); }
}

contract Emitter {
    event One(uint256 indexed a, uint256 b);
    event Two(uint256 indexed a, uint256 b);
    event Nameless(uint256 a) anonymous;

    function one(uint256 a, uint256 b) external { emit One(a, b); }
    function two(uint256 a, uint256 b) external { emit Two(a, b); }
    function both() external { emit One(1, 2); emit Two(3, 4); }
    function nameless(uint256 a) external { emit Nameless(a); }
    function nothing() external {}
    function fails() external pure { revert("fails"); }
}

contract Emits {
    event One(uint256 indexed a, uint256 b);
    event Two(uint256 indexed a, uint256 b);
    event Nameless(uint256 a) anonymous;

    Emitter e = new Emitter();

    function same() external { vm.expectEmit(); emit One(1, 2); e.one(1, 2); }
    function otherTopic() external { vm.expectEmit(); emit One(1, 2); e.one(3, 2); }
    function otherData() external { vm.expectEmit(); emit One(1, 2); e.one(1, 3); }
    function otherEvent() external { vm.expectEmit(); emit One(1, 2); e.two(1, 2); }
    function unchecked_() external { vm.expectEmit(false, false, false, false); emit One(1, 2); e.one(3, 4); }
    function emitter() external { vm.expectEmit(address(e)); emit One(1, 2); e.one(1, 2); }
    function otherEmitter() external { vm.expectEmit(address(1)); emit One(1, 2); e.one(1, 2); }
    function order() external { vm.expectEmit(); emit One(1, 2); vm.expectEmit(); emit Two(3, 4); e.both(); }
    function wrongOrder() external { vm.expectEmit(); emit Two(3, 4); vm.expectEmit(); emit One(1, 2); e.both(); }
    function skipped() external { vm.expectEmit(); emit Two(3, 4); e.both(); }
    function late() external { vm.expectEmit(); emit One(1, 2); e.nothing(); e.one(1, 2); }
    function dangling() external { vm.expectEmit(); }
    function danglingModel() external { vm.expectEmit(); emit One(1, 2); }
    function reverts() external { vm.expectEmit(); emit One(1, 2); e.fails(); }
    function never() external { vm.expectEmit(uint64(0)); emit One(1, 2); e.two(1, 2); }
    function neverBut() external { vm.expectEmit(uint64(0)); emit One(1, 2); e.one(1, 2); }
    function countedEmitter() external { vm.expectEmit(true, true, true, true, address(e), 1); emit One(1, 2); e.one(1, 2); }
    function tooFew() external { vm.expectEmit(uint64(2)); emit One(1, 2); e.one(1, 2); }
    function anonymous_() external { vm.expectEmitAnonymous(); emit Nameless(1); e.nameless(1); }
    function anonymousOther() external { vm.expectEmitAnonymous(false, false, false, false, true); emit Nameless(1); e.nameless(2); }
    function anonymousPlain() external { vm.expectEmit(); emit Nameless(1); e.nameless(1); }
}

contract Callee {
    uint256 public sum;

    function add(uint256 a, uint256 b) external payable { sum += a + b; }
    function forward(Callee c) external { c.add(1, 2); }
    function delegate(address to) external { (bool ok,) = to.delegatecall(abi.encodeCall(this.add, (1, 2))); require(ok); }
}

contract Small { function f() external pure returns (uint256) { return 1; } }

contract Calls {
    Callee c = new Callee();
    bytes data = abi.encodeCall(Callee.add, (1, 2));
    bytes add_ = abi.encodePacked(Callee.add.selector);

    constructor() { vm.deal(address(this), 10); }

    function once() external { vm.expectCall(address(c), data); c.add(1, 2); }
    function selector() external { vm.expectCall(address(c), add_); c.add(5, 6); }
    function inner() external { vm.expectCall(address(c), data); new Callee().forward(c); }
    function never() external { vm.expectCall(address(c), hex"771602f7"); c.sum(); }
    function twiceExpected() external { vm.expectCall(address(c), add_); vm.expectCall(address(c), add_); c.add(1, 1); }
    function counted() external { vm.expectCall(address(c), add_, 2); c.add(1, 1); c.add(2, 2); }
    function tooOften() external { vm.expectCall(address(c), hex"771602f7", 1); c.add(1, 1); c.add(2, 2); }
    function zeroTimes() external { vm.expectCall(address(c), add_, 0); c.sum(); }
    function value() external { vm.expectCall(address(c), 3, add_); c.add{value: 3}(1, 1); }
    function otherValue() external { vm.expectCall(address(c), 3, hex"771602f7"); c.add{value: 4}(1, 1); }
    function gas() external { vm.expectCall(address(c), 3, 50000, add_); c.add{value: 3, gas: 50000}(1, 1); }
    function leastGas() external { vm.expectCallMinGas(address(c), 0, 50000, add_); c.add{gas: 60000}(1, 1); }
    function tooLittleGas() external { vm.expectCallMinGas(address(c), 0, 50000, hex"771602f7"); c.add{gas: 40000}(1, 1); }
    function delegate() external { Callee d = new Callee(); vm.expectDelegateCall(address(d), data); c.delegate(address(d)); }
    function notDelegate() external { vm.expectDelegateCall(address(c), hex"771602f7"); c.add(1, 2); }
    function overwrite() external { vm.expectCall(address(c), data, 1); vm.expectCall(address(c), data); }
    function created() external { vm.expectCreate(type(Small).runtimeCode, address(this)); new Small(); }
    function created2() external { vm.expectCreate2(type(Small).runtimeCode, address(this)); new Small{salt: 0}(); }
    function notCreated() external { vm.expectCreate(hex"00", address(this)); new Small(); }
    function otherCreator() external { vm.expectCreate2(hex"00", address(1)); }
}
