pragma solidity ^0.6.0;

// Internal functions of two numbers assert what is no matter of arithmetic.
contract Fund {
    uint256 public held;
    uint256 public mean;

    function limited(uint256 a, uint256 b) internal pure returns (uint256) {
        uint256 c = a + b;
        assert(c <= 1000); // expect: assertion
        return c;
    }

    function middle(uint256 a, uint256 b) internal pure returns (uint256 c) {
        c = (a + b) / 2;
        assert(c >= a); // expect: assertion
    }

    function put(uint8 amount) external {
        held = limited(held, amount);
    }

    function average(uint8 amount) external {
        mean = middle(mean, amount);
    }
}
