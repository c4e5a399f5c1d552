// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

contract Pot {
    function () public payable {}

    function drain() public {
        msg.sender.transfer(address(this).balance); // expect: ether-leak
    }
}
