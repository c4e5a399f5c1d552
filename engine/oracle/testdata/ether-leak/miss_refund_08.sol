// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Everybody takes what is theirs, or what others gave them.
contract Ledger {
    mapping(address => uint256) public balances;

    function put() external payable {
        balances[msg.sender] += msg.value;
    }

    function putFor(address who) external payable {
        balances[who] += msg.value;
    }

    function give(address to, uint256 amount) external {
        balances[msg.sender] -= amount;
        balances[to] += amount;
    }

    function take(uint256 amount) external {
        balances[msg.sender] -= amount;
        payable(msg.sender).transfer(amount);
    }
}
