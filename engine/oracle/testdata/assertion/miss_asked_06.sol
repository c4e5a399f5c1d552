pragma solidity ^0.6.0;

// Who asks with absurd numbers gets an absurd answer, and nobody else does.
contract Yields {
    function yearly(uint256 rate, uint256 price) external view returns (uint256) {
        return rate * 365 days * price / 7;
    }
}
