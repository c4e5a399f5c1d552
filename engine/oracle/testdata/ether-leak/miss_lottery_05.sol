// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

/// Who plays may win what others paid. Whoever waits for the right number of
/// players is certain to: to report that is right, and not demanded.
contract Lottery {
    address[] players;
    mapping(address => uint256) won;
    uint256 pot;

    function play() external payable {
        require(msg.value == 1 ether);
        players.push(msg.sender);
        pot += msg.value;
    }

    function draw() external {
        require(players.length > 2);
        won[players[uint256(keccak256(abi.encode(players.length))) % players.length]] += pot;
        pot = 0;
        delete players; // allow: unbounded-loop
    }

    function collect() external {
        uint256 amount = won[msg.sender];
        won[msg.sender] = 0;
        msg.sender.transfer(amount); // allow: ether-leak
    }
}
