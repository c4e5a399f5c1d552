pragma solidity ^0.8.0;

contract Counter {
    event AssertionFailed(string reason);
    uint256 public count;

    function add(uint256 x) external {
        count = x;
        if (count > 4000) {
            emit AssertionFailed("too many"); // expect: assertion
        }
    }
}
