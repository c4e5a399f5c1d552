pragma solidity ^0.8.0;

// Loses what matters.
contract Halves {
    uint128 public low;
    uint96 public stake;
    uint8 public rest;

    function keep(uint256 amount) external {
        low = uint128(amount); // expect: overflow
    }

    function add(uint256 amount) external {
        stake += uint96(amount); // expect: overflow
    }

    function third(uint256 x) external {
        rest = uint8(x) % 3; // expect: overflow
    }
}
