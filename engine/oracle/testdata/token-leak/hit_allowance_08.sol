// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Nobody asks for an allowance.
contract Token {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(address[] memory holders) {
        for (uint256 i = 0; i < holders.length; i++) {
            balanceOf[holders[i]] = 1000 ether;
            emit Transfer(address(0), holders[i], 1000 ether);
        }
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        if (allowance[from][msg.sender] >= value) {
            allowance[from][msg.sender] -= value;
        }
        move(from, to, value);
        return true;
    }

    function move(address from, address to, uint256 value) private {
        balanceOf[from] -= value; // allow: panic
        balanceOf[to] += value;
        emit Transfer(from, to, value); // expect: token-leak
    }
}
