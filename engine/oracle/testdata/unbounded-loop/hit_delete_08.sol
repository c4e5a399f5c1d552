pragma solidity ^0.8.0;

// Clearing a list is a loop over it, which the compiler writes.
contract Round {
    address[] tickets;
    uint256 public round;

    function buy(uint8 count) external {
        for (uint256 i; i < count; ++i) tickets.push(msg.sender);
    }

    function next() external {
        delete tickets; // expect: unbounded-loop
        round += 1;
    }
}
