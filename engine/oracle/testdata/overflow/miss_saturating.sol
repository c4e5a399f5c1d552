pragma solidity ^0.8.0;

// Wraps on purpose, finds out, and uses something else instead.
contract Saturating {
    uint256 public total;

    function add(uint256 amount) external {
        unchecked {
            uint256 sum = total + amount;
            if (sum < total) {
                sum = type(uint256).max;
            }
            total = sum;
        }
    }

    function tryAdd(uint256 a, uint256 b) external pure returns (bool, uint256) {
        unchecked {
            uint256 c = a + b;
            if (c < a) return (false, 0);
            return (true, c);
        }
    }
}
