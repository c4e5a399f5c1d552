// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

contract Payout {
    mapping(address => uint256) public owed;

    function add() external payable {
        owed[msg.sender] += msg.value;
    }

    function pay() external {
        uint256 amount = owed[msg.sender];
        owed[msg.sender] = 0;
        msg.sender.transfer(amount);
    }
}
