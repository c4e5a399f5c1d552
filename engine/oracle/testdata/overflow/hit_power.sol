pragma solidity ^0.5.0;

/// A power of two that is a quantity wraps to nothing.
contract Prizes {
    mapping(address => uint256) public prize;

    function win(uint256 round) external {
        require(round < 1000, "late");
        prize[msg.sender] = 2 ** round; // expect: overflow
    }
}
