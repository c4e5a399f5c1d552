pragma solidity ^0.5.0;

// Anybody may say whose prices count.
interface Feed {
    function price() external view returns (uint256);
}

contract Quote {
    Feed private feed;
    uint256 public last;

    function setFeed(Feed from) external {
        feed = from;
    }

    function update() external {
        last = feed.price() * 10 ** 9; // expect: overflow // allow: dos-failed-call
    }
}
