pragma solidity ^0.5.0;

// The feed is the deployer's, but whoever buys says how much: a plain price is enough.
interface Feed {
    function price() external view returns (uint256);
}

contract Shop {
    Feed private feed;
    mapping(address => uint256) public owed;

    constructor(Feed from) public {
        feed = from;
    }

    function order(uint256 units) external {
        owed[msg.sender] = units * (feed.price() + 1); // expect: overflow
    }
}
