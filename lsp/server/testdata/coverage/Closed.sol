// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Nobody can open it.
contract Closed {
    bool private open;
    uint256 public hits;

    function enter(uint256 x) external {
        require(
            open
        );
        if (x > 10) hits++;
        if (x > 20) hits++;
        if (x > 30) hits++;
        if (x > 40) hits++;
        if (x > 50) hits++;
    }

    function reset() external {
        hits = 0;
    }
}
