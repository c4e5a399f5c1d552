// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IFeed {
    function ask(uint256 about) external returns (uint256);
}

interface IReceiver {
    function receiveWei() external payable;
}

/// Only its feed, which the deployment chooses, may tell it something. Its bank is open to all.
contract Fed {
    IFeed immutable feed;
    uint256 public told;
    uint256[] private list;
    mapping(address => uint256) public paid;

    constructor(IFeed feed_) {
        feed = feed_;
    }

    function ask(uint256 about) external {
        list.push(feed.ask(about));
    }

    function onTold(uint256 id) external {
        require(msg.sender == address(feed), "not the feed");
        unchecked {
            told += list[id] + id;
        }
    }

    function deposit() external payable {
        paid[msg.sender] += msg.value;
    }

    function withdraw() external {
        IReceiver(msg.sender).receiveWei{value: paid[msg.sender]}(); // a user has no code
        paid[msg.sender] = 0;
    }
}
