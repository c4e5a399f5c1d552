// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.20;

contract Twice {
    event AssertionFailed(string text);

    function inLine(uint256 x) external {
        if (x > 6) { emit AssertionFailed("too large"); assert(false); }
    }

    function inLines(uint256 x) external {
        if (x > 6) {
            emit AssertionFailed("too large");
            assert(false);
        }
    }

    function alone(uint256 x) external {
        if (x == 7) { emit AssertionFailed("seven"); } assert(x != 8); assert(x != 7);
    }
}
