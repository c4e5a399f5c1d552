// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// What is paid out may be given away before it is taken off.
contract Shares {
    mapping(address => uint256) public shares;

    function buy() external payable {
        shares[msg.sender] += msg.value;
    }

    function give(address to, uint256 amount) external {
        shares[msg.sender] -= amount;
        shares[to] += amount;
    }

    function sell() external {
        uint256 amount = shares[msg.sender];
        (bool ok,) = msg.sender.call{value: amount}(""); // expect: reentrancy
        require(ok, "not paid");
        shares[msg.sender] = 0;
    }
}
