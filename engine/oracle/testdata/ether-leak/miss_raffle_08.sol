// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Whoever buys most tickets wins most likely, but for nobody it is certain.
contract Raffle {
    address payable[] private players;

    function enter() external payable {
        require(msg.value == 1 ether, "one ether");
        players.push(payable(msg.sender));
    }

    function draw() external {
        require(players.length > 1, "nobody else plays");
        uint256 ticket = uint256(keccak256(abi.encode(block.prevrandao))) % players.length; // allow: block-number
        address payable winner = players[ticket];
        delete players; // allow: unbounded-loop
        (bool ok, ) = winner.call{value: address(this).balance}(""); // allow: dos-failed-call
        require(ok, "refused");
    }
}
