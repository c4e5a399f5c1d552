// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

// A path for each order of the bits of a word.
contract Words {
    uint256 public sum;

    function add(uint16 bits) external {
        for (uint256 i = 0; i < 16; i++) {
            if (bits & (1 << i) != 0) sum += i;
        }
        if (sum > 1000) sum = 0;
    }
}
