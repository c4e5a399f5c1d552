// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.0;

/// The key is compared only after a week.
contract Locked {
    uint256 private immutable since = block.timestamp;
    bool public opened;

    function open(uint256 key) external {
        require(block.timestamp >= since + 1 weeks, "too early");
        if (key == 77) opened = true;
    }
}
