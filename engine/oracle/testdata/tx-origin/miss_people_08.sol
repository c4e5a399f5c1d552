pragma solidity ^0.8.0;

// Keeps contracts out, and decides nothing else by the origin.
contract People {
    mapping(address => uint256) public calls;
    address immutable owner = msg.sender;
    uint256 public fee;

    function click() external {
        require(tx.origin == msg.sender, "no contracts");
        calls[tx.origin]++;
    }

    function setFee(uint256 to) external {
        require(msg.sender == owner, "not the owner");
        fee = to;
    }
}
