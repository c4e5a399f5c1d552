// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IFactory {
    function isEvent(address who) external view returns (bool);
}

// The project calls initialize at once; that the attacker may come first is a note.
contract Burnable {
    IFactory public factory;
    uint256 public burnt;

    function initialize() external {
        require(address(factory) == address(0), "already initialized");
        factory = IFactory(msg.sender);
    }

    function burn(uint256 amount) external {
        require(address(factory) != address(0), "not initialized");
        factory.isEvent(msg.sender); // allow: dos-failed-call
        burnt += amount / 2;
    }
}
