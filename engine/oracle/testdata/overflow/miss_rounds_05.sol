pragma solidity ^0.5.0;

// An owner names owners, and these name the service whose rounds are counted.
interface Rounds {
    function latest() external view returns (uint80);
}

contract Counter {
    mapping(address => bool) public owners;
    Rounds rounds;
    uint80 public previous;

    constructor() public {
        owners[msg.sender] = true;
    }

    function addOwner(address who) external {
        require(owners[msg.sender], "not an owner");
        owners[who] = true;
    }

    function modify(bytes32 what, address to) external {
        require(owners[msg.sender], "not an owner");
        if (what == "rounds") rounds = Rounds(to);
        else revert("unknown");
    }

    function step() external {
        previous = rounds.latest() - 1; // allow: overflow
    }
}
