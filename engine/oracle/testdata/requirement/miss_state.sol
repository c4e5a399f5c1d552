pragma solidity ^0.6.0;

// What is refused is the time of the call, not its arguments.
contract Gate {
    bool public open;

    function toggle() external {
        open = !open;
    }

    function enter(uint256 seats) external view returns (uint256) {
        require(open, "closed");
        return seats;
    }
}

contract Visitor {
    Gate public gate = new Gate();
    uint256 public seats;

    function knock() external {
        gate.toggle();
    }

    function visit(uint256 people) external {
        seats = gate.enter(people / 2 + 1);
    }
}
