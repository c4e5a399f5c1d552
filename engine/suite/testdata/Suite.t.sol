// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface Vm {
    function assume(bool) external pure;
    function skip(bool, string calldata) external;
    function label(address, string calldata) external;
    function recordLogs() external;
    function startStateDiffRecording() external;
    function toString(bytes calldata) external pure returns (string memory);
}

library Sum {
    function add(uint256 a, uint256 b) external pure returns (uint256) { return a + b; }
}

contract Box {
    error Full(uint256 at);
    uint256 public held;
    function put(uint256 n) external { if (n > 9) revert Full(n); held = n; }
    function drop() external { held = 0; }
    function look() external view returns (uint256) { return held; }
}

abstract contract Base {
    bool public IS_TEST = true;
    Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
}

contract VerdictTest is Base {
    Box box;
    function setUp() external { box = new Box(); }
    function testPasses() external { box.put(9); assert(box.held() == 9); }
    function testAgain() external view { assert(box.held() == 0); }
    function testError() external {
        box.put(10);
    }
    function testPanic() external pure { assert(false); }
    function testReason() external pure { require(false, "not today"); }
    function testSkips() external { vm.skip(true, "later"); }
    function testRejects() external pure { vm.assume(false); }
    function testFree() external view { require(tx.gasprice == 0, "gas is not free"); }
    function testLinked() external pure { require(Sum.add(1, 2) == 3); }
    function testEndless() external pure { while (true) {} }
}

contract BrokenTest is Base {
    function setUp() external pure { revert("no set-up"); }
    function testNothing() external {}
}

contract TableTest is Base {
    uint256[] list;
    function fixtureN() external pure returns (uint256[] memory n) { n = new uint256[](3); (n[0], n[1], n[2]) = (1, 2, 3); }
    function fixtureM(uint256 i) external pure returns (uint256) { require(i < 2); return i; }
    function tableSmall(uint256 n) external pure { require(n < 4, "large"); }
    function tableLarge(uint256 n) external pure { require(n < 3, "large"); }
    function tableUneven(uint256 n, uint256 m) external {}
    function tableMissing(uint256 other) external {}
}

contract TargetTest is Base {
    struct FuzzSelector { address addr; bytes4[] selectors; }
    Box first; Box second; Box third;
    function setUp() external { (first, second, third) = (new Box(), new Box(), new Box()); }
    function excludeContracts() external view returns (address[] memory list) { list = new address[](1); list[0] = address(third); }
    function targetSelectors() external view returns (FuzzSelector[] memory list) {
        list = new FuzzSelector[](1);
        list[0].addr = address(first);
        list[0].selectors = new bytes4[](1);
        list[0].selectors[0] = Box.put.selector;
    }
    function targetSenders() external pure returns (address[] memory list) { list = new address[](1); list[0] = address(7); }
    function invariant_true() external {}
}

// Each would use up the memory of the machine: 2^64 gas pays for everything.
contract HostileTest is Base {
    function mega() internal pure returns (bytes memory) { return new bytes(1 << 20); }
    function testMemory() external pure { assembly { for { let i := 1 } 1 { i := mul(i, 2) } { mstore(i, 1) } } }
    function recurse() external { bytes memory b = mega(); this.recurse(); b[0] = 0x01; }
    function testFrames() external { this.recurse(); }
    function testLabels() external { string memory s = string(mega()); for (uint160 i; ; i++) vm.label(address(i), s); }
    function testLogs() external { vm.recordLogs(); assembly { for {} 1 {} { log0(0, 0x100000) } } }
    function testContracts() external { while (true) new Box(); }
    function ping(bytes calldata) external {}
    function testStateDiff() external { bytes memory b = mega(); vm.startStateDiffRecording(); while (true) this.ping(b); }
    function testReason() external pure { revert(string(mega())); }
    function testSkips() external { vm.skip(true, string(mega())); }
    function testCopies() external view { assembly { for {} 1 {} { pop(staticcall(gas(), 2, 0, 0x100000, 0, 0)) } } }
    function testAnswers() external {
        bytes memory data = abi.encodeCall(vm.toString, (mega()));
        address to = address(vm);
        assembly { for {} 1 {} { pop(call(gas(), to, 0, add(data, 32), mload(data), 0, 0)) } }
    }
}
