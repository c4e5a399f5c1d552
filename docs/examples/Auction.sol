// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// An auction. Outbid bidders get their money back with `withdraw`; `close` pays
/// the seller. It has a bug that costs a bidder the whole bid.
contract Auction {
    address public immutable seller;
    address public leader;
    uint256 public highest;
    bool public closed;

    mapping(address => uint256) public refunds;
    uint256 public owed; // sum of all refunds

    constructor() {
        seller = msg.sender;
    }

    modifier open() {
        require(!closed, "the auction is over");
        _;
    }

    function bid() external payable open {
        require(msg.value > highest, "bid more");
        _refundLeader();
        leader = msg.sender;
        highest = msg.value;
    }

    /// The leader cancels the bid.
    function cancel() external open {
        require(msg.sender == leader, "only the leader can cancel");
        _refundLeader();
        leader = address(0);
    }

    function withdraw() external {
        uint256 amount = refunds[msg.sender];
        refunds[msg.sender] = 0;
        owed -= amount;
        payable(msg.sender).transfer(amount);
    }

    function close() external open {
        require(msg.sender == seller, "only the seller can close");
        closed = true;
        payable(seller).transfer(highest);
        assert(address(this).balance >= owed); // everybody can be paid back
    }

    function _refundLeader() private {
        if (leader == address(0)) return;
        refunds[leader] += highest;
        owed += highest;
    }
}
