pragma solidity ^0.5.0;

// What is asserted of two numbers depends on a third, which the contract keeps.
contract Stock {
    uint256 private most = 1000;
    uint256 public held;

    function plus(uint256 a, uint256 b) internal view returns (uint256) {
        uint256 c = a + b;
        assert(c <= most); // expect: assertion
        return c;
    }

    function put(uint8 amount) external {
        held = plus(held, amount);
    }
}
