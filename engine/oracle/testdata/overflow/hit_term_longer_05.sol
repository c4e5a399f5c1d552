pragma solidity ^0.5.0;

// What is locked can be locked for longer, until the end lies in the past.
contract Deposits {
    mapping(address => uint256) public until;

    function lock() external {
        require(until[msg.sender] == 0, "locked");
        until[msg.sender] = now + 7 days;
    }

    function longer(uint256 by) external {
        require(until[msg.sender] > 0, "not locked");
        until[msg.sender] += by; // expect: overflow
    }
}
