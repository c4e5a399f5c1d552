// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Vm {
    function store(address target, bytes32 slot, bytes32 value) external;
}

// The assertions of ds-test's first versions do not revert.
abstract contract OldAssertions {
    bool public failed;

    function assertTrue(bool condition) internal {
        if (!condition) failed = true;
    }
}

/// forge-config: default.legacy_assertions = true
contract LegacyTests is OldAssertions {
    uint256 public calls;

    function testFuzz(uint256 x) public { // fails
        assertTrue(x != 77777);
    }

    function testHolds(uint256 x) public {
        assertTrue(x >= 0);
    }

    function testOnce() public { // fails
        assertTrue(calls == 1);
    }
}

contract Tick {
    uint256 public ticks;

    function tick() external { ticks++; }
}

/// forge-config: default.legacy_assertions = true
contract LegacyInvariants is OldAssertions {
    Tick target;

    function setUp() public { target = new Tick(); }

    function invariant_few() public { // fails
        assertTrue(target.ticks() < 3);
    }

    function invariant_all() public {
        assertTrue(target.ticks() >= 0);
    }
}

contract NotLegacy is OldAssertions {
    function testFuzz(uint256 x) public {
        assertTrue(x != 77777);
    }
}

// What ds-test stores at the address of the cheatcodes counts without the key.
contract Slot {
    Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    function testFuzz(uint256 x) public { // fails
        if (x == 77777) vm.store(address(vm), "failed", bytes32(uint256(1)));
    }
}
