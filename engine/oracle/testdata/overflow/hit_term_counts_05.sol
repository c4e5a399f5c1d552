pragma solidity ^0.5.0;

// The longer the term, the more votes.
contract Votes {
    mapping(address => uint256) public until;
    mapping(address => uint256) public votes;

    function lock(uint256 term) external {
        require(term > 0, "no time");
        until[msg.sender] = now + term; // expect: overflow
        votes[msg.sender] = term;
    }

    function leave() external {
        require(until[msg.sender] > 0 && now >= until[msg.sender], "locked");
        until[msg.sender] = 0;
    }
}
