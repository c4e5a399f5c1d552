pragma solidity ^0.4.24;

// Remembers who called last, which decides nothing; the owner stays.
contract Latest {
    address owner = msg.sender;
    address public latest = msg.sender;
    uint256 public fee;

    function touch() public {
        latest = msg.sender;
    }

    function setFee(uint256 to) public {
        require(msg.sender == owner);
        fee = to;
    }

    function giveUp() public {
        require(msg.sender == owner);
        owner = address(0);
    }
}
