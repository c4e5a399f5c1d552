pragma solidity ^0.8.0;

// What an assertion wants to be zero is set elsewhere.
contract Sealed {
    address public feed;
    uint256 public opened;

    function link(address to) external {
        feed = to;
    }

    function open() external {
        assert(feed == address(0)); // expect: assertion
        opened++;
    }
}
