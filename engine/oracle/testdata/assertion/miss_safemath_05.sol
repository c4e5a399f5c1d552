pragma solidity ^0.5.0;

// The same in the contract itself, without a library.
contract Votes {
    mapping(address => uint256) public votes;

    function safeAdd(uint256 a, uint256 b) internal pure returns (uint256 c) {
        c = a + b;
        assert(c >= a && c >= b); // allow: assertion
    }

    function add(uint256 more) external {
        votes[msg.sender] = safeAdd(votes[msg.sender], more);
    }
}
