// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

contract Box { // expect: freezing-ether
    mapping(address => uint256) public balances;

    function deposit() public payable {
        balances[msg.sender] += msg.value;
    }

    function withdraw(uint256 amount) public {
        require(balances[msg.sender] >= amount);
        balances[msg.sender] -= amount;
    }
}
