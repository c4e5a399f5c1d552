// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Wallet {
    uint256 private step;

    function begin(uint256 code) external {
        if (code == 31337) step = 1;
    }

    function finish() external view {
        assert(step == 0);
    }
}
