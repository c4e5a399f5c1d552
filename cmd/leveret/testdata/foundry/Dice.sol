// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// oracle: timestamp
// fix: uint256(keccak256(abi.encodePacked(block.timestamp, msg.sender))) % 2 => rolls

/// The timestamp decides who wins.
contract Dice {
    uint256 rolls;

    receive() external payable {}

    function roll() external payable {
        require(msg.value == 1 ether);
        rolls += 1;
        uint256 random = uint256(keccak256(abi.encodePacked(block.timestamp, msg.sender))) % 2;
        if (random == 1) payable(msg.sender).transfer(2 ether);
    }
}
