// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Gate {
    uint8 private limit = 9; // in one word with open
    bool private open = true;
    mapping(address => uint256) private paid;

    function pay() external {
        paid[msg.sender] = 7;
    }

    function check(uint8 x) external view { //= 3
        assert(!open || uint256(x) + limit != 12 || paid[msg.sender] != 7); //@ error assertion "this assertion can fail" //= true, 9, 7
    }
}
