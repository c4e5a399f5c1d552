// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Broken {
    uint256 private x;

    function setUp() external {
        require(block.number == 0, "too late");
        x = 1;
    }

    function invariant_x() external view {
        assert(x == 1);
    }
}
