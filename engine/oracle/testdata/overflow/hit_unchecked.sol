pragma solidity ^0.8.0;

contract Fees {
    uint8 public units;

    function add(uint8 more) external {
        unchecked {
            units = units + more; // expect: overflow
        }
    }
}
