// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// Taking a seat costs nothing, and the others still can.
contract Seats {
    address[] public seats;

    receive() external payable {}

    function sit() external {
        require(seats.length < 5, "full");
        seats.push(msg.sender);
    }

    function share() external {
        require(seats.length > 0, "empty");
        uint256 part = address(this).balance / seats.length;
        for (uint256 i = 0; i < seats.length; i++) {
            payable(seats[i]).transfer(part); // expect: dos-failed-call // allow: ether-leak
        }
    }
}
