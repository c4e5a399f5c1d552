pragma solidity ^0.5.0;

// Only the owner changes the rate: for others nothing happens, without a revert.
contract Rates {
    address owner = msg.sender;
    uint64 public rate;

    function setRate(uint256 percent) public {
        if (msg.sender == owner) {
            rate = uint64(percent); // allow: overflow
        }
    }
}
