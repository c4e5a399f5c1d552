pragma solidity ^0.8.0;

// The check is on another path, or of another number.
contract Elsewhere {
    uint256 public total;
    uint256 public paid;
    bool public strict;

    function toggle() external {
        strict = !strict;
    }

    function add(uint256 x) external {
        unchecked {
            uint256 sum = total + x; // expect: overflow
            if (strict) require(sum >= x);
            total = sum;
        }
    }

    function pay(uint256 x) external {
        require(total <= type(uint256).max - x);
        unchecked {
            paid += x; // expect: overflow
        }
    }

    function signed(int256 x) external {
        unchecked {
            require(x < 0 && x > type(int256).min);
            paid = total - uint256(-x); // expect: overflow
        }
    }
}
