// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// oracle: overflow
// fix: unchecked { cost = count * 5; } => cost = count * 5;

/// A product wraps and is returned.
contract Quote {
    function price(uint64 count) external returns (uint64 cost) {
        unchecked { cost = count * 5; }
    }
}
