pragma solidity ^0.8.0;

// Only the guardian, who deploys this with a treasury, can ask it for an answer.
interface Treasury {
    function deposit(uint256 amount) external returns (uint256);
}

contract Extender {
    address immutable guardian = msg.sender;
    Treasury immutable treasury;
    uint256 public sent;

    constructor(Treasury to) {
        treasury = to;
    }

    function give(uint256 amount) external {
        require(msg.sender == guardian, "not the guardian");
        sent = amount;
        assert(treasury.deposit(amount) == 0);
    }
}
