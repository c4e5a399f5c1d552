// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The conversion happens where the compiler adds, in a function of its own.
contract Positions {
    struct Position {
        uint96 amount;
        uint64 since;
    }
    mapping(address => Position) public positions;
    uint256 public total;

    event Added(address indexed who, uint96 amount);

    function add(uint256 amount) external {
        positions[msg.sender].amount += uint96(amount); // expect: overflow
        total += amount;
    }

    function announce(uint256 amount) external {
        emit Added(msg.sender, uint96(amount)); // expect: overflow
    }
}
