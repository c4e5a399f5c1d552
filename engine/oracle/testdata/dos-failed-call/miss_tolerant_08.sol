// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Goes on if the old leader refuses.
contract Auction {
    address public leader;
    uint256 public highest;
    mapping(address => uint256) public kept;

    function bid() external payable {
        require(msg.value > highest);
        (address old, uint256 paid) = (leader, highest);
        (leader, highest) = (msg.sender, msg.value);
        (bool ok,) = old.call{value: paid}("");
        if (!ok) kept[old] += paid;
    }
}
