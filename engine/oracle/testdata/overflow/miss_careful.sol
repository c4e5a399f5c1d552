pragma solidity ^0.5.0;

// A product that is checked against a constant, and an error that is returned
// instead of thrown.
contract Careful {
    enum MathError { NONE, OVERFLOW }

    uint256 public failures;

    function mulUInt(uint256 a, uint256 b) internal pure returns (MathError, uint256) {
        if (a == 0) {
            return (MathError.NONE, 0);
        }
        uint256 c = a * b;
        if (c / a != b) {
            return (MathError.OVERFLOW, 0);
        }
        return (MathError.NONE, c);
    }

    function scale(uint256 a) external returns (uint256) {
        (MathError failed, uint256 product) = mulUInt(a, 1e18);
        if (failed != MathError.NONE) {
            failures++; // allow: overflow
            return 0;
        }
        return product;
    }
}
