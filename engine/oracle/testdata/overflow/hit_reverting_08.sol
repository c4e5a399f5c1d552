pragma solidity ^0.8.0;

// A checked difference reverts after the wrap.
contract Reverting {
    bool public open = true;
    uint32 public grown = type(uint32).max - 1000;
    mapping(address => uint32) public seen;
    mapping(address => uint256) public owed;

    function grow(uint16 by) external {
        unchecked {
            grown = grown + by; // expect: overflow
        }
    }

    function settle() external {
        owed[msg.sender] += grown - seen[msg.sender];
        seen[msg.sender] = grown;
    }
}
