pragma solidity ^0.8.0;

interface Feed {
    function price() external view returns (uint256);
}

// The owner names feeds first, which may as well be a user; but anybody takes more than
// there is.
contract Shop {
    address owner = msg.sender;
    Feed public feed;
    uint256 public feeds;
    uint256 public stock = 3;

    function setFeed(address to) external {
        require(msg.sender == owner, "not the owner");
        require(to != address(0), "none");
        feed = Feed(to);
        feeds++;
    }

    function buy(uint8 pieces) external {
        require(feeds > 2, "closed");
        assert(pieces <= stock); // expect: assertion
        stock -= pieces;
    }

    function quote() external view returns (uint256) {
        return feed.price();
    }
}
