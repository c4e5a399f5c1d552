pragma solidity ^0.6.0;

// The owner decides: what it casts is a note.
contract Params {
    mapping(address => bool) wards;
    uint96 public rate;
    uint32 public delay;

    constructor() public {
        wards[msg.sender] = true;
    }

    modifier auth() {
        require(wards[msg.sender], "not authorized");
        _;
    }

    function file(bytes32 what, uint256 data) external auth {
        if (what == "rate") rate = uint96(data); // allow: overflow
        else if (what == "delay") delay = uint32(data); // allow: overflow
        else revert("unknown");
    }
}
