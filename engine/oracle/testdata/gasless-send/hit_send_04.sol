// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

contract Payout {
    mapping(address => uint256) public owed;

    function add() public payable {
        owed[msg.sender] += msg.value;
    }

    function pay() public {
        uint256 amount = owed[msg.sender];
        owed[msg.sender] = 0;
        msg.sender.send(amount); // expect: gasless-send, unchecked-call
    }
}
