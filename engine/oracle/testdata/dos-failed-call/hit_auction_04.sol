// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

contract Auction {
    address public leader;
    uint256 public highest;

    function bid() public payable {
        require(msg.value > highest);
        if (leader != 0) {
            leader.transfer(highest); // expect: dos-failed-call
        }
        leader = msg.sender;
        highest = msg.value;
    }
}
