// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// What comes behind a branch belongs to no statement: its condition is
/// executed once.
contract Branch {
    uint256 private step;

    function begin(uint256 code) external {
        if (code == 7) step = 1;
    }

    function finish() external view {
        assert(step == 0);
    }
}
