// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Vm {
    function prank(address) external;
    function expectRevert() external;
    function warp(uint256) external;
    function snapshotState() external returns (uint256);
    function revertToState(uint256) external returns (bool);
}

contract Purse {
    mapping(address => uint256) public held;
    uint256 public since = block.timestamp;

    function put(uint256 amount) external {
        require(amount > 0, "nothing");
        held[msg.sender] += amount;
    }
}

contract Debugged {
    Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    Purse purse;

    function setUp() public {
        purse = new Purse();
        purse.put(1);
    }

    function test_cheats() public {
        uint256 id = vm.snapshotState();
        vm.prank(address(7));
        purse.put(5);
        vm.revertToState(id);
        vm.warp(100);
        vm.expectRevert();
        purse.put(0);
        require(purse.held(address(7)) == 0);
    }

    function test_fails() public {
        vm.prank(address(7));
        purse.put(5);
        require(purse.held(address(7)) == 6, "fails here");
    }

    function testFuzz_small(uint256 x) public {
        x = x % 1000;
        if (x > 0) purse.put(x);
        require(purse.held(address(this)) < 500, "fails here");
    }
}
