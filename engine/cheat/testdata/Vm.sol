// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// The cheatcodes that the contracts of this folder call.
interface Vm {
    struct PotentialRevert { address reverter; bool partialMatch; bytes revertData; }

    function expectRevert() external;
    function expectRevert(bytes4) external;
    function expectRevert(bytes calldata) external;
    function expectRevert(address) external;
    function expectRevert(bytes calldata, address) external;
    function expectRevert(uint64) external;
    function expectRevert(bytes calldata, uint64) external;
    function expectRevert(bytes calldata, address, uint64) external;
    function expectPartialRevert(bytes4) external;
    function _expectCheatcodeRevert() external;
    function _expectCheatcodeRevert(bytes calldata) external;
    function assumeNoRevert() external;
    function assumeNoRevert(PotentialRevert calldata) external;
    function assumeNoRevert(PotentialRevert[] calldata) external;
    function expectEmit() external;
    function expectEmit(address) external;
    function expectEmit(uint64) external;
    function expectEmit(bool, bool, bool, bool) external;
    function expectEmit(bool, bool, bool, bool, address, uint64) external;
    function expectEmitAnonymous() external;
    function expectEmitAnonymous(bool, bool, bool, bool, bool) external;
    function expectCall(address, bytes calldata) external;
    function expectCall(address, bytes calldata, uint64) external;
    function expectCall(address, uint256, bytes calldata) external;
    function expectCall(address, uint256, uint64, bytes calldata) external;
    function expectCallMinGas(address, uint256, uint64, bytes calldata) external;
    function expectDelegateCall(address, bytes calldata) external;
    function expectCreate(bytes calldata, address) external;
    function expectCreate2(bytes calldata, address) external;
    function assertEq(uint256, uint256) external;
    function prank(address) external;
    function deal(address, uint256) external;
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
