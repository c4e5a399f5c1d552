// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

/// Settles before it pays.
contract Bank {
    mapping(address => uint256) public balances;

    function deposit() public payable {
        balances[msg.sender] += msg.value;
    }

    function withdraw(uint256 amount) public {
        require(balances[msg.sender] >= amount);
        balances[msg.sender] -= amount;
        require(msg.sender.call.value(amount)());
    }
}
