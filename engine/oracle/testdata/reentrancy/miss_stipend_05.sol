// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

/// Late, but with too little gas for anybody to come back.
contract Bank {
    mapping(address => uint256) public balances;

    function deposit() external payable {
        balances[msg.sender] += msg.value;
    }

    function withdraw() external {
        msg.sender.transfer(balances[msg.sender]);
        balances[msg.sender] = 0;
    }
}
