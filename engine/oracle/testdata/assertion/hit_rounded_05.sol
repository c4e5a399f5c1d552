pragma solidity ^0.5.0;

// Whoever calls is told that a division is exact, by a function of its own.
contract Shares {
    uint256 public paid;

    function part(uint256 total, uint256 parts) internal pure returns (uint256) {
        uint256 each = total / parts;
        assert(each * parts == total); // expect: assertion
        return each;
    }

    function pay(uint8 total) external {
        paid += part(total, 3);
    }
}
