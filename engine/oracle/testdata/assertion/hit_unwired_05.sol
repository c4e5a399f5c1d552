pragma solidity ^0.5.0;

// The deployment sets the feed, and anybody can take it away again.
contract Feed {
    uint256 public value = 7;
}

contract Reader {
    address private admin = msg.sender;
    Feed private feed;
    uint256 public last;

    function setFeed(address to) external {
        require(msg.sender == admin && address(feed) == address(0), "set");
        feed = Feed(to);
    }

    function leave() external {
        feed = Feed(0);
    }

    function read() external {
        assert(address(feed) != address(0)); // expect: assertion
        last = feed.value();
    }
}
