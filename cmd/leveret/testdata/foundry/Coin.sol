// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// oracle: block-number
// fix: block.prevrandao % 2 == 0 => flips % 2 == 0

/// The randomness of the block decides who wins.
contract Coin {
    uint256 flips;

    receive() external payable {}

    function flip(bool heads) external payable {
        require(msg.value == 1 ether);
        flips += 1;
        bool up = block.prevrandao % 2 == 0;
        if (up == heads) payable(msg.sender).transfer(2 ether);
    }
}
