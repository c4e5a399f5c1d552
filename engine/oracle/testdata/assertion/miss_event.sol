pragma solidity ^0.5.0;

contract Quiet {
    event AssertionFailed(string reason);
    event Set(uint256 value);
    uint256 public value;

    function set(uint8 x) external {
        value = x;
        emit Set(x);
        if (value > 255) {
            emit AssertionFailed("cannot be");
        }
    }
}
