pragma solidity ^0.8.0;

// Everybody has a list of their own, and only the sender lengthens it.
contract Own {
    mapping(address => uint256[]) lists;
    mapping(address => uint256) public sums;

    function add(uint32 x) external {
        lists[msg.sender].push(x);
    }

    function sum() external {
        uint256[] storage mine = lists[msg.sender];
        uint256 all;
        for (uint256 i; i < mine.length; ++i) all += mine[i];
        sums[msg.sender] = all;
    }
}
