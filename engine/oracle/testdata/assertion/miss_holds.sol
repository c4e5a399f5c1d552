pragma solidity ^0.8.0;

contract Sum {
    uint256 public a;
    uint256 public b;

    function add(uint128 x) external {
        a += x;
        b += x;
        assert(a == b);
    }

    function invariant_equal() external view returns (bool) {
        return a == b;
    }
}
