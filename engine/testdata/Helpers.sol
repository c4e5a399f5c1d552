// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract FeedMock {
    uint256[] prices;

    function add(uint256 price) external {
        prices.push(price);
    }

    function reset() external {
        while (prices.length > 0) prices.pop();
    }

    function latest() external view returns (uint256) {
        require(prices.length < 1000, "too many");
        assert(prices.length != 3);
        return prices[prices.length - 1];
    }
}

contract Ledger {
    FeedMock public feed = new FeedMock();
    uint256[] public values;

    function record() external {
        values.push(feed.latest());
    }

    function clear() external {
        while (values.length > 0) values.pop();
    }
}
