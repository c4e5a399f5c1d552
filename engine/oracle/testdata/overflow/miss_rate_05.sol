pragma solidity ^0.5.0;

// The owner sets the rate; that a large one wraps is a note.
contract Drip {
    address private owner = msg.sender;
    uint256 public rate;
    uint256 public paid;

    function setRate(uint256 to) external {
        require(msg.sender == owner);
        rate = to;
    }

    function drip() external {
        paid = rate * 300; // allow: overflow
    }
}
