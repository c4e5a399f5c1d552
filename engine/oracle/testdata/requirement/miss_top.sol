pragma solidity ^0.5.0;

contract Validated {
    uint256 public value;

    function set(uint256 x) external {
        require(x > 10, "too low");
        require(x < 100, "too high");
        value = x;
    }
}
