pragma solidity ^0.8.0;

// The owner can be gone when the fee is due.
contract Fees {
    address private owner = msg.sender;
    uint256 public due;

    function leave() external {
        owner = address(0);
    }

    function charge(uint256 fee) external {
        _charge(owner, fee);
    }

    function _charge(address to, uint256 fee) internal {
        assert(to != address(0)); // expect: assertion
        due = fee;
    }
}
