// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Payout {
    mapping(address => uint256) public owed;

    function add() external payable {
        owed[msg.sender] += msg.value;
    }

    function pay() external returns (bool ok) {
        uint256 amount = owed[msg.sender];
        owed[msg.sender] = 0;
        (ok,) = msg.sender.call{value: amount}("");
        require(ok);
    }
}
