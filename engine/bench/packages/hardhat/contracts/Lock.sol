// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.28;

/// In the shape of the contract that a new Hardhat project starts with.
contract Lock {
    uint256 public opensAt;
    address payable public keeper;

    event Opened(uint256 amount, uint256 when);

    constructor(uint256 time) payable {
        require(block.timestamp < time, "the time lies in the past");
        opensAt = time;
        keeper = payable(msg.sender);
    }

    function open() public {
        require(block.timestamp >= opensAt, "not yet");
        require(msg.sender == keeper, "not the keeper");
        emit Opened(address(this).balance, block.timestamp);
        keeper.transfer(address(this).balance);
    }
}
