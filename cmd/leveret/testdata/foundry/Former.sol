// SPDX-License-Identifier: MIT
pragma solidity 0.7.6;
// fix: assert(amount != 7 => require(amount != 7

/// Before 0.8, a failed assertion consumes all gas.
contract Former {
    mapping(address => uint256) public paid;

    function pay(uint8 amount) external payable {
        paid[msg.sender] += amount;
        assert(amount != 7 || paid[msg.sender] == 0);
    }
}
