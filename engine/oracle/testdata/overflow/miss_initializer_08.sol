// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Who creates a pool initializes it at once, with a rate that was checked there.
contract Pool {
    struct Interest {
        uint208 rate;
        uint48 updated;
    }

    error AlreadyInitialized();

    Interest public interest;
    uint256 public debt;
    bool private initialized;

    function initialize(uint256 rate) external {
        if (initialized) revert AlreadyInitialized();
        interest.rate = uint208(rate); // allow: overflow
        interest.updated = uint48(block.timestamp);
        initialized = true;
    }

    function stamp() external {
        interest.updated = uint48(block.timestamp);
    }

    function borrow(uint128 amount) external {
        debt += amount;
    }

    function yearly() external view returns (uint256) {
        return uint256(interest.rate) * debt / 1e18; // allow: panic
    }
}
