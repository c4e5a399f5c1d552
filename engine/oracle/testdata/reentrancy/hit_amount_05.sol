// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

/// What is written afterwards was read before.
contract Wallet {
    mapping(address => uint256) credit;

    function () external payable {
        require(msg.value < 100 ether);
        credit[msg.sender] += msg.value;
    }

    function take(uint256 amount) external {
        uint256 had = credit[msg.sender];
        require(had >= amount);
        (bool ok,) = msg.sender.call.value(amount)(""); // expect: reentrancy
        require(ok);
        credit[msg.sender] = had - amount;
    }
}
