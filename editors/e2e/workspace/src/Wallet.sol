// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Wallet {
    uint256 private step;
    uint256 public total;

    function begin(uint256 code) external {
        if (code == 31337) step = 1;
    }

    function add(uint256 amount) external {
        require(amount < 1000, "too much");
        total += amount;
    }

    function finish() external view {
        assert(step == 0);
    }
}
