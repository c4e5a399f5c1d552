pragma solidity ^0.8.0;

// After three turns nobody has the next one, and the game stops for good.
contract Turns {
    address[] private players;
    uint256 private turn;
    address public current;

    constructor() {
        players.push(msg.sender);
        players.push(address(this));
        players.push(address(1));
    }

    function next() external {
        current = players[turn]; // expect: panic
        turn++;
    }
}
