// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// oracle: overflow
// fix: unchecked { units = units + more; } => units = units + more;

/// A sum wraps and is stored.
contract Fees {
    uint8 public units;

    function add(uint8 more) external {
        unchecked { units = units + more; }
    }
}
