// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Base {
    string internal constant NAME = "inherited"; // not in the deployed code

    modifier above() {
        require(block.timestamp > 90);
        _;
    }
}

contract Spelled is Base {
    uint256 private kept;

    constructor(uint256 n) {
        kept = 1000 * (n % 1) + 5e6 + 11;
    }

    function direct(uint256 x) external view above returns (uint256) {
        if (x == 7 days) return 1;
        if (x == 2 ** 40) return 2;
        return helped(x) + kept;
    }

    function helped(uint256 x) internal pure returns (uint256) {
        return x == 31337 ? 3 : deeper(x);
    }

    function deeper(uint256 x) internal pure returns (uint256) {
        return x == 424242 ? 4 : 5;
    }

    function other(uint256 x) external pure returns (bool) {
        return x != 777777;
    }
}
