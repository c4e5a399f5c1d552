pragma solidity ^0.8.0;

// The owner admits members, who lend out more than was taken: no contract stands between. What
// the clerk calls has the same names and is another contract's.
interface IDesk {
    function take(uint256 amount) external;
    function lend(uint256 amount) external;
}

contract Clerk {
    IDesk private immutable desk;

    constructor(IDesk at) {
        desk = at;
    }

    function pass(uint128 amount) external {
        desk.take(amount);
        desk.lend(amount);
    }
}

contract Book {
    address private immutable owner = msg.sender;
    mapping(address => bool) public members;
    uint256 public taken;
    uint256 public lent;

    function admit(address member) external {
        require(msg.sender == owner, "not the owner");
        members[member] = true;
    }

    function take(uint256 amount) external {
        require(members[msg.sender], "no member");
        taken += amount;
    }

    function lend(uint256 amount) external {
        require(members[msg.sender], "no member");
        lent += amount;
    }

    function free() external view returns (uint256) {
        assert(taken >= lent); // expect: assertion
        return taken - lent;
    }
}
