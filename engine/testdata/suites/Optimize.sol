// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Optimized {
    int256 input;
    uint256 steps;

    function set(int256 x) public { input = x; }

    function step(uint8 n) public {
        require(n <= 3 && steps < 60);
        steps += n;
    }

    function optimize_linear() public view returns (int256) { // 4241
        return input > -4242 ? -input : int256(0);
    }

    function optimize_steps() public view returns (int256) { // 62
        return int256(steps);
    }

    function optimize_negative() public view returns (int256) { // -7
        return input == 31337 ? -7 : -100 - int256(steps);
    }

    function optimize_zero() public pure returns (int256) { return 0; } // 0

    function property_true() public pure returns (bool) { return true; }
}
