pragma solidity ^0.5.0;

// The same, where all arithmetic wraps.
contract Stirring {
    uint256 public seed;

    function stir(uint256 x) public returns (uint256) {
        seed = (seed * 1103515245 + x);
        return seed % 100;
    }
}
