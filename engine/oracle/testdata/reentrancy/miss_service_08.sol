pragma solidity ^0.8.0;

// The deployer chose the service of random numbers; that it calls back is a note.
interface Randomness {
    function draw() external returns (uint256);
}

contract Raffle {
    Randomness immutable service;
    uint256 public round;
    mapping(uint256 => uint256) public drawn;
    mapping(uint256 => bool) public skipped;

    constructor(Randomness from) {
        service = from;
    }

    function next() external {
        uint256 current = round;
        drawn[current] = service.draw(); // allow: reentrancy
        round = current + 1;
    }

    function skip() external {
        skipped[round] = true;
        round += 1;
    }
}
