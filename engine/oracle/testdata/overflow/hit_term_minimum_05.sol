pragma solidity ^0.5.0;

// A term has a shortest length, which one that wraps undercuts.
contract Locks {
    mapping(address => uint256) public until;

    function lock(uint256 term) external {
        require(term >= 7 days, "too short");
        until[msg.sender] = now + term; // expect: overflow
    }

    function leave() external {
        require(until[msg.sender] > 0 && now >= until[msg.sender], "locked");
        until[msg.sender] = 0;
    }
}
