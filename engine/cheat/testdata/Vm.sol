// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// The cheatcodes that the contracts of this folder call.
interface Vm {
    struct Log { bytes32[] topics; bytes data; address emitter; }
    struct Gas { uint64 gasLimit; uint64 gasTotalUsed; uint64 gasMemoryUsed; int64 gasRefunded; uint64 gasRemaining; }
    struct ChainInfo { uint256 forkId; uint256 chainId; }
    struct StorageAccess { address account; bytes32 slot; bool isWrite; bytes32 previousValue; bytes32 newValue; bool reverted; }
    struct AccountAccess {
        ChainInfo chainInfo; uint8 kind; address account; address accessor; bool initialized; uint256 oldBalance; uint256 newBalance;
        bytes deployedCode; uint256 value; bytes data; bool reverted; StorageAccess[] storageAccesses; uint64 depth; uint64 oldNonce; uint64 newNonce;
    }
    struct SignedDelegation { uint8 v; bytes32 r; bytes32 s; uint64 nonce; address implementation; }
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
    function etch(address, bytes calldata) external;
    function warp(uint256) external;
    function getBlockTimestamp() external returns (uint256);
    function getBlockNumber() external returns (uint256);
    function roll(uint256) external;
    function fee(uint256) external;
    function store(address, bytes32, bytes32) external;
    function load(address, bytes32) external returns (bytes32);
    function addr(uint256) external returns (address);
    function setNonce(address, uint64) external;
    function setNonceUnsafe(address, uint64) external;
    function resetNonce(address) external;
    function getNonce(address) external returns (uint64);
    function label(address, string calldata) external;
    function readCallers() external returns (uint8, address, address);
    function mockCall(address, bytes calldata, bytes calldata) external;
    function mockCall(address, uint256, bytes calldata, bytes calldata) external;
    function mockCall(address, bytes4, bytes calldata) external;
    function mockCall(address, bytes calldata, bytes calldata, bool) external;
    function mockCalls(address, bytes calldata, bytes[] calldata) external;
    function mockCallRevert(address, bytes calldata, bytes calldata) external;
    function mockCallRevert(address, uint256, bytes calldata, bytes calldata) external;
    function clearMockedCalls() external;
    function mockFunction(address, address, bytes calldata) external;
    function recordLogs() external;
    function getRecordedLogs() external returns (Log[] memory);
    function getRecordedLogsJson() external returns (string memory);
    function record() external;
    function stopRecord() external;
    function accesses(address) external returns (bytes32[] memory, bytes32[] memory);
    function startMappingRecording() external;
    function stopMappingRecording() external;
    function getMappingLength(address, bytes32) external returns (uint256);
    function getMappingSlotAt(address, bytes32, uint256) external returns (bytes32);
    function getMappingKeyAndParentOf(address, bytes32) external returns (bool, bytes32, bytes32);
    function startStateDiffRecording() external;
    function stopAndReturnStateDiff() external returns (AccountAccess[] memory);
    function getStorageAccesses() external returns (StorageAccess[] memory);
    function getStateDiff() external returns (string memory);
    function getStateDiffJson() external returns (string memory);
    function lastCallGas() external returns (Gas memory);
    function lastFrameGas() external returns (Gas memory);
    function pauseGasMetering() external;
    function resumeGasMetering() external;
    function resetGasMetering() external;
    function snapshotValue(string calldata, uint256) external;
    function snapshotValue(string calldata, string calldata, uint256) external;
    function snapshotGasLastCall(string calldata) external returns (uint256);
    function snapshotGasLastCall(string calldata, string calldata) external returns (uint256);
    function snapshotGasLastFrame(string calldata) external returns (uint256);
    function snapshotGasLastFrame(string calldata, string calldata) external returns (uint256);
    function startSnapshotGas(string calldata) external;
    function startSnapshotGas(string calldata, string calldata) external;
    function stopSnapshotGas() external returns (uint256);
    function stopSnapshotGas(string calldata) external returns (uint256);
    function stopSnapshotGas(string calldata, string calldata) external returns (uint256);
    function snapshotState() external returns (uint256);
    function snapshot() external returns (uint256);
    function revertToState(uint256) external returns (bool);
    function revertTo(uint256) external returns (bool);
    function revertToStateAndDelete(uint256) external returns (bool);
    function deleteStateSnapshot(uint256) external returns (bool);
    function deleteStateSnapshots() external;
    function expectSafeMemory(uint64, uint64) external;
    function expectSafeMemoryCall(uint64, uint64) external;
    function stopExpectSafeMemory() external;
    function setArbitraryStorage(address) external;
    function setArbitraryStorage(address, bool) external;
    function copyStorage(address, address) external;
    function broadcast() external;
    function broadcast(address) external;
    function broadcast(uint256) external;
    function startBroadcast(address) external;
    function stopBroadcast() external;
    function getWallets() external returns (address[] memory);
    function signDelegation(address, uint256) external returns (SignedDelegation memory);
    function signDelegation(address, uint256, uint64) external returns (SignedDelegation memory);
    function signAndAttachDelegation(address, uint256) external returns (SignedDelegation memory);
    function attachDelegation(SignedDelegation calldata) external;
    function breakpoint(string calldata) external;
    function cloneAccount(address, address) external;
    function skip(bool) external;
    function getEvmVersion() external returns (string memory);
    function isIsolateMode() external returns (bool);
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
