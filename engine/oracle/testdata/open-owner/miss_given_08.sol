pragma solidity ^0.8.0;

// The constructor names an owner, and the initializer is given all roles, which the project
// calls at once. What the owner changes later is the owner's to change.
contract Coin {
    address public owner;
    address public pauser;
    string public name;
    mapping(address => bool) public blocked;
    bool public paused;
    bool private initialized;
    address public heir = msg.sender;
    bool private started;

    constructor() {
        owner = msg.sender;
    }

    function initialize(string calldata name_, address firstPauser, address firstOwner) external {
        require(!initialized, "twice");
        require(firstPauser != address(0) && firstOwner != address(0), "zero");
        initialized = true;
        name = name_;
        pauser = firstPauser;
        owner = firstOwner; // allow: open-owner
        blocked[address(this)] = true;
    }

    function start(address next) external {
        require(!started, "twice");
        started = true;
        heir = next; // allow: open-owner
    }

    function inherit() external {
        require(msg.sender == heir && paused, "heir");
        owner = heir; // allow: open-owner
    }

    function setPauser(address next) external {
        require(msg.sender == owner, "owner");
        pauser = next; // allow: open-owner
    }

    function pause() external {
        require(msg.sender == pauser, "pauser");
        paused = true;
    }
}
