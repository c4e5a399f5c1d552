pragma solidity ^0.8.0;

// The constructor names an owner, and so does the initializer, which the project calls at
// once: whoever comes before it owns nothing of worth.
contract Share {
    address public owner;
    address public heir;
    string public name;
    bool private initialized;

    constructor() {
        owner = msg.sender;
    }

    function initialize(string calldata name_) external {
        require(!initialized, "twice");
        initialized = true;
        owner = msg.sender; // allow: open-owner
        name = name_;
    }

    function hand(address to) external {
        require(msg.sender == owner, "owner");
        heir = to; // allow: open-owner
    }

    function take() external {
        require(msg.sender == heir, "heir");
        owner = heir; // allow: open-owner
    }
}
