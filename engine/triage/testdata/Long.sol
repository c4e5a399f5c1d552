// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Long {
    uint256 total;

    function work(uint256 n) external {
        uint256 sum = total;
        for (uint256 i = 0; i < n; i++) {
            sum = step(sum, i);
        }
        total = sum;
    }

    function step(uint256 sum, uint256 i) internal pure returns (uint256) {
        unchecked {
            return sum + i * i;
        }
    }
}
