pragma solidity ^0.4.24;

/// Whoever calls says what is called, but only the owner says of whom.
contract Forwarder {
    address callee;
    address owner;

    constructor() public {
        owner = msg.sender;
    }

    function setCallee(address to) public {
        require(msg.sender == owner);
        callee = to;
    }

    function forward(bytes data) public {
        require(callee.delegatecall(data));
    }
}
