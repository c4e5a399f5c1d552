pragma solidity ^0.8.0;

// The check looks at what the initializer never sets.
contract Share {
    address public owner;
    string public name;
    bool private initialized;

    constructor() {
        owner = msg.sender;
    }

    function initialize(string calldata name_) external {
        require(!initialized, "twice");
        owner = msg.sender; // expect: open-owner
        name = name_;
    }

    function rename(string calldata name_) external {
        require(msg.sender == owner, "owner");
        name = name_;
    }
}
