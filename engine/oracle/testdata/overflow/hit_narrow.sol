pragma solidity ^0.8.0;

contract Stakes {
    struct Stake {
        uint64 amount;
        uint64 since;
    }
    mapping(address => Stake) public stakes;

    function stake(uint256 amount) external {
        uint64 small = uint64(amount); // expect: overflow
        stakes[msg.sender] = Stake(small, uint64(block.timestamp));
    }
}
