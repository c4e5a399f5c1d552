// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.13;

/// In the shape of the contract that a new Foundry project starts with.
contract Counter {
    uint256 public count;

    function set(uint256 to) public {
        count = to;
    }

    function step() public {
        count++;
    }
}
