// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import "./Sums.sol" as Parts;

interface Shape {
    function area() external view returns (uint256);
}

abstract contract Owned is Shape {
    address public immutable owner;

    constructor() {
        owner = msg.sender;
    }
}

contract Counter is Owned {
    struct Order { uint8 kind; uint256[] amounts; }

    mapping(address => uint256) balances;
    uint128 public small;
    bool flag;
    event Added(address indexed who, uint256 amount);

    function area() external pure override returns (uint256) {
        return 1;
    }

    function add(uint256 amount) public {
        balances[msg.sender] = Parts.Sums.total(balances[msg.sender], amount);
        assert(balances[msg.sender] < 1000);
        emit Added(msg.sender, amount);
    }

    function place(Order memory order) public pure returns (uint256) {
        return order.amounts[order.kind];
    }
}
