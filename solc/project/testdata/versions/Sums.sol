pragma solidity >=0.4.11;

// Public functions of a library are linked: every version leaves a place for
// its address in the code of whoever calls it.
library Sums {
    function total(uint256 a, uint256 b) public returns (uint256) {
        return a + b;
    }
}
