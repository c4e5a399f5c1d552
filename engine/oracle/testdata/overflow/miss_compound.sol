// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The same conversions, behind a check.
contract Positions {
    struct Position {
        uint96 amount;
        uint64 since;
    }
    mapping(address => Position) public positions;
    uint256 public total;

    error TooMuch(uint256 amount);
    event Added(address indexed who, uint96 amount);

    function add(uint256 amount) external {
        if (amount > type(uint96).max) revert TooMuch(amount);
        positions[msg.sender].amount += uint96(amount);
        total += amount;
    }

    function announce(uint256 amount) external {
        require(amount <= type(uint96).max, "too much");
        emit Added(msg.sender, uint96(amount));
    }

    function half(address who) external view returns (uint96) {
        return positions[who].amount / 2;
    }
}
