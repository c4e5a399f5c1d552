// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IMaker {
    function fee() external view returns (uint256);
}

// A maker creates a pool and initializes it at once; that the attacker may come first is
// a note. No account without code can call initialize.
contract Pool {
    IMaker public maker;
    uint256 public fees;

    function initialize() external payable {
        require(address(maker) == address(0), "already initialized");
        maker = IMaker(msg.sender);
        fees = maker.fee() / 2;
    }

    function sweep() external {
        payable(address(maker)).transfer(address(this).balance / 2); // allow: dos-failed-call, ether-leak
    }

    function charge(uint256 amount) external {
        require(address(maker) != address(0), "not initialized");
        uint256 fee = maker.fee(); // allow: dos-failed-call
        fees += amount / 4 + fee / 4;
    }
}
