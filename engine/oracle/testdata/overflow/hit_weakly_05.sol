pragma solidity ^0.5.0;

// Checks that do not find out, and changes that nothing checks.
contract Weak {
    mapping(address => uint256) public stock;
    uint256 public area;
    uint256 public last = 5;

    function plus(uint256 x, int256 y) internal pure returns (uint256) {
        return x - uint256(-y) - 1; // expect: overflow
    }

    function multiply(uint256 a, uint256 b) external {
        uint256 product = a * b; // expect: overflow
        require(product >= a || a == 0);
        area = product;
    }

    function take(uint256 x) external {
        uint256 left = stock[msg.sender] - x; // expect: overflow
        require(left >= 0);
        stock[msg.sender] = left;
    }

    function adjust(address who, int256 change) external {
        stock[who] = plus(stock[who], change);
    }

    function shift(uint256 change) external {
        last = last + change; // expect: overflow
        require(last != change);
    }
}
