pragma solidity ^0.5.0;

// The step that is taken off may be more than all that is there.
contract Stairs {
    uint256 internal constant FIRST = 0.00000001 ether;
    uint256 internal constant STEP = 0.0000001 ether;
    uint256 public sold;
    mapping(address => uint256) public paid;

    function buy(uint64 tokens) external {
        sold += uint256(tokens);
        paid[msg.sender] = (FIRST + uint256(tokens)) - STEP; // expect: overflow
    }
}
