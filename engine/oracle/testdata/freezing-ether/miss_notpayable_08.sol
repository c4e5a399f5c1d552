// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Counter {
    uint256 public n;

    function add(uint256 k) external {
        n += k;
    }
}
