// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

contract Fund {
    address owner = msg.sender;

    function () public payable {}

    function collect() public {
        require(msg.sender == owner);
        owner.transfer(address(this).balance);
    }

    function reward(address to) public {
        require(msg.sender == owner);
        to.transfer(1);
    }
}
