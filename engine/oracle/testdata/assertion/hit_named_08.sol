pragma solidity ^0.8.0;

interface Feed {
    function price() external view returns (uint256);
}

// The owner names a feed first, but anybody takes more than there is.
contract Shop {
    address owner = msg.sender;
    Feed public feed;
    uint256 public stock = 3;

    function setFeed(address to) external {
        require(msg.sender == owner, "not the owner");
        feed = Feed(to);
    }

    function buy(uint8 pieces) external {
        require(address(feed) != address(0), "closed");
        assert(pieces <= stock || pieces > 100); // expect: assertion
        if (pieces <= stock) {
            stock -= pieces;
        }
    }

    function quote() external view returns (uint256) {
        return feed.price();
    }
}
