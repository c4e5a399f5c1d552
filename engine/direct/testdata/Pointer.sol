// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.0;

/// An internal function that is called by what is in storage.
contract Pointer {
    function() internal next;
    uint256 public hits;
    uint256 public other;

    function arm() external {
        next = hit;
    }

    function go() external {
        next();
    }

    function leave(uint256 x) external {
        other = x;
    }

    function hit() internal {
        hits += 1; // the target
    }
}
