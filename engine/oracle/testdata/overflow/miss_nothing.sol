pragma solidity ^0.5.0;

// Wraps, but what it decides is that nothing happens.
contract Guess {
    uint256 public solved;

    function solve(uint256 x) external {
        if (x * x == 1234567890987654321) {
            revert("too easy");
        }
        if (x * 3 == 99) {
            solved = 1;
        }
    }
}
