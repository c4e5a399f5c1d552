pragma solidity ^0.6.0;

// What a small deposit is worth rounds to nothing.
contract Shares {
    uint256 public total;

    function deposit(uint256 amount) external {
        require(amount > 0, "nothing");
        _mint(amount / 1000);
    }

    function _mint(uint256 shares) internal {
        assert(shares > 0); // expect: assertion
        total += shares % 7;
    }
}
