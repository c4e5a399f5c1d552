// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Functions that fail at several lines, and at one that they share.
contract Lines {
    event AssertionFailed(string);

    uint256 private total;

    function consistent() private view {
        assert(total < 1000);
    }

    function add(uint16 n) public {
        total += n;
        consistent();
        if (n == 77) {
            emit AssertionFailed("no 77");
        }
        assert(n != 78);
    }

    function double() public {
        total *= 2;
        consistent();
    }

    function reset() public {
        total = 0;
        consistent();
    }

    function invariant() public view returns (uint256) {
        return total;
    }
}
