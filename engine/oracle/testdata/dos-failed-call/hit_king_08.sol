// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract King {
    address public king;
    uint256 public price = 1;

    function claim() external payable {
        require(msg.value >= price);
        address old = king;
        king = msg.sender;
        price = msg.value + 1;
        if (old != address(0)) {
            (bool ok,) = old.call{value: msg.value}(""); // expect: dos-failed-call
            require(ok, "the old king must be paid");
        }
    }
}
