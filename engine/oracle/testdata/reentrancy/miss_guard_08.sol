// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A guard that shares its word with something that others read.
contract Guarded {
    address public owner = msg.sender;
    bool private locked;
    mapping(address => uint256) public balances;

    modifier nonReentrant() {
        require(!locked, "locked");
        locked = true;
        _;
        locked = false;
    }

    function deposit() external payable {
        require(msg.sender != owner);
        balances[msg.sender] += msg.value;
    }

    function withdraw() external nonReentrant {
        uint256 amount = balances[msg.sender];
        require(msg.sender != owner && amount > 0);
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok);
        balances[msg.sender] -= amount;
    }
}
