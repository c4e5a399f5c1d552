pragma solidity ^0.4.24;

contract Half {
    function half(uint256 x) public pure returns (uint256) {
        uint256 y = x / 2;
        assert(y * 2 == x); // expect: assertion
        return y;
    }
}
