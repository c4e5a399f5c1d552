// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Hole { // expect: freezing-ether
    event Received(address from, uint256 wei_);

    receive() external payable {
        emit Received(msg.sender, msg.value);
    }
}
