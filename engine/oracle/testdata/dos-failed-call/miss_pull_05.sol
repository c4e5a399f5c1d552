// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

/// Whoever was outbid fetches the money.
contract Auction {
    address public leader;
    uint256 public highest;
    mapping(address => uint256) refunds;

    function bid() external payable {
        require(msg.value > highest);
        refunds[leader] += highest;
        leader = msg.sender;
        highest = msg.value;
    }

    function refund() external {
        uint256 amount = refunds[msg.sender];
        refunds[msg.sender] = 0;
        msg.sender.transfer(amount);
    }
}
