pragma solidity ^0.4.24;

contract Refuses {
    uint256 public value;

    function set(uint256 x) public {
        require(x % 2 == 0, "even numbers only");
        value = x;
        assert(value % 2 == 0);
    }
}
