pragma solidity ^0.8.0;

interface Authority {
    function may(address who, bytes4 what) external view returns (bool);
}

// Whom its deployer makes the authority decides who may do what.
contract Office {
    address public owner;
    Authority public immutable authority;
    uint256 public fee;

    constructor(address first, Authority decides) {
        owner = first;
        authority = decides;
    }

    modifier allowed() {
        require(msg.sender == owner || address(authority) != address(0) && authority.may(msg.sender, msg.sig), "not allowed");
        _;
    }

    function setOwner(address next) external allowed {
        owner = next;
    }

    mapping(bytes4 => bool) public free;

    function release(bytes4 what) external allowed {
        free[what] = true;
    }

    function pass(address next) external {
        require(free[msg.sig], "not released");
        owner = next;
    }

    function setFee(uint256 to) external allowed {
        fee = to;
    }
}
