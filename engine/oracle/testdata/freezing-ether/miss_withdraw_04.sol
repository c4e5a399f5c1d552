// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

contract Box {
    address owner = msg.sender;

    function deposit() public payable {}

    function withdraw() public {
        require(msg.sender == owner);
        owner.transfer(address(this).balance);
    }
}
