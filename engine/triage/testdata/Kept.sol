// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.20;

contract Kept {
    uint256 public number;

    function set(uint256 to) external {
        number = to;
    }

    function check(uint256 other) external view {
        assert(other != 7);
    }

    function invariant_small() external view returns (bool) {
        return number < 10;
    }
}
