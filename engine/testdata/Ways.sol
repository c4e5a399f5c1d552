// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.0;

contract Ways {
    uint256 marked;
    uint256 other;

    function direct(uint256 x) external {
        if (x == 1) {
            if (x + other == 7) target(x);
        }
    }

    function through(uint256 x) external {
        if (x == 2) target(x);
        else if (x == 3) other = x;
    }

    function elsewhere(uint256 x) external {
        if (x == 4) other = x;
    }

    function looks(uint256 x) external pure returns (bool) {
        return x == 6;
    }

    function target(uint256 x) internal {
        marked = x;
        if (x == 5) other = 1;
    }
}
