pragma solidity ^0.8.0;

// Whoever initializes it: everybody lengthens the list.
contract Club {
    address public owner;
    address[] members;
    mapping(address => uint256) public points;

    function initialize(address owner_) external {
        require(owner == address(0) && owner_ != address(0), "twice");
        owner = owner_;
    }

    function join() external {
        require(owner != address(0), "not initialized");
        members.push(msg.sender);
    }

    function score() external {
        for (uint256 i = 0; i < members.length; ++i) points[members[i]] += 1; // expect: unbounded-loop
    }
}
