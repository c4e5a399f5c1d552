// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract King {
    address payable public king;
    uint256 public price = 1;

    function claim() external payable {
        require(msg.value >= price);
        if (king != address(0)) king.send(msg.value); // expect: gasless-send, unchecked-call
        king = payable(msg.sender);
        price = msg.value + 1;
    }
}
