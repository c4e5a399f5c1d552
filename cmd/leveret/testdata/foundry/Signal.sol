// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// fix: if (list.length > 1) emit => if (list.length > 1 && list[0] > type(uint256).max - 1 && p.low > p.high && p.low < p.high) emit

/// An event reports the failure, and arguments have no literals.
contract Signal {
    struct Pair {
        uint128 low;
        uint128 high;
    }

    event AssertionFailed(string why);

    function send(uint256[] calldata list, Pair calldata p) external {
        if (list.length > 1) emit AssertionFailed("too long");
    }
}
