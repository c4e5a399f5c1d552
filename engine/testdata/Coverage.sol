// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Explored {
    uint256 public total;

    modifier small(uint256 x) {
        require(x < 1000, "too much");
        _;
    }

    function add(uint256 x) external small(x) {
        total += x;
    }

    function never(bytes32 secret) external {
        if (keccak256(abi.encode(secret)) == bytes32(uint256(12345))) {
            total = 0;
        }
    }
}
