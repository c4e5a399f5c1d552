pragma solidity ^0.6.0;

// The smaller of two is taken off.
contract Stock {
    uint256 public left = 1000;

    function minus(uint256 a, uint256 b) internal pure returns (uint256) {
        uint256 c = a - b;
        assert(c <= a); // allow: assertion
        return c;
    }

    function take(uint256 amount) external {
        left = minus(left, amount);
    }
}
